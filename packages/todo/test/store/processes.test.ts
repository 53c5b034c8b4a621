import { rm } from "node:fs/promises";
import path from "node:path";
import { openPostgresStore, openSqliteStore, type SqlStore } from "@toolwright/kit/storage";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { TODO_STORE } from "../../src/store/schema.js";
import { makeFolder } from "../kit.js";
import { noPostgres, type PostgresServer, startPostgres } from "../postgres.js";
import { buildProgram, type Work, workTogether } from "./busy-processes.js";
import { readAll, replay } from "./replay.js";

/** The number of operations for each database. */
const OPERATIONS = Number(process.env["TODO_OPERATIONS"] ?? 10_000);
const LIMIT_MS = 180_000;

/** SQL for the number of open blockers of a task. */
const OPEN = `(SELECT count(*) FROM blockers b JOIN tasks o ON o.id = b.blocked_by_id
  WHERE b.task_id = tasks.id AND o.status <> 'completed')`;

let program = "";
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  program = await buildProgram();
  if (noPostgres === undefined) postgres = await startPostgres();
}, 60_000);
afterAll(async () => {
  await postgres?.stop();
  await rm(program, { recursive: true, force: true });
});

async function expectNothingLost(ledger: SqlStore, { acknowledged }: Work): Promise<void> {
  onTestFinished(() => ledger.close());
  const { tables, events } = await readAll(ledger);
  const written = new Set(events.map(({ actor }) => actor));
  expect(acknowledged.filter((name) => !written.has(name))).toEqual([]);
  expect(replay(events)).toEqual(tables);
  const miscounted = await ledger.read((sql) => sql.all(`SELECT id FROM tasks WHERE open_blockers <> ${OPEN}`));
  expect(miscounted).toEqual([]);
  expect(new Set(events.map(({ seq }) => seq)).size).toBe(events.length);
}

test(
  "ten processes, of which four are killed, lose nothing that was acknowledged in SQLite",
  async () => {
    const database = path.join(await makeFolder(), "tasks.db");
    const work = await workTogether({ program, database, operations: OPERATIONS, processes: 10, kills: 4 });
    expect(work.killed).toBe(4);
    expect(work.operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(work.acknowledged.length).toBeGreaterThan(OPERATIONS / 3);
    const ledger = await openSqliteStore(database, TODO_STORE);
    const checks = await ledger.read((sql) => sql.all("PRAGMA integrity_check"));
    expect(checks).toEqual([{ integrity_check: "ok" }]);
    expect(await ledger.read((sql) => sql.all("PRAGMA foreign_key_check"))).toEqual([]);
    await expectNothingLost(ledger, work);
    const counted = await ledger.read((sql) => sql.get("SELECT max(seq) - count(*) AS missing FROM events"));
    expect(counted).toEqual({ missing: 0 });
  },
  LIMIT_MS,
);

test.skipIf(noPostgres !== undefined)(
  "ten processes, of which four are killed, lose nothing that was acknowledged in PostgreSQL",
  async () => {
    const database = (await postgres?.makeDatabase()) ?? "";
    const work = await workTogether({ program, database, operations: OPERATIONS, processes: 10, kills: 4 });
    expect(work.killed).toBe(4);
    expect(work.operations).toBeGreaterThanOrEqual(OPERATIONS);
    await expectNothingLost(await openPostgresStore(database, TODO_STORE), work);
  },
  LIMIT_MS,
);
