import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { openDatabase, openSqliteStore } from "@toolwright/kit/storage";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { TODO_STORE } from "../../src/store/schema.js";
import { makeFolder, openBench } from "../kit.js";
import { noPostgres, startPostgres } from "../postgres.js";

describe("a database that cannot be used is reported, and the server continues", () => {
  test("a file that is not a database", async () => {
    const state = await makeFolder();
    await writeFile(path.join(state, "todo.db"), "this is no database at all, but some text that somebody wrote");
    const { fail, client } = await openBench({ state });
    const refused = await fail("list_tasks");
    expect(refused.code).toBe("UNAVAILABLE");
    expect(refused.text).toMatch(/^Cannot open the tasks in \S+todo\.db: it is damaged, or no SQLite file\./);
    expect(await readFile(path.join(state, "todo.db"), "utf8")).toContain("some text that somebody wrote");
    expect((await client.listTools()).length).toBeGreaterThan(13);
  });

  test("a damaged file", async () => {
    const bench = await openBench();
    for (let index = 0; index < 40; index++)
      await bench.call("create_task", { description: `${index} ${"text ".repeat(500)}` });
    const ledger = await openSqliteStore(bench.database, TODO_STORE);
    await ledger.read((sql) => sql.all("PRAGMA wal_checkpoint(TRUNCATE)")).catch(() => undefined);
    await ledger.close();
    await bench.todo.close();
    await bench.server.close();
    const bytes = await readFile(bench.database);
    bytes.fill(0x55, 4096, Math.floor(bytes.length / 2));
    await writeFile(bench.database, bytes);
    const after = await openBench({ state: bench.state });
    const refused = await after.fail("search_tasks", { query: "text" });
    expect(refused.code).toBe("UNAVAILABLE");
    expect(refused.text).toMatch(/^Cannot (open|read) the tasks in \S+todo\.db: it is damaged, or no SQLite file\./);
  });

  test("a path where no folder can be created", async () => {
    const state = await makeFolder();
    await writeFile(path.join(state, "file"), "");
    const { fail } = await openBench({ database: path.join(state, "file", "below", "todo.db") });
    const refused = await fail("create_task", { description: "x" });
    expect(refused).toMatchObject({ code: "UNAVAILABLE" });
    expect(refused.text).toContain("Cannot open the tasks in");
  });

  test("a folder, until it is removed", async () => {
    const state = await makeFolder();
    const database = path.join(state, "todo.db");
    await mkdir(database);
    const { fail, call } = await openBench({ state });
    expect((await fail("list_tasks")).code).toBe("UNAVAILABLE");
    await promisify(execFile)("rmdir", [database]);
    expect(await call("list_tasks")).toEqual({ tasks: [], total: 0 });
  });

  test("a database of a newer version", async () => {
    const state = await makeFolder();
    const ledger = await openSqliteStore(path.join(state, "todo.db"), TODO_STORE);
    await ledger.write((sql) => sql.run("INSERT INTO forms VALUES (99, 'later')"));
    await ledger.close();
    const { fail } = await openBench({ state });
    expect((await fail("list_tasks")).text).toContain("it has schema version 99, and this version supports up to 1");
  });

  test("a full disk keeps what was written, and reports what was not", async () => {
    const { call, fail, todo } = await openBench();
    await call("create_task", { description: "before" });
    const ledger = await todo.store();
    const { pages } = (await ledger.read((sql) => sql.get("SELECT page_count AS pages FROM pragma_page_count"))) ?? {};
    await ledger.read((sql) => sql.all(`PRAGMA max_page_count = ${Number(pages)}`));
    const { createTask } = await import("../../src/tasks/edit-tasks.js");
    const writing = createTask(todo, { description: "x".repeat(9000), context: "y".repeat(40_000) });
    await expect(writing).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await call("list_tasks")).toMatchObject({ tasks: [{ description: "before" }], total: 1 });
    expect((await fail("search_tasks", { query: "??" })).code).toBe("INVALID_ARGUMENT");
  });

  test.skipIf(noPostgres !== undefined)(
    "a server of PostgreSQL that goes away",
    async () => {
      const postgres = await startPostgres();
      const { fail, call } = await openBench({ database: await postgres.makeDatabase() });
      await call("create_task", { description: "x" });
      await postgres.stop();
      const refused = await fail("list_tasks");
      expect(refused.code).toBe("UNAVAILABLE");
      expect(refused.text).toContain("Cannot read the tasks in the PostgreSQL database of the settings: ");
    },
    60_000,
  );

  test.skipIf(noPostgres !== undefined)(
    "a server of PostgreSQL without a free slot: a write waits for one",
    async () => {
      const postgres = await startPostgres(undefined, 5);
      onTestFinished(() => postgres.stop());
      const database = await postgres.makeDatabase();
      const others = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const client = new pg.Client({ connectionString: database });
          await client.connect();
          return client;
        }),
      );
      const { call } = await openBench({ database });
      const writing = call("create_task", { description: "x" });
      const isEarly = await Promise.race([writing.then(() => true), wait(500, false)]);
      await Promise.all(others.map((client) => client.end()));
      expect(isEarly).toBe(false);
      expect(await writing).toMatchObject({ description: "x" });
    },
    60_000,
  );
});

test("the main file alone has everything after closing", async () => {
  const [state, copy] = [await makeFolder(), await makeFolder()];
  const ledger = await openSqliteStore(path.join(state, "todo.db"), TODO_STORE);
  await ledger.write((sql) => sql.run("INSERT INTO forms VALUES (7, 'kept')"));
  await ledger.close();
  await copyFile(path.join(state, "todo.db"), path.join(copy, "todo.db"));
  const database = await openDatabase(path.join(copy, "todo.db"));
  onTestFinished(() => database.close());
  expect(database.prepare("SELECT since FROM forms WHERE form = 7").get()).toMatchObject({ since: "kept" });
});
