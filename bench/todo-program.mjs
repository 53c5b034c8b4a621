// Fills a fresh database with tasks, their parents, blockers and history, and says in JSON what the calls of the pack todo cost in ms
// of CPU; beside a new task stands a bare INSERT with its COMMIT in a file of the same driver. argv: the folder of the built pack, a folder, how many
// tasks.
import { createRequire } from "node:module";
import { openBuiltPack } from "./pack-calls.mjs";

const { DatabaseSync } =
  process.getBuiltinModule("node:sqlite") ??
  createRequire(new URL("../packages/toolwright/package.json", import.meta.url))("@photostructure/sqlite");
const [built = "", folder = "", size = "10000"] = process.argv.slice(2);
const warm = 30;
const counted = 100;
const words = ["parser", "release", "index", "login", "report", "cache", "import", "docs", "socket", "search"];

const cpu = (/** @type {NodeJS.CpuUsage} */ since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

const settings = { database: `${folder}/todo.db`, actor: "bench" };
const ask = await openBuiltPack({ built, stateFolder: folder, roots: [folder], settings });

async function call(/** @type {string} */ name, /** @type {object} */ args) {
  const { result, error } = await ask("tools/call", { name, arguments: args });
  if (error !== undefined || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result.content)}`);
  return result.structuredContent;
}

const idOf = (/** @type {number} */ n) => `task_${String(n).padStart(20, "0")}`;
const at = (/** @type {number} */ n) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();

/** A third is done; every tenth has children, and every fourth waits for one that came before it. */
function lineOf(/** @type {number} */ n) {
  const isDone = n % 3 === 0;
  const [one, other] = [words[n % 10], words[Math.floor(n / 10) % 10]];
  return JSON.stringify({
    id: idOf(n),
    parent_id: n % 10 === 0 ? null : idOf(n - (n % 10)),
    description: `Mend the ${one} of part ${n}, and the ${other} beside it`,
    context: `It fails since ${at(n)}. `.repeat(4),
    priority: 1 + (n % 5),
    status: isDone ? "completed" : "pending",
    result: isDone ? "done" : null,
    done_when: null,
    version: 1,
    created_at: at(n),
    started_at: isDone ? at(n) : null,
    completed_at: isDone ? at(n + 1) : null,
    updated_at: at(n + 1),
    created_by: "bench",
    claimed_by: null,
    lease_until: null,
    blocked_by: n % 4 === 1 && n > 20 ? [idOf(n - 17)] : [],
  });
}

const total = Number(size);
const PAGE = 2000;
for (let from = 0; from < total; from += PAGE) {
  const lines = Array.from({ length: Math.min(PAGE, total - from) }, (_, n) => lineOf(from + n));
  await call("import_tasks", { text: lines.join("\n") });
}
for (let n = 0; n < total; n += 20) await call("update_task", { id: idOf(n), priority: 1 + ((n / 20) % 5) });

/** CPU of one call in ms, and what the last one gave. */
async function cost(/** @type {string} */ name, /** @type {(n: number) => object} */ args) {
  let last;
  for (let n = 0; n < warm; n++) last = await call(name, args(n));
  const before = process.cpuUsage();
  for (let n = 0; n < counted; n++) last = await call(name, args(n));
  return { ms: cpu(before) / counted, last };
}

/** CPU of one INSERT with its COMMIT in ms, in a file that is set up like ours. */
function bareInsert() {
  const database = new DatabaseSync(`${folder}/bare.db`);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE bare (id TEXT, text TEXT)");
  const insert = database.prepare("INSERT INTO bare VALUES (?, ?)");
  const one = (/** @type {number} */ n) => {
    database.exec("BEGIN IMMEDIATE");
    insert.run(idOf(n), lineOf(n));
    database.exec("COMMIT");
  };
  for (let n = 0; n < warm; n++) one(n);
  const before = process.cpuUsage();
  for (let n = 0; n < counted; n++) one(n);
  const ms = cpu(before) / counted;
  database.close();
  return ms;
}

const list = await cost("list_tasks", () => ({}));
const ready = await cost("ready_tasks", () => ({}));
const search = await cost("search_tasks", (n) => ({ query: `${words[n % 10]} part` }));
const create = await cost("create_task", (n) => ({ description: `A new one: ${n}`, parent_id: idOf(n * 10) }));
if (list.last.total !== total || ready.last.tasks.length === 0 || search.last.tasks.length === 0)
  throw new Error(`not as many tasks as there should be: ${list.last.total}`);
const bare = bareInsert();
process.stdout.write(JSON.stringify({ list: list.ms, ready: ready.ms, search: search.ms, create: create.ms, bare }));
process.exit(0);
