import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildParts } from "./build-parts.mjs";
import { makeHistory } from "./churn-history.mjs";
import { readChildrenCpu } from "./cpu.mjs";
import { partsOf } from "./pack-calls.mjs";
import { median } from "./stats.mjs";

/** @typedef {{ wall: number, cpu: number }} Run ms */
/** @typedef {{ commits: number, ours: Run, git: Run, ratio: Run, peak: number }} ChurnCost */

const root = fileURLToPath(new URL("..", import.meta.url));
const program = fileURLToPath(new URL("churn-program.mjs", import.meta.url));

/** Runs a program to its end: its time, the CPU of it and of all it starts, and what it says. */
function run(/** @type {string} */ file, /** @type {string[]} */ args, /** @type {string} */ cwd, said = true) {
  const [before, began] = [readChildrenCpu(process.pid), performance.now()];
  const text = execFileSync(file, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", said ? "pipe" : "ignore", "inherit"],
  });
  return { wall: performance.now() - began, cpu: readChildrenCpu(process.pid) - before, text };
}

/**
 * What the churn of a long history costs beside `git log --numstat` alone, in turns; processes and all they start.
 * @param {{ rounds: number, historyCommits: number, say: (line: string) => void }} plan
 */
export async function measureChurn({ rounds, historyCommits: commits, say }) {
  const results = path.join(root, "bench/results");
  mkdirSync(results, { recursive: true });
  // Inside the project, so that its packages are found.
  const built = mkdtempSync(path.join(results, "churn-"));
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-churn-"));
  const [history, state] = ["history", "state"].map((name) => path.join(folder, name));
  try {
    await buildParts(partsOf("analysis"), built);
    mkdirSync(history);
    await makeHistory(history, commits);
    say(`churn      made a history of ${commits.toLocaleString("en-US")} commits`);
    const cost = measureRounds({
      rounds,
      commits,
      history,
      args: [program, built, history, state],
    });
    say(
      `churn      ${Math.round(cost.ours.wall)} ms, git log --numstat ${Math.round(cost.git.wall)} ms: × ${cost.ratio.wall.toFixed(2)}, CPU × ${cost.ratio.cpu.toFixed(2)}, ${Math.round(cost.peak)} MiB at most`,
    );
    return cost;
  } finally {
    for (const each of [built, folder]) rmSync(each, { recursive: true, force: true });
  }
}

/** @returns {ChurnCost} */
function measureRounds({ rounds, commits, history, args }) {
  const runs = Array.from({ length: rounds }, () => {
    const git = run("git", ["log", "--numstat"], history, false);
    const ours = run(process.execPath, args, history);
    const said = JSON.parse(ours.text);
    if (said.commits !== commits) throw new Error(`churn counted ${said.commits} commits, not ${commits}`);
    return { git, ours, peak: said.peak };
  });
  const of = (/** @type {(run: (typeof runs)[number]) => number} */ value) => median(runs.map(value));
  return {
    commits,
    ours: { wall: of(({ ours }) => ours.wall), cpu: of(({ ours }) => ours.cpu) },
    git: { wall: of(({ git }) => git.wall), cpu: of(({ git }) => git.cpu) },
    ratio: { wall: of(({ ours, git }) => ours.wall / git.wall), cpu: of(({ ours, git }) => ours.cpu / git.cpu) },
    peak: Math.max(...runs.map(({ peak }) => peak)),
  };
}

/** What the churn of a long history is held to. */
export function churnBounds(/** @type {ChurnCost | undefined} */ measured) {
  const what = `churn of ${measured?.commits.toLocaleString("en-US")} commits, × git log --numstat alone`;
  return [
    { what: `${what} (time)`, value: measured?.ratio.wall, bound: 2, unit: "×" },
    { what: `${what} (CPU)`, value: measured?.ratio.cpu, bound: 2, unit: "×" },
  ];
}
