// Loaded into a server with --import: measures how long its event loop is held up, in CPU time of the main thread, so that other
// processes on the machine do not count. Answers every message of the parent process with the longest delay since the last one.
import { readFileSync } from "node:fs";

const INTERVAL_MS = 20;
/** The kernel counts the CPU time of a thread in ticks of 10 ms. */
const TICK_MS = 10;

/** CPU time of this thread; of the process where the system does not tell. */
function cpuMs() {
  try {
    const text = readFileSync("/proc/thread-self/stat", "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

let longest = 0;
let lastTime = performance.now();
let lastCpu = cpuMs();

function measure() {
  const time = performance.now();
  const cpu = cpuMs();
  longest = Math.max(longest, Math.min(time - lastTime - INTERVAL_MS, cpu - lastCpu));
  lastTime = time;
  lastCpu = cpu;
}

setInterval(measure, INTERVAL_MS).unref();
process.on("message", () => {
  measure();
  process.send(longest);
  longest = 0;
});
process.channel.unref();
