// Loaded into a server with --require. On SIGUSR2 the process says on file descriptor 3 what it knows about itself.
// It opens nothing until it is asked, so that it does not weigh on what is measured.
const { writeSync } = require("node:fs");

let largest = 0;

process.on("SIGUSR2", () => {
  if (process.env.BENCH_PROBE === "cpu") {
    const { user, system } = process.cpuUsage();
    writeSync(3, `${JSON.stringify({ cpuMicros: user + system, rss: process.memoryUsage.rss() })}\n`);
    return;
  }
  const buffersPeak = largest;
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  writeSync(3, `${JSON.stringify({ heapUsed, arrayBuffers, buffersPeak, rss })}\n`);
  largest = 0;
});

if (process.env.BENCH_PROBE === "buffers") {
  setInterval(() => {
    largest = Math.max(largest, process.memoryUsage().arrayBuffers);
  }, 5).unref();
}
