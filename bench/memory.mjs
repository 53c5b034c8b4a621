import { Connection } from "./connection.mjs";
import { Traffic } from "./driver.mjs";
import { ServerProcess } from "./server-process.mjs";
import { argumentsOf } from "./servers.mjs";

/** @typedef {{ server: string, after: number, peak: number, liveBefore: number, liveAfter: number }} MemoryUse */

const mebibyte = 2 ** 20;
// Code that is compiled at its first use is no growth, so the live heap is first looked at when all of it has run.
const callsBefore = 5000;

async function measureOne(server, calls) {
  const process = new ServerProcess(argumentsOf(server), { probe: "heap" });
  try {
    const connection = new Connection(process);
    await connection.open("legacy");
    const traffic = new Traffic(connection, { name: "", era: "legacy", tools: 20, subjects: ["echo-100"], window: 64 });
    await traffic.send(callsBefore);
    const before = await process.report();
    await traffic.send(calls);
    const { now, peak } = await process.residentMiB();
    const after = await process.report();
    return {
      server: server.name,
      after: now,
      peak,
      liveBefore: before.heapUsed / mebibyte,
      liveAfter: after.heapUsed / mebibyte,
    };
  } finally {
    await process.kill();
  }
}

/**
 * Resident memory after many calls, and the live heap before and after them, in MiB. When V8 collects is partly
 * chance, so the floor and our own server, which are quick, do it three times.
 * @param {{ servers: import("./servers.mjs").BenchServer[], calls: number, say: (line: string) => void }} plan
 */
export async function measureMemory({ servers, calls, say }) {
  /** @type {MemoryUse[]} */
  const measured = [];
  const failures = [];
  for (const server of servers.filter((one) => one.name !== "floor-again" && !one.coldOnly)) {
    for (let turn = 0; turn < (server.peer === undefined ? 3 : 1); turn++) {
      try {
        const use = await measureOne(server, calls);
        measured.push(use);
        const heap = `live heap ${use.liveBefore.toFixed(2)} -> ${use.liveAfter.toFixed(2)}`;
        say(`memory  ${server.name.padEnd(8)} ${use.after.toFixed(1)} MiB after ${calls} calls, ${heap}`);
      } catch (error) {
        failures.push(`${server.name} memory: ${error.message}`);
      }
    }
  }
  return { measured, failures };
}
