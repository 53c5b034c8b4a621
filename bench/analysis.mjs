import { spawn } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readChildrenCpu, readResidentMiB } from "./cpu.mjs";
import { median } from "./stats.mjs";

/** @typedef {{ wall: number, cpu: number, peak: number }} Cost ms, ms, MiB */
/** @typedef {"cold" | "warm" | "changed" | "peer"} Kind */
/** @typedef {{ files: number, functions: number, peerFunctions: number, costs: Record<Kind, Cost>, faster: number }} Analysis */

const root = fileURLToPath(new URL("..", import.meta.url));
const ownProgram = path.join(root, "packages/toolwright/dist/main.js");
const peerProgram = path.join(root, "bench/peers/eslint-complexity.mjs");
const wantedFiles = 2000;

/** TypeScript of this project, and of packages that come with their sources, up to the number that is wanted. */
function sources() {
  const isSource = (/** @type {string} */ file) => file.endsWith(".ts") && !file.endsWith(".d.ts");
  const below = (/** @type {string} */ folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .map((file) => path.join(folder, file))
      .filter(isSource)
      .sort();
  const own = ["packages", "tests"].flatMap(below);
  const others = below("node_modules").filter((file) => !file.includes("@toolwright"));
  return [...own, ...others].slice(0, wantedFiles);
}

/** Copies the sources into a folder, so that both tools see the same files and no configuration. */
function copySources(/** @type {string} */ folder) {
  return sources().map((file, index) => {
    const target = path.join(folder, `part-${index % 20}`, `${index}-${path.basename(file)}`);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(path.join(root, file), target);
    return target;
  });
}

/**
 * Runs a program to its end: what it says, and what it costs. The peak is the kernel's, as it was shortly before the end.
 * @param {string[]} args
 * @param {string} state where ours keeps what it has read
 * @returns {Promise<{ said: string, cost: Cost }>}
 */
function runToEnd(args, state) {
  const [began, cpuBefore] = [performance.now(), readChildrenCpu(process.pid)];
  const env = { ...process.env, NODE_OPTIONS: "", XDG_STATE_HOME: state };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
  let [said, peak] = ["", 0];
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const look = setInterval(() => {
    try {
      // One that has ended tells nothing.
      peak = readResidentMiB(child.pid ?? 0).peak || peak;
    } catch {
      // It is over.
    }
  }, 20);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(look);
      if (code !== 0) return reject(new Error(`${path.basename(args[0] ?? "")} ended with ${code}`));
      const cpu = readChildrenCpu(process.pid) - cpuBefore;
      return resolve({ said, cost: { wall: performance.now() - began, cpu, peak } });
    });
  });
}

/**
 * The complexity of 2,000 TypeScript files: by ours with nothing known, all known, and one file changed, and by ESLint with sonarjs.
 * @param {{ rounds: number, say: (line: string) => void }} plan
 * @returns {Promise<Analysis>}
 */
export async function measureAnalysis({ rounds, say }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "bench-analysis-"));
  try {
    const project = path.join(folder, "project");
    const files = copySources(project);
    const ours = [ownProgram, "analyze", "complexity", project, "--json", "--quiet"];
    /** @type {{ kind: Kind, cost: Cost, functions: number }[]} */
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      const state = path.join(folder, `state-${round}`);
      for (const kind of /** @type {const} */ (["cold", "warm", "changed", "peer"])) {
        if (kind === "changed") appendFileSync(files[round] ?? "", "\n// changed\n");
        const { said, cost } = await runToEnd(kind === "peer" ? [peerProgram, project] : ours, state);
        const found = JSON.parse(said);
        const functions = kind === "peer" ? found.functions : found.summary.total_functions;
        runs.push({ kind, cost, functions });
        say(
          `analysis   ${kind.padEnd(7)} ${(cost.wall / 1000).toFixed(2)} s, CPU ${(cost.cpu / 1000).toFixed(2)} s, ${cost.peak.toFixed(0)} MiB, ${functions} functions`,
        );
      }
    }
    const costOf = (/** @type {Kind} */ kind) => {
      const of = (/** @type {keyof Cost} */ key) =>
        median(runs.filter((run) => run.kind === kind).map(({ cost }) => cost[key]));
      return { wall: of("wall"), cpu: of("cpu"), peak: of("peak") };
    };
    const costs = { cold: costOf("cold"), warm: costOf("warm"), changed: costOf("changed"), peer: costOf("peer") };
    const functionsOf = (/** @type {Kind} */ kind) => runs.find((run) => run.kind === kind)?.functions ?? 0;
    return {
      files: files.length,
      functions: functionsOf("cold"),
      peerFunctions: functionsOf("peer"),
      costs,
      faster: costs.peer.wall / costs.cold.wall,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the analysis is held to. */
export const analysisBounds = (/** @type {Analysis | undefined} */ measured) => [
  {
    what: "analysis: 2,000 TypeScript files, time against ESLint with sonarjs",
    value: measured && 1 / measured.faster,
    bound: 0.2,
    unit: "×",
  },
  { what: "analysis: the same, memory", value: measured?.costs.cold.peak, bound: 500, unit: "MiB" },
  {
    what: "analysis: all known already, time against the first run",
    value: measured && measured.costs.warm.wall / measured.costs.cold.wall,
    bound: 0.35,
    unit: "×",
  },
];
