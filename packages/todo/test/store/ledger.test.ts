import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openPostgresStore, openSqliteStore, type SqlStore } from "@toolwright/kit/storage";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ChangeSet } from "../../src/store/change-set.js";
import { TASK_COLUMNS, toTaskEvent, toTaskRecord } from "../../src/store/rows.js";
import { TODO_STORE } from "../../src/store/schema.js";
import type { TaskRecord } from "../../src/tasks/task.js";
import { noPostgres, type PostgresServer, startPostgres } from "../postgres.js";

const AT = "2031-05-06T07:08:09.000Z";
const TASK: TaskRecord = {
  id: "task_0000000000000000000a",
  parent_id: null,
  description: "Mend the parser",
  context: "",
  priority: 3,
  status: "pending",
  result: null,
  done_when: { kind: "file_exists", path: "done.txt" },
  version: 1,
  created_at: AT,
  started_at: null,
  completed_at: null,
  updated_at: AT,
  created_by: "ada",
  claimed_by: null,
  lease_until: null,
};
const DOER = { actor: "ada", at: AT };

let postgres: PostgresServer | undefined;
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.stop());

const databases = {
  sqlite: async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "ledger-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return path.join(folder, "tasks.db");
  },
  postgres: async () => (await postgres?.makeDatabase()) ?? "",
};

const open = async (kind: keyof typeof databases, place: string): Promise<SqlStore> => {
  const ledger = await (kind === "sqlite" ? openSqliteStore(place, TODO_STORE) : openPostgresStore(place, TODO_STORE));
  onTestFinished(() => ledger.close());
  return ledger;
};

const tasksOf = async (ledger: SqlStore): Promise<readonly TaskRecord[]> =>
  (await ledger.read((sql) => sql.all(`SELECT ${TASK_COLUMNS.join(", ")} FROM tasks ORDER BY id`))).map(toTaskRecord);

describe.each(["sqlite", "postgres"] as const)("a ledger in %s", (kind) => {
  const reason = kind === "postgres" ? noPostgres : undefined;
  const check = (fact: string, prove: () => Promise<void>): void =>
    test.skipIf(reason !== undefined)(reason === undefined ? fact : `${fact} (left out: ${reason})`, prove);

  check("a deed writes rows and events together, and both can be read back", async () => {
    const ledger = await open(kind, await databases[kind]());
    await ledger.write(async (sql) => {
      const deed = new ChangeSet(sql, DOER);
      await deed.insert(TASK);
      await deed.replace(TASK, { ...TASK, status: "completed", result: "done", version: 2 });
    });
    expect(await tasksOf(ledger)).toEqual([{ ...TASK, status: "completed", result: "done", version: 2 }]);
    const events = await ledger.read((sql) => sql.all("SELECT * FROM events ORDER BY seq"));
    expect(events.map(toTaskEvent)).toMatchObject([
      { seq: 1, actor: "ada", kind: "created", before: null, after: TASK },
      { seq: 2, kind: "updated", before: TASK, after: { status: "completed" } },
    ]);
  });

  check("work that fails leaves nothing behind", async () => {
    const ledger = await open(kind, await databases[kind]());
    const failing = ledger.write(async (sql) => {
      await new ChangeSet(sql, DOER).insert(TASK);
      throw new Error("the work gave up");
    });
    await expect(failing).rejects.toThrow("the work gave up");
    expect(await tasksOf(ledger)).toEqual([]);
    expect(await ledger.read((sql) => sql.all("SELECT * FROM events"))).toEqual([]);
  });

  check("two who write at once do so one after the other", async () => {
    const place = await databases[kind]();
    const [one, other] = [await open(kind, place), await open(kind, place)];
    await one.write((sql) => new ChangeSet(sql, DOER).insert(TASK));
    const raise = (ledger: SqlStore): Promise<void> =>
      ledger.write(async (sql) => {
        const row = await sql.get(`SELECT ${TASK_COLUMNS.join(", ")} FROM tasks WHERE id = ?`, TASK.id);
        const before = toTaskRecord(row ?? {});
        await new ChangeSet(sql, DOER).replace(before, { ...before, version: before.version + 1 });
      });
    await Promise.all(Array.from({ length: 40 }, (_, index) => raise(index % 2 === 0 ? one : other)));
    expect(await tasksOf(one)).toMatchObject([{ version: 41 }]);
  });

  check("whoever watches hears of what others write", async () => {
    const place = await databases[kind]();
    const [one, other] = [await open(kind, place), await open(kind, place)];
    const heard = new Promise<number>((resolve) => onTestFinished(other.watch(resolve)));
    await other.read(async () => undefined);
    await one.write((sql) => new ChangeSet(sql, DOER).insert(TASK));
    expect(await heard).toBe(1);
  });

  check("a child needs its parent, and a task does not wait for itself", async () => {
    const ledger = await open(kind, await databases[kind]());
    const orphan = { ...TASK, parent_id: "task_nobody" };
    await expect(ledger.write((sql) => new ChangeSet(sql, DOER).insert(orphan))).rejects.toThrow(/foreign key/i);
    await ledger.write((sql) => new ChangeSet(sql, DOER).insert(TASK));
    const itself = { task_id: TASK.id, blocked_by_id: TASK.id };
    await expect(ledger.write((sql) => new ChangeSet(sql, DOER).addBlocker(itself))).rejects.toThrow(/check/i);
  });
});
