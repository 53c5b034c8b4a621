import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { LogEntry } from "@toolwright/engine";
import type { TaskStore } from "@toolwright/engine/tasks";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { cancelledTask, completedTask, workingTask } from "../../../engine/test/tasks/records.js";
import { migrate, openDatabase } from "../../src/storage/sqlite.js";
import { createTaskStore, openTaskStore } from "../../src/storage/task-store.js";
import { createProcessFolder, type ProcessFolder } from "./processes.js";

let workplace: ProcessFolder;
beforeAll(async () => {
  workplace = await createProcessFolder();
});
afterAll(() => workplace.remove());

let files = 0;
function newFile(): string {
  files += 1;
  return path.join(workplace.folder, `files-${files}`, "tasks.db");
}

async function open(file: string, now?: () => number): Promise<TaskStore> {
  const store = await openTaskStore(file, now === undefined ? {} : { now });
  onTestFinished(() => store.close?.());
  return store;
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
const INTERRUPTED =
  "The process that ran the tool dig ended before the tool did. It may have done a part of its work: look before you call it again.";

describe("a process that is killed", () => {
  test("leaves its results to other processes", async () => {
    const file = newFile();
    const holder = await workplace.start("finish", file, "a");
    expect(holder.output).toBe("ready");
    await holder.kill("SIGKILL");
    const record = await (await open(file)).get("a");
    expect(record).toMatchObject({ status: "completed", result: { content: "gold", isError: false } });
  });

  test("leaves failed tasks with a reason, immediately", async () => {
    const file = newFile();
    const holder = await workplace.start("hold", file, "a");
    const store = await open(file);
    expect((await store.get("a"))?.status).toBe("working");
    await holder.kill("SIGKILL");
    expect(await store.get("a")).toMatchObject({ status: "failed", message: INTERRUPTED });
    expect(await store.update("a", completedTask)).toMatchObject({ isChanged: false, record: { status: "failed" } });
  });

  test("does not affect other processes", async () => {
    const file = newFile();
    const [first, second] = await Promise.all([workplace.start("hold", file, "a"), workplace.start("hold", file, "b")]);
    await first.kill("SIGKILL");
    const store = await open(file);
    const listed = await store.list(workingTask("any"), undefined, 9);
    expect(Object.fromEntries(listed.map(({ id, status }) => [id, status]))).toEqual({ a: "failed", b: "working" });
    await second.kill("SIGKILL");
  });
});

test("exited processes leave only their tasks", async () => {
  const file = newFile();
  const killed = await workplace.start("finish", file, "a");
  await killed.kill("SIGKILL");
  await (await openTaskStore(file)).close?.();
  const database = await openDatabase(file);
  onTestFinished(() => database.close());
  expect(database.prepare("SELECT id FROM holders").all()).toEqual([]);
  expect(database.prepare("SELECT id FROM tasks").all()).toEqual([{ id: "a" }]);
});

test("concurrent processes lose nothing and write nothing to stderr", async () => {
  const file = newFile();
  const names = ["p", "q", "r", "s"];
  const store = await open(file);
  await store.create(workingTask("shared", { principal: "all", pollMs: 0 }));
  const workers = await Promise.all(names.map((name) => workplace.start("work", file, name)));
  await Promise.all(workers.map((worker) => worker.ended));
  expect(workers.map(({ output, stderr }) => [output, stderr()])).toEqual(names.map(() => ["ready", ""]));
  for (const name of names) {
    const tasks = await store.list({ principal: name, session: undefined }, undefined, 100);
    expect(tasks.filter(({ id, result }) => result?.content === id)).toHaveLength(40);
  }
  expect(await store.get("shared")).toEqual(workingTask("shared", { principal: "all", pollMs: 160 }));
});

test("processes that create the file concurrently all succeed", async () => {
  const file = newFile();
  const started = await Promise.all(["a", "b", "c", "d"].map((name) => workplace.start("finish", file, name)));
  expect(started.map(({ output }) => output)).toEqual(["ready", "ready", "ready", "ready"]);
  await Promise.all(started.map((process) => process.kill("SIGKILL")));
});

describe("a durable task store", () => {
  test("that is closed ends its own tasks and no others", async () => {
    const file = newFile();
    const [mine, other] = [await open(file), await open(file)];
    await mine.create(workingTask("a", { status: "input_required", inputRequests: {} }));
    await mine.create(workingTask("b"));
    await mine.update("b", cancelledTask);
    await other.create(workingTask("c"));
    await mine.close?.();
    expect(await other.get("a")).toMatchObject({
      status: "failed",
      message:
        "The server was closed before the tool dig had ended. It may have done a part of its work: look before you call it again.",
    });
    expect(await other.get("a")).not.toHaveProperty("inputRequests");
    expect((await other.get("b"))?.status).toBe("cancelled");
    expect((await other.get("c"))?.status).toBe("working");
    expect(() => mine.get("a")).toThrow(`Cannot use the file ${file}: the task store was closed`);
  });

  test("treats a silent process as exited after its lease", async () => {
    const file = newFile();
    let time = 0;
    const silent = await open(file, () => 0);
    await silent.create(workingTask("a"));
    const store = await open(file, () => time);
    time = 30_000;
    expect((await store.get("a"))?.status).toBe("working");
    time = 30_001;
    expect(await store.get("a")).toMatchObject({ status: "failed", message: INTERRUPTED, updatedAt: 30_001 });
    expect((await silent.update("a", completedTask))?.isChanged).toBe(false);
  });

  test("that was treated as exited can create new tasks", async () => {
    const file = newFile();
    let time = 0;
    const silent = await open(file, () => time);
    await silent.create(workingTask("a"));
    const store = await open(file, () => time);
    for (time of [20_000, 40_000]) await store.get("a");
    expect((await store.get("a"))?.status).toBe("failed");
    await silent.create(workingTask("b"));
    expect((await store.get("b"))?.status).toBe("working");
  });

  test("renews the lease of its tasks", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const file = newFile();
    let time = 0;
    const [store, other] = [await open(file, () => time), await open(file, () => time)];
    await store.create(workingTask("a"));
    for (let beats = 0; beats < 10; beats += 1) {
      time += 10_000;
      vi.advanceTimersByTime(10_000);
    }
    expect((await other.get("a"))?.status).toBe("working");
  });

  test("logs errors of background work", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const database = await openDatabase(newFile());
    const entries: LogEntry[] = [];
    createTaskStore(database, { log: (entry) => entries.push(entry) });
    database.close();
    vi.advanceTimersByTime(10_000);
    expect(entries).toEqual([
      {
        level: "warning",
        message: "Cannot look after the stored tasks; trying again",
        error: expect.objectContaining({ name: "StorageError" }),
      },
    ]);
  });

  test("that was suspended itself waits for one lease before it treats others as exited", async () => {
    const file = newFile();
    let time = 0;
    const other = await open(file, () => 0);
    await other.create(workingTask("a"));
    const store = await open(file, () => time);
    for (time of [3_600_000, 3_615_000, 3_630_000]) expect((await store.get("a"))?.status).toBe("working");
    time = 3_630_001;
    expect((await store.get("a"))?.status).toBe("failed");
  });

  test("reports the changes of other processes, and not its own", async () => {
    const file = newFile();
    const [store, other] = [await open(file), await open(file)];
    await store.create(workingTask("a"));
    await store.create(workingTask("b"));
    const reported: string[] = [];
    const first = new Promise<void>((resolve) => {
      const stop = store.watch?.((id) => {
        reported.push(id);
        resolve();
      });
      onTestFinished(() => stop?.());
    });
    await store.update("a", (task) => ({ ...task, message: "mine" }));
    await other.update("b", cancelledTask);
    await first;
    expect(reported).toEqual(["b"]);
  });

  test("creates files and folders that only its user can read", async () => {
    const file = newFile();
    const store = await open(file);
    await store.create(workingTask("a"));
    expect([modeOf(path.dirname(file)), modeOf(file), modeOf(`${file}-wal`)]).toEqual(["700", "600", "600"]);
  });
});

