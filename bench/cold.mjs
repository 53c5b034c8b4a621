import { performance } from "node:perf_hooks";
import { Connection } from "./connection.mjs";
import { requestForm } from "./requests.mjs";
import { ServerProcess } from "./server-process.mjs";
import { argumentsOf } from "./servers.mjs";

/** @typedef {{ server: string, wall: number, cpu: number, callWall: number, callCpu: number, resident: number }} ColdStart */

/** Node itself, as far as its first written line: nothing in JavaScript starts faster. */
const bareNode = ["-e", 'require("node:fs").writeSync(1, "\\n"); setTimeout(() => {}, 60000)'];

async function startBareNode() {
  const began = performance.now();
  const process = new ServerProcess(bareNode);
  const connection = new Connection(process);
  await connection.until(
    (done) => {
      connection.onMessage = done;
    },
    () => "node did not start",
  );
  const wall = performance.now() - began;
  const cpu = (await process.cpuMicros()) / 1000;
  const resident = (await process.residentMiB()).now;
  await process.kill();
  return { server: "node", wall, cpu, callWall: Number.NaN, callCpu: Number.NaN, resident };
}

async function startServer(server) {
  const { method, params } = JSON.parse(requestForm("echo-100", "legacy", 20).bytes.toString());
  const began = performance.now();
  const process = new ServerProcess(argumentsOf(server));
  try {
    const connection = new Connection(process);
    await connection.open("legacy");
    const wall = performance.now() - began;
    const cpu = (await process.cpuMicros()) / 1000;
    const resident = (await process.residentMiB()).now;
    const asked = performance.now();
    await connection.ask({ method, params });
    // What this client took to read the account in between is not the server's.
    const callWall = wall + performance.now() - asked;
    return { server: server.name, wall, cpu, callWall, callCpu: (await process.cpuMicros()) / 1000, resident };
  } finally {
    await process.kill();
  }
}

/**
 * Starts every server again and again, in turns, and notes wall and CPU time in ms from the spawn to the answer of
 * `initialize` and to the answer of the first call, and the resident memory in MiB after the handshake.
 * @param {{ servers: import("./servers.mjs").BenchServer[], starts: number, say: (line: string) => void }} plan
 */
export async function measureColdStarts({ servers, starts, say }) {
  /** @type {ColdStart[]} */
  const measured = [];
  const failures = new Set();
  const started = servers.filter((server) => server.name !== "floor-again");
  // The first start reads the files from the disk and is not counted.
  for (let turn = -1; turn < starts; turn++) {
    const round = [await startBareNode()];
    for (const server of started) {
      try {
        round.push(await startServer(server));
      } catch (error) {
        failures.add(`${server.name} cold start: ${error.message}`);
      }
    }
    if (turn < 0) continue;
    measured.push(...round);
    const shown = round.map(({ server, cpu }) => `${server} ${cpu.toFixed(0)}`);
    say(`start ${turn + 1}/${starts}  ${shown.join("  ")}  (ms CPU to the answer of initialize)`);
  }
  return { measured, failures: [...failures] };
}
