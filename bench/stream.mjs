import { Connection } from "./connection.mjs";
import { hasSchedulerAccount } from "./cpu.mjs";
import { Traffic } from "./driver.mjs";
import { requestForm } from "./requests.mjs";
import { ServerProcess } from "./server-process.mjs";
import { argumentsOf } from "./servers.mjs";

/** @typedef {{ server: string, subject: string, buffers: number, resident: number }} StreamUse */

const megabyte = 1e6;

async function measureOne(server, subject, window, bytes) {
  const process = new ServerProcess(argumentsOf(server), { probe: "buffers" });
  try {
    const connection = new Connection(process);
    await connection.open("legacy");
    const cell = { name: "", era: "legacy", tools: 20, subjects: [subject], window };
    const before = await process.report();
    const residentBefore = (await process.residentMiB()).now;
    const requests = Math.ceil(bytes / requestForm(subject, "legacy", 20).bytes.length);
    await new Traffic(connection, cell).send(requests);
    const { peak } = await process.residentMiB();
    const after = await process.report();
    return {
      server: server.name,
      subject,
      buffers: (after.buffersPeak - before.arrayBuffers) / megabyte,
      resident: ((peak - residentBefore) * 2 ** 20) / megabyte,
    };
  } finally {
    await process.kill();
  }
}

/**
 * Sends a long stream of messages through our server and the floor and notes, in MB, how much its buffers held at most
 * (seen from inside every 5 ms) and how far resident memory rose over that after the handshake. The latter is mostly
 * V8's young generation, which the floor has as well.
 * @param {{ servers: import("./servers.mjs").BenchServer[], bytes: number, say: (line: string) => void }} plan
 */
export async function measureStream({ servers, bytes, say }) {
  /** @type {StreamUse[]} */
  const measured = [];
  const failures = [];
  if (!hasSchedulerAccount) return { measured, failures };
  for (const server of servers.filter((one) => one.name === "floor" || one.name === "ours")) {
    for (const [subject, window] of [
      ["echo-10k", 64],
      ["echo-900k", 2],
    ]) {
      try {
        const use = await measureOne(server, subject, window, bytes);
        measured.push(use);
        say(
          `stream  ${server.name.padEnd(8)} ${subject}: buffers ${use.buffers.toFixed(1)} MB, RSS +${use.resident.toFixed(0)} MB`,
        );
      } catch (error) {
        failures.push(`${server.name} stream of ${subject}: ${error.message}`);
      }
    }
  }
  return { measured, failures };
}
