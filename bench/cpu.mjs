import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether the kernel keeps a nanosecond account of each thread that we can read from outside. */
export const hasSchedulerAccount = existsSync("/proc/self/task") && existsSync("/proc/self/schedstat");

/**
 * CPU time of all threads of a process in µs: its garbage collection and compilation count, as they do for whoever
 * pays for the machine. The account of a thread is exact while the thread sleeps, so ask when the server is idle.
 */
export function readCpuMicros(/** @type {number} */ pid) {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ", 1)[0]);
  }
  return nanoseconds / 1000;
}

/** Resident memory of a process in MiB, now and at its highest, as the kernel counts it. */
export function readResidentMiB(/** @type {number} */ pid) {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const read = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Clock ticks a second in the kernel's account of ended children; the same on every Linux that Node runs on. */
const ticks = 100;

/** CPU in ms of the programs that a process has started and that have ended: what another process does is not free. */
export function readChildrenCpu(/** @type {number} */ pid) {
  if (!hasSchedulerAccount) return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticks;
}

const tasksetProgram = "taskset";
const runTaskset = (...args) => spawnSync(tasksetProgram, [...args, String(process.pid)], { encoding: "utf8" });
const setAffinity = (cpus) => runTaskset("-acp", cpus);

/**
 * Puts this process, and with it every server it starts later, on one CPU, so that no wake-up crosses CPUs. Returns
 * how to undo it, or undefined where `taskset` is not to be had.
 */
export function pinToOneCpu() {
  const shown = runTaskset("-cp");
  const allowed = /: ([\d,-]+)\s*$/.exec(shown.stdout ?? "")?.[1];
  const last = allowed === undefined ? undefined : /\d+$/.exec(allowed)?.[0];
  if (last === undefined || setAffinity(last).status !== 0) return undefined;
  return { cpu: last, undo: () => setAffinity(allowed) };
}