describe("a file that cannot be used", () => {
  test("is not changed if it is damaged", async () => {
    const file = path.join(workplace.folder, "damaged.db");
    writeFileSync(file, "no database ".repeat(500));
    await expect(openTaskStore(file)).rejects.toMatchObject({
      code: "CORRUPT",
      message: `Cannot use the file ${file}: it is damaged, or no SQLite file. It was left as it is; move it away or restore a copy`,
    });
    expect(readFileSync(file, "utf8")).toBe("no database ".repeat(500));
  });

  test("is reported as locked", async () => {
    const file = newFile();
    const [holder, database] = [await openDatabase(file), await openDatabase(file, 20)];
    const store = createTaskStore(database);
    onTestFinished(() => store.close?.());
    holder.exec("BEGIN EXCLUSIVE");
    expect(() => store.create(workingTask("a"))).toThrow(expect.objectContaining({ code: "LOCKED" }));
    holder.exec("ROLLBACK");
    holder.close();
    await store.create(workingTask("a"));
    expect((await store.get("a"))?.status).toBe("working");
  });

  test("is retried while others open it", async () => {
    const file = newFile();
    const other = await openDatabase(file);
    other.exec("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
    setTimeout(() => {
      other.exec("ROLLBACK");
      other.close();
    }, 0);
    const store = await open(file);
    await store.create(workingTask("a"));
    expect((await store.get("a"))?.status).toBe("working");
  });

  test("keeps its content if the disk is full", async () => {
    const database = await openDatabase(newFile());
    const store = createTaskStore(database);
    onTestFinished(() => store.close?.());
    await store.create(workingTask("a"));
    await store.update("a", (task) => completedTask(task));
    await store.create(workingTask("b"));
    database.exec("PRAGMA max_page_count = 1");
    const finish = () => store.update("b", (task) => completedTask(task, "x".repeat(100_000)));
    expect(finish).toThrow(expect.objectContaining({ code: "FULL" }));
    expect((await store.get("a"))?.result?.content).toBe("gold");
    expect(await store.get("b")).toEqual(workingTask("b"));
    database.exec("PRAGMA max_page_count = 100000");
    expect(await finish()).toMatchObject({ isChanged: true });
  });

  test("is reported as read-only", async () => {
    const file = newFile();
    mkdirSync(path.dirname(file));
    writeFileSync(file, "");
    // The superuser may write everywhere, so another user has to try.
    const isRoot = process.getuid?.() === 0;
    chmodSync(workplace.folder, 0o755);
    chmodSync(path.dirname(file), 0o555);
    chmodSync(file, 0o444);
    onTestFinished(() => chmodSync(path.dirname(file), 0o755));
    const { output } = await workplace.start("finish", file, "a", isRoot ? 65_534 : undefined);
    expect(output).toBe(
      `READ_ONLY: Cannot use the file ${file}: it may not be written. Check the permissions of the file and of its folder`,
    );
  });

  test("is rejected if a newer version has created it", async () => {
    const file = newFile();
    await (await openTaskStore(file)).close?.();
    const database = await openDatabase(file);
    database.exec("INSERT INTO forms VALUES (99, '2099-01-01')");
    database.close();
    await expect(openTaskStore(file)).rejects.toMatchObject({
      code: "NEWER",
      message: `Cannot use the file ${file}: it has schema version 99, and this version supports up to 1. Update toolwright, or name another file`,
    });
  });
});

describe("migrate", () => {
  test("applies each step once, and rolls back a failing one", async () => {
    const database = await openDatabase(newFile());
    onTestFinished(() => database.close());
    const steps = ["CREATE TABLE t (a TEXT)", "ALTER TABLE t ADD COLUMN b TEXT"];
    migrate(database, steps.slice(0, 1));
    migrate(database, steps);
    migrate(database, steps);
    expect(() => migrate(database, [...steps, "DROP TABLE t; nonsense"])).toThrow("nonsense");
    database.exec("INSERT INTO t VALUES ('1', '2')");
    expect(database.prepare("SELECT form FROM forms").all()).toEqual([{ form: 1 }, { form: 2 }]);
  });
});
