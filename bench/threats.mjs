import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildParts } from "./build-parts.mjs";
import { readChildrenCpu } from "./cpu.mjs";
import { median } from "./stats.mjs";

/** @typedef {{ patterns: number, load: number, query: number, tokens: number, budget: number, review: number }} ThreatCalls ms */
/** @typedef {ThreatCalls & { start: number, startOfBare: number, startRatio: number }} ThreatCost */

const root = fileURLToPath(new URL("..", import.meta.url));
const program = fileURLToPath(new URL("threats-program.mjs", import.meta.url));
const main = path.join(root, "packages/toolwright/dist/main.js");

/** CPU of a process in ms. */
function cpuOf(/** @type {string[]} */ args) {
  const before = readChildrenCpu(process.pid);
  execFileSync(process.execPath, args, { cwd: os.tmpdir(), stdio: ["ignore", "ignore", "inherit"] });
  return readChildrenCpu(process.pid) - before;
}

/**
 * What it costs to load the built-in threat patterns and to ask them, how long the longest answer is, and what `toolwright threats
 * query` costs beside bare Node.
 * @param {{ rounds: number, starts: number, say: (line: string) => void }} plan
 */
export async function measureThreats({ rounds, starts, say }) {
  const results = path.join(root, "bench/results");
  mkdirSync(results, { recursive: true });
  // Inside the project, so that its packages are found; beside dist, where the compiled patterns are.
  const built = mkdtempSync(path.join(results, "threats-"));
  try {
    await buildPack(built);
    const dist = path.join(root, "packages/toolwright/dist");
    const corpus = path.join(root, "packages/threats/patterns");
    /** @type {ThreatCalls[]} */
    const runs = [];
    for (let round = 0; round < rounds; round++)
      runs.push(JSON.parse(execFileSync(process.execPath, [program, built, dist, corpus], { encoding: "utf8" })));
    const of = (/** @type {keyof ThreatCalls} */ key) => median(runs.map((run) => run[key]));
    const cost = {
      patterns: of("patterns"),
      load: of("load"),
      query: of("query"),
      review: of("review"),
      tokens: Math.max(...runs.map(({ tokens }) => tokens)),
      budget: of("budget"),
      ...measureStart(starts),
    };
    say(
      `threats    ${cost.patterns} patterns: loaded in ${cost.load.toFixed(1)} ms, a warm query ${cost.query.toFixed(2)} ms, the longest answer ${cost.tokens} of ${cost.budget} tokens, a review of 100 lines ${cost.review.toFixed(1)} ms; "threats query" ${Math.round(cost.start)} ms, × ${cost.startRatio.toFixed(2)} of bare Node`,
    );
    return cost;
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

function buildPack(/** @type {string} */ outdir) {
  const pack = "packages/threats/src";
  const entryPoints = {
    corpus: `${pack}/library/corpus.ts`,
    library: `${pack}/library/library.ts`,
    query: `${pack}/query/query.ts`,
    review: `${pack}/review/run-review.ts`,
  };
  return buildParts(entryPoints, outdir);
}

/** In turns, so that both see the same machine. */
function measureStart(/** @type {number} */ starts) {
  const words = ["threats", "query", "--context", "a webhook that marks orders paid", "--language", "typescript"];
  const pairs = Array.from({ length: 2 * starts + 1 }, () => ({
    bare: cpuOf(["--eval", "0"]),
    ours: cpuOf([main, ...words]),
  }));
  return {
    start: median(pairs.map(({ ours }) => ours)),
    startOfBare: median(pairs.map(({ bare }) => bare)),
    // The account of a process has steps of 10 ms, which even out in the sum.
    startRatio: sum(pairs.map(({ ours }) => ours)) / sum(pairs.map(({ bare }) => bare)),
  };
}

const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);

/** What the pack is held to. */
export function threatBounds(/** @type {ThreatCost | undefined} */ measured) {
  const among = `threats: among ${measured?.patterns} patterns`;
  return [
    { what: "threats: all patterns loaded (CPU)", value: measured?.load, bound: 100, unit: "ms" },
    { what: `${among}, a warm tmkb_query (CPU)`, value: measured?.query, bound: 5, unit: "ms" },
    { what: `${among}, the longest answer`, value: measured?.tokens, bound: measured?.budget ?? 500, unit: "tokens" },
    { what: '"toolwright threats query", × bare Node (CPU)', value: measured?.startRatio, bound: 3, unit: "×" },
  ];
}
