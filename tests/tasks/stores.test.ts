import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { image, MemoryTaskStore, type TaskLimits, type TaskRecord, type TaskStore, text } from "@toolwright/engine";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openTaskStore } from "../../packages/toolwright/src/storage/task-store.js";
import { begun, cancelled, ended } from "./records.js";

const folder = mkdtempSync(path.join(tmpdir(), "stores-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
let time = 1000;
const now = () => time;

async function openDurable(limits: Partial<TaskLimits>): Promise<TaskStore> {
  files += 1;
  const store = await openTaskStore(path.join(folder, `${files}.db`), { limits, now });
  onTestFinished(() => store.close?.());
  return store;
}

const kinds: [name: string, open: (limits: Partial<TaskLimits>) => TaskStore | Promise<TaskStore>][] = [
  ["in memory", (limits) => new MemoryTaskStore(limits, now)],
  ["in SQLite", openDurable],
];

const ada = { principal: "ada", session: undefined };

describe.each(kinds)("a task store %s", (_name, openKind) => {
  async function open(limits: Partial<TaskLimits> = {}): Promise<TaskStore> {
    time = 1000;
    return openKind(limits);
  }
  const idsOf = async (store: TaskStore, owner: Parameters<TaskStore["list"]>[0] = ada) =>
    (await store.list(owner, undefined, 100)).map(({ id }) => id);

  test("finds a task as it was kept", async () => {
    const store = await open();
    const record = begun("a", {
      session: "s1",
      status: "input_required",
      message: "waits for a permit: ü \ud83d\ude00 \u0000",
      ttlMs: 60_000,
      questions: { permit: { method: "elicitation/create", params: { message: "May I?" } } },
      answers: { depth: { action: "accept", content: { metres: 1.5 } } },
    });
    await store.create(record);
    expect(await store.get("a")).toEqual(record);
    expect(await store.get("b")).toBeUndefined();
  });

  test("refuses a second task with the same id", async () => {
    const store = await open();
    await store.create(begun("a"));
    await expect(async () => store.create(begun("a", { tool: "other" }))).rejects.toThrow();
    expect((await store.get("a"))?.tool).toBe("dig");
  });

  test("changes a task, and says so", async () => {
    const store = await open();
    await store.create(begun("a"));
    const change = await store.change("a", (task) => ({ ...task, message: "half way", updatedAt: 2000 }));
    expect(change).toEqual({ record: begun("a", { message: "half way", updatedAt: 2000 }), isDone: true });
    expect(await store.get("a")).toEqual(begun("a", { message: "half way", updatedAt: 2000 }));
  });

  test("keeps results of every kind", async () => {
    const store = await open();
    const result = {
      content: [text("no gold"), image("aGk=", "image/png")],
      structured: '{"found":0}',
      isError: true,
      meta: { depth: 3 },
    };
    await store.create(begun("a"));
    await store.change("a", (task) => ({ ...task, status: "completed", result }));
    expect((await store.get("a"))?.result).toEqual(result);
  });

  test("leaves a final task as it is", async () => {
    const store = await open();
    await store.create(begun("a"));
    await store.change("a", cancelled);
    let wasAsked = false;
    const change = await store.change("a", (task) => {
      wasAsked = true;
      return ended(task);
    });
    expect(change).toEqual({ record: cancelled(begun("a")), isDone: false });
    expect(wasAsked).toBe(false);
    expect((await store.get("a"))?.status).toBe("cancelled");
  });

  test("says that nothing was done where nothing was to change", async () => {
    const store = await open();
    await store.create(begun("a"));
    expect(await store.change("a", (task) => task)).toEqual({ record: begun("a"), isDone: false });
  });

  test("leaves a task as it is whose change fails", async () => {
    const store = await open();
    await store.create(begun("a"));
    const failing = async () =>
      store.change("a", () => {
        throw new Error("no way");
      });
    await expect(failing).rejects.toThrow("no way");
    expect(await store.get("a")).toEqual(begun("a"));
    expect((await store.change("a", ended))?.isDone).toBe(true);
  });

  test("changes nothing where there is no such task", async () => {
    const store = await open();
    expect(await store.change("a", ended)).toBeUndefined();
  });

  test("forgets a task when its time is over, whatever it does", async () => {
    const store = await open();
    await store.create(begun("a", { ttlMs: 500 }));
    await store.create(begun("b", { ttlMs: null }));
    time = 1499;
    expect(await idsOf(store)).toEqual(["a", "b"]);
    time = 1500;
    expect(await store.get("a")).toBeUndefined();
    expect(await store.change("a", ended)).toBeUndefined();
    expect(await idsOf(store)).toEqual(["b"]);
  });

  test("lets a change give a task more time", async () => {
    const store = await open();
    await store.create(begun("a", { ttlMs: 500 }));
    await store.change("a", (task) => ({ ...task, ttlMs: 5000 }));
    time = 5000;
    expect((await store.get("a"))?.id).toBe("a");
    time = 6000;
    expect(await store.get("a")).toBeUndefined();
  });

  test("lists the tasks of one owner, oldest first", async () => {
    const store = await open();
    await store.create(begun("b", { createdAt: 3 }));
    await store.create(begun("c", { createdAt: 2 }));
    await store.create(begun("a", { createdAt: 3 }));
    await store.create(begun("d", { principal: "bob" }));
    await store.create(begun("e", { principal: undefined, session: "ada" }));
    await store.create(begun("f", { principal: undefined, session: "s1" }));
    expect(await idsOf(store)).toEqual(["c", "a", "b"]);
    expect(await idsOf(store, { principal: "ada", session: "elsewhere" })).toEqual(["c", "a", "b"]);
    expect(await idsOf(store, { principal: "bob", session: undefined })).toEqual(["d"]);
    expect(await idsOf(store, { principal: undefined, session: "ada" })).toEqual(["e"]);
    expect(await idsOf(store, { principal: undefined, session: undefined })).toEqual([]);
  });

  test("lists page by page, also when the task at the seam is gone", async () => {
    const store = await open();
    for (const id of ["a", "b", "c", "d"]) await store.create(begun(id, { ttlMs: id === "b" ? 10 : null }));
    const first = await store.list(ada, undefined, 2);
    expect(first.map(({ id }) => id)).toEqual(["a", "b"]);
    time = 1010;
    const second = await store.list(ada, first[1], 2);
    expect(second.map(({ id }) => id)).toEqual(["c", "d"]);
    expect(await store.list(ada, second[1], 2)).toEqual([]);
  });

  describe("that is full", () => {
    async function createEnded(store: TaskStore, id: string, more?: Partial<TaskRecord>): Promise<void> {
      await store.create(begun(id, more));
      await store.change(id, (task) => ended(task));
    }

    test("forgets the oldest final task", async () => {
      const store = await open({ tasks: 3 });
      await store.create(begun("a"));
      await createEnded(store, "b");
      await createEnded(store, "c");
      await store.create(begun("d"));
      expect(await idsOf(store)).toEqual(["a", "c", "d"]);
    });

    test("forgets those of the same owner first", async () => {
      const store = await open({ tasks: 3 });
      await createEnded(store, "bobs", { principal: "bob", createdAt: 500 });
      await createEnded(store, "a");
      await createEnded(store, "b");
      await store.create(begun("c"));
      await store.create(begun("d"));
      expect(await idsOf(store)).toEqual(["c", "d"]);
      expect((await store.get("bobs"))?.status).toBe("completed");
      await store.create(begun("e"));
      expect(await store.get("bobs")).toBeUndefined();
    });

    test("refuses a new task where none is final, and says what to do", async () => {
      const store = await open({ tasks: 1 });
      await store.create(begun("a"));
      await expect(async () => store.create(begun("b", { principal: "bob" }))).rejects.toMatchObject({
        name: "ToolError",
        code: "TASKS_FULL",
        details: { limit: "tasks", retryable: true },
        message:
          "The server keeps at most 1 tasks, and too few of them have ended to make room. Wait for one to end, or cancel one, and try again.",
      });
      expect(await store.get("b")).toBeUndefined();
      await store.change("a", cancelled);
      await store.create(begun("b"));
      expect(await idsOf(store)).toEqual(["b"]);
    });

    test("bounds each owner by itself", async () => {
      const store = await open({ tasksPerOwner: 1 });
      await createEnded(store, "bobs", { principal: "bob" });
      await store.create(begun("a"));
      await expect(async () => store.create(begun("b"))).rejects.toMatchObject({ details: { limit: "tasksPerOwner" } });
      expect((await store.get("bobs"))?.status).toBe("completed");
      await store.change("a", ended);
      await store.create(begun("b"));
      expect(await idsOf(store)).toEqual(["b"]);
    });

    test("bounds the bytes, and loses nothing for a result that cannot fit", async () => {
      const store = await open({ bytes: 2000 });
      await createEnded(store, "a");
      await createEnded(store, "b");
      await store.create(begun("c"));
      await expect(async () => store.change("c", (task) => ended(task, "x".repeat(2000)))).rejects.toMatchObject({
        code: "TASKS_FULL",
        details: { limit: "bytes" },
      });
      expect((await store.list(ada, undefined, 9)).map(({ status }) => status)).toEqual([
        "completed",
        "completed",
        "working",
      ]);
      await store.change("c", (task) => ended(task, "x".repeat(1700)));
      expect(await idsOf(store)).toEqual(["c"]);
    });

    test("always has room for the end of a task without a result", async () => {
      const store = await open({ bytes: 200 });
      await store.create(begun("a"));
      const message = "The result was too large to keep. ".repeat(10);
      const change = await store.change("a", (task) => ({ ...task, status: "failed", message }));
      expect(change?.isDone).toBe(true);
    });

    test("has room again when tasks expire", async () => {
      const store = await open({ tasks: 1 });
      await store.create(begun("a", { ttlMs: 10 }));
      time = 1010;
      await store.create(begun("b"));
      expect(await idsOf(store)).toEqual(["b"]);
    });
  });
});
