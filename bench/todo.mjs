import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildParts } from "./build-parts.mjs";
import { readChildrenCpu } from "./cpu.mjs";
import { partsOf } from "./pack-calls.mjs";
import { median } from "./stats.mjs";

/** @typedef {{ list: number, ready: number, search: number, create: number, bare: number }} Calls ms */
/** @typedef {Calls & { tasks: number, start: number, startOfBare: number, startRatio: number }} TodoCost */

const root = fileURLToPath(new URL("..", import.meta.url));
const program = fileURLToPath(new URL("todo-program.mjs", import.meta.url));
const main = path.join(root, "packages/toolwright/dist/main.js");
const tasks = 10_000;

/** Opens the same file through the same driver, and reads one row. */
const BARE = `const { DatabaseSync } = process.getBuiltinModule("node:sqlite") ?? (await import("@photostructure/sqlite"));
const database = new DatabaseSync(process.argv[2]);
database.prepare("SELECT id, description FROM tasks LIMIT 1").get();
database.close();
`;

/** CPU of a process in ms. */
function cpuOf(/** @type {string[]} */ args) {
  const before = readChildrenCpu(process.pid);
  execFileSync(process.execPath, args, { cwd: os.tmpdir(), stdio: ["ignore", "ignore", "inherit"] });
  return readChildrenCpu(process.pid) - before;
}

/**
 * What the tools of the pack todo cost with many tasks, and what `toolwright task list` costs beside a bare script that opens the
 * same database.
 * @param {{ rounds: number, starts: number, say: (line: string) => void }} plan
 */
export async function measureTodo({ rounds, starts, say }) {
  const results = path.join(root, "bench/results");
  mkdirSync(results, { recursive: true });
  // Inside the project, so that its packages are found.
  const built = mkdtempSync(path.join(results, "todo-"));
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-todo-"));
  try {
    await buildPack(built);
    /** @type {Calls[]} */
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      const own = path.join(folder, String(round));
      mkdirSync(own);
      const args = [program, built, own, String(tasks)];
      runs.push(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })));
    }
    const of = (/** @type {keyof Calls} */ key) => median(runs.map((run) => run[key]));
    const calls = { list: of("list"), ready: of("ready"), search: of("search") };
    const started = measureStart(path.join(folder, "0", "todo.db"), path.join(built, "bare.mjs"), starts);
    const cost = { tasks, ...calls, create: of("create"), bare: of("bare"), ...started };
    say(
      `todo       ${tasks.toLocaleString("en-US")} tasks: list ${cost.list.toFixed(2)} ms, ready ${cost.ready.toFixed(2)} ms, search ${cost.search.toFixed(2)} ms, create ${cost.create.toFixed(2)} ms (a bare INSERT ${cost.bare.toFixed(2)} ms); "task list" ${Math.round(cost.start)} ms, × ${cost.startRatio.toFixed(2)} of a bare script`,
    );
    return cost;
  } finally {
    for (const each of [built, folder]) rmSync(each, { recursive: true, force: true });
  }
}

async function buildPack(/** @type {string} */ outdir) {
  await buildParts(partsOf("todo"), outdir);
  writeFileSync(path.join(outdir, "bare.mjs"), BARE);
}

/** In turns, so that both see the same machine. */
function measureStart(/** @type {string} */ database, /** @type {string} */ bare, /** @type {number} */ starts) {
  const pairs = Array.from({ length: 2 * starts + 1 }, () => ({
    bare: cpuOf([bare, database]),
    ours: cpuOf([main, "task", "list", "--database", database]),
  }));
  return {
    start: median(pairs.map(({ ours }) => ours)),
    startOfBare: median(pairs.map((pair) => pair.bare)),
    // The account of a process has steps of 10 ms, which even out in the sum.
    startRatio: sum(pairs.map(({ ours }) => ours)) / sum(pairs.map((pair) => pair.bare)),
  };
}

const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);

/** What the pack is held to. */
export function todoBounds(/** @type {TodoCost | undefined} */ measured) {
  const among = `todo: among ${measured?.tasks.toLocaleString("en-US")} tasks`;
  return [
    { what: `${among}, list_tasks (CPU)`, value: measured?.list, bound: 5, unit: "ms" },
    { what: `${among}, ready_tasks (CPU)`, value: measured?.ready, bound: 5, unit: "ms" },
    { what: `${among}, search_tasks (CPU)`, value: measured?.search, bound: 5, unit: "ms" },
    {
      what: `${among}, create_task above a bare INSERT and COMMIT (CPU)`,
      value: measured && measured.create - measured.bare,
      bound: 1,
      unit: "ms",
    },
    {
      what: '"toolwright task list", × bare Node that opens the database (CPU)',
      value: measured?.startRatio,
      bound: 1.5,
      unit: "×",
    },
  ];
}
