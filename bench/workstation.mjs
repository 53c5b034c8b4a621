import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Connection } from "./connection.mjs";
import { readChildrenCpu } from "./cpu.mjs";
import { ServerProcess } from "./server-process.mjs";
import { median } from "./stats.mjs";
import { jobs } from "./workstation-jobs.mjs";
import { makeTree } from "./workstation-tree.mjs";

/** @typedef {{ job: string, server: "ours" | "peer", round: number, wall: number, cpu: number, peak: number }} JobRun ms, ms, MiB */

/** @typedef {{ wall: number, cpu: number, peak: number }} Cost */
/** @typedef {{ treeMegabytes: number, jobs: { name: string, what: string, ours: Cost, peer: Cost, ratio: Cost }[] }} Workstation */

const ownProgram = fileURLToPath(new URL("../packages/toolwright/dist/main.js", import.meta.url));
const peerProgram = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

async function startOurs(/** @type {string} */ root, /** @type {string} */ state) {
  const config = path.join(state, "config.json");
  writeFileSync(config, JSON.stringify({ packs: { workstation: { roots: [root] } } }));
  return new ServerProcess([ownProgram, "serve", "--config", config, "--state", state]);
}

/** Does one job on a fresh server. */
async function runJob(job, server, tree, state) {
  const process = server === "ours" ? await startOurs(tree.root, state) : new ServerProcess([peerProgram, tree.root]);
  try {
    const connection = new Connection(process);
    await connection.open("legacy");
    const ask = async (name, args) => {
      const { result, error } = await connection.ask({ method: "tools/call", params: { name, arguments: args } });
      if (error !== undefined || result.isError)
        throw new Error(`${name}: ${error?.message ?? result.content[0].text}`);
      return result;
    };
    // What is loaded at the first call of a server is not what the job costs.
    await (server === "ours" ? ask("fs_list_directory", { path: "." }) : ask("list_directory", { path: tree.root }));
    const [cpuBefore, childrenBefore, began] = [
      await process.cpuMicros(),
      readChildrenCpu(process.pid),
      performance.now(),
    ];
    const done = await job[server](ask, tree);
    const wall = performance.now() - began;
    const cpu = ((await process.cpuMicros()) - cpuBefore) / 1000 + readChildrenCpu(process.pid) - childrenBefore;
    if (done !== job.expected(tree)) throw new Error(`gave ${done}, not ${job.expected(tree)}`);
    return { job: job.name, server, wall, cpu, peak: (await process.residentMiB()).peak };
  } finally {
    await process.kill();
  }
}

/**
 * The same work on files by our workstation and by the official file server, in turns.
 * @param {{ rounds: number, treeMegabytes: number, say: (line: string) => void }} plan
 */
export async function measureWorkstation({ rounds, treeMegabytes, say }) {
  /** @type {JobRun[]} */
  const runs = [];
  const failures = [];
  const tree = await makeTree({ megabytes: treeMegabytes });
  const state = await mkdtemp(path.join(os.tmpdir(), "bench-state-"));
  try {
    for (let round = 0; round < rounds; round++)
      for (const job of jobs)
        for (const server of /** @type {const} */ (["ours", "peer"])) {
          try {
            const run = await runJob(job, server, tree, state);
            runs.push({ ...run, round });
            say(
              `workstation  ${job.name.padEnd(8)} ${server} ${run.wall.toFixed(0)} ms, CPU ${run.cpu.toFixed(0)} ms, peak ${run.peak.toFixed(0)} MiB`,
            );
          } catch (error) {
            failures.push(`workstation ${job.name} ${server}: ${error.message}`);
          }
        }
  } finally {
    await rm(state, { recursive: true, force: true });
    await tree.remove();
  }
  return {
    measured: { treeMegabytes, jobs: jobs.flatMap((job) => toFigures(job, runs)) },
    failures: [...new Set(failures)],
  };
}

/** Medians of one job, and the ratios within a round. */
function toFigures({ name, what }, /** @type {JobRun[]} */ runs) {
  const own = (server) => runs.filter((run) => run.job === name && run.server === server);
  const [ours, peer] = [own("ours"), own("peer")];
  if (ours.length === 0 || peer.length === 0) return [];
  const middle = (list) =>
    Object.fromEntries(["wall", "cpu", "peak"].map((key) => [key, median(list.map((run) => run[key]))]));
  const ratio = (key) =>
    median(
      ours.flatMap((run) => peer.filter(({ round }) => round === run.round).map((other) => run[key] / other[key])),
    );
  return [
    {
      name,
      what,
      ours: middle(ours),
      peer: middle(peer),
      ratio: { wall: ratio("wall"), cpu: ratio("cpu"), peak: ratio("peak") },
    },
  ];
}

/** The ratios to which our workstation is held: faster than the peer, with less memory. */
export const workstationBounds = (/** @type {Workstation | undefined} */ measured) =>
  (measured?.jobs ?? []).flatMap(({ name, ratio }) =>
    ["cpu", "wall", "peak"].map((key) => ({
      what: `workstation, ${name}: ${{ cpu: "CPU", wall: "time", peak: "peak memory" }[key]}, × the official file server`,
      value: ratio[key],
      bound: 1,
      unit: "×",
    })),
  );
