import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { image, text } from "@toolwright/engine";
import { MemoryTaskStore, type TaskLimits, type TaskRecord, type TaskStore } from "@toolwright/engine/tasks";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { cancelledTask, completedTask, workingTask } from "../../../engine/test/tasks/records.js";
import { openTaskStore } from "../../src/storage/task-store.js";

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

  test("returns a task as it was stored", async () => {
    const store = await open();
    const record = workingTask("a", {
      session: "s1",
      status: "input_required",
      message: "waits for a permit: ü \ud83d\ude00 \u0000",
      ttlMs: 60_000,
      inputRequests: { permit: { method: "elicitation/create", params: { message: "May I?" } } },
      inputResponses: { depth: { action: "accept", content: { metres: 1.5 } } },
    });
    await store.create(record);
    expect(await store.get("a")).toEqual(record);
    expect(await store.get("b")).toBeUndefined();
  });

  test("rejects a second task with the same id", async () => {
    const store = await open();
    await store.create(workingTask("a"));
    await expect(async () => store.create(workingTask("a", { tool: "other" }))).rejects.toThrow();
    expect((await store.get("a"))?.tool).toBe("dig");
  });

  test("updates a task, and reports it", async () => {
    const store = await open();
    await store.create(workingTask("a"));
    const change = await store.update("a", (task) => ({ ...task, message: "half way", updatedAt: 2000 }));
    expect(change).toEqual({ record: workingTask("a", { message: "half way", updatedAt: 2000 }), isChanged: true });
    expect(await store.get("a")).toEqual(workingTask("a", { message: "half way", updatedAt: 2000 }));
  });

  test("stores results of every kind", async () => {
    const store = await open();
    const result = {
      content: [text("no gold"), image("aGk=", "image/png")],
      structured: '{"found":0}',
      isError: true,
      meta: { depth: 3 },
    };
    await store.create(workingTask("a"));
    await store.update("a", (task) => ({ ...task, status: "completed", result }));
    expect((await store.get("a"))?.result).toEqual(result);
  });

  test("does not change a final task", async () => {
    const store = await open();
    await store.create(workingTask("a"));
    await store.update("a", cancelledTask);
    let wasAsked = false;
    const change = await store.update("a", (task) => {
      wasAsked = true;
      return completedTask(task);
    });
    expect(change).toEqual({ record: cancelledTask(workingTask("a")), isChanged: false });
    expect(wasAsked).toBe(false);
    expect((await store.get("a"))?.status).toBe("cancelled");
  });

  test("reports an update that changes nothing", async () => {
    const store = await open();
    await store.create(workingTask("a"));
    expect(await store.update("a", (task) => task)).toEqual({ record: workingTask("a"), isChanged: false });
  });

  test("does not change a task if the transform throws", async () => {
    const store = await open();
    await store.create(workingTask("a"));
    const failing = async () =>
      store.update("a", () => {
        throw new Error("no way");
      });
    await expect(failing).rejects.toThrow("no way");
    expect(await store.get("a")).toEqual(workingTask("a"));
    expect((await store.update("a", completedTask))?.isChanged).toBe(true);
  });

  test("returns undefined if there is no such task", async () => {
    const store = await open();
    expect(await store.update("a", completedTask)).toBeUndefined();
  });

  test("removes an expired task, whatever its status is", async () => {
    const store = await open();
    await store.create(workingTask("a", { ttlMs: 500 }));
    await store.create(workingTask("b", { ttlMs: null }));
    time = 1499;
    expect(await idsOf(store)).toEqual(["a", "b"]);
    time = 1500;
    expect(await store.get("a")).toBeUndefined();
    expect(await store.update("a", completedTask)).toBeUndefined();
    expect(await idsOf(store)).toEqual(["b"]);
  });

  test("allows an update to extend the TTL", async () => {
    const store = await open();
    await store.create(workingTask("a", { ttlMs: 500 }));
    await store.update("a", (task) => ({ ...task, ttlMs: 5000 }));
    time = 5000;
    expect((await store.get("a"))?.id).toBe("a");
    time = 6000;
    expect(await store.get("a")).toBeUndefined();
  });

  test("lists the tasks of one owner, oldest first", async () => {
    const store = await open();
    await store.create(workingTask("b", { createdAt: 3 }));
    await store.create(workingTask("c", { createdAt: 2 }));
    await store.create(workingTask("a", { createdAt: 3 }));
    await store.create(workingTask("d", { principal: "bob" }));
    await store.create(workingTask("e", { principal: undefined, session: "ada" }));
    await store.create(workingTask("f", { principal: undefined, session: "s1" }));
    expect(await idsOf(store)).toEqual(["c", "a", "b"]);
    expect(await idsOf(store, { principal: "ada", session: "elsewhere" })).toEqual(["c", "a", "b"]);
    expect(await idsOf(store, { principal: "bob", session: undefined })).toEqual(["d"]);
    expect(await idsOf(store, { principal: undefined, session: "ada" })).toEqual(["e"]);
    expect(await idsOf(store, { principal: undefined, session: undefined })).toEqual([]);
  });

  test("lists page by page, also if the last task of a page is gone", async () => {
    const store = await open();
    for (const id of ["a", "b", "c", "d"]) await store.create(workingTask(id, { ttlMs: id === "b" ? 10 : null }));
    const first = await store.list(ada, undefined, 2);
    expect(first.map(({ id }) => id)).toEqual(["a", "b"]);
    time = 1010;
    const second = await store.list(ada, first[1], 2);
    expect(second.map(({ id }) => id)).toEqual(["c", "d"]);
    expect(await store.list(ada, second[1], 2)).toEqual([]);
  });

  describe("that is full", () => {
    async function createEnded(store: TaskStore, id: string, more?: Partial<TaskRecord>): Promise<void> {
      await store.create(workingTask(id, more));
      await store.update(id, (task) => completedTask(task));
    }

    test("evicts the oldest final task", async () => {
      const store = await open({ tasks: 3 });
      await store.create(workingTask("a"));
      await createEnded(store, "b");
      await createEnded(store, "c");
      await store.create(workingTask("d"));
      expect(await idsOf(store)).toEqual(["a", "c", "d"]);
    });

    test("evicts those of the same owner first", async () => {
      const store = await open({ tasks: 3 });
      await createEnded(store, "bobs", { principal: "bob", createdAt: 500 });
      await createEnded(store, "a");
      await createEnded(store, "b");
      await store.create(workingTask("c"));
      await store.create(workingTask("d"));
      expect(await idsOf(store)).toEqual(["c", "d"]);
      expect((await store.get("bobs"))?.status).toBe("completed");
      await store.create(workingTask("e"));
      expect(await store.get("bobs")).toBeUndefined();
    });

    test("rejects a new task if none is final, with a suggestion", async () => {
      const store = await open({ tasks: 1 });
      await store.create(workingTask("a"));
      await expect(async () => store.create(workingTask("b", { principal: "bob" }))).rejects.toMatchObject({
        name: "ToolError",
        code: "TASKS_FULL",
        details: { limit: "tasks", retryable: true },
        message:
          "The server keeps at most 1 tasks, and too few of them have ended to make room. Wait for one to end, or cancel one, and try again.",
      });
      expect(await store.get("b")).toBeUndefined();
      await store.update("a", cancelledTask);
      await store.create(workingTask("b"));
      expect(await idsOf(store)).toEqual(["b"]);
    });

    test("limits each owner separately", async () => {
      const store = await open({ tasksPerOwner: 1 });
      await createEnded(store, "bobs", { principal: "bob" });
      await store.create(workingTask("a"));
      await expect(async () => store.create(workingTask("b"))).rejects.toMatchObject({
        details: { limit: "tasksPerOwner" },
      });
      expect((await store.get("bobs"))?.status).toBe("completed");
      await store.update("a", completedTask);
      await store.create(workingTask("b"));
      expect(await idsOf(store)).toEqual(["b"]);
    });

    test("limits the bytes, and evicts nothing for a result that cannot fit", async () => {
      const store = await open({ bytes: 2000 });
      await createEnded(store, "a");
      await createEnded(store, "b");
      await store.create(workingTask("c"));
      await expect(async () =>
        store.update("c", (task) => completedTask(task, "x".repeat(2000))),
      ).rejects.toMatchObject({
        code: "TASKS_FULL",
        details: { limit: "bytes" },
      });
      expect((await store.list(ada, undefined, 9)).map(({ status }) => status)).toEqual([
        "completed",
        "completed",
        "working",
      ]);
      await store.update("c", (task) => completedTask(task, "x".repeat(1700)));
      expect(await idsOf(store)).toEqual(["c"]);
    });

    test("always accepts the end of a task without a result", async () => {
      const store = await open({ bytes: 200 });
      await store.create(workingTask("a"));
      const message = "The result was too large to keep. ".repeat(10);
      const change = await store.update("a", (task) => ({ ...task, status: "failed", message }));
      expect(change?.isChanged).toBe(true);
    });

    test("has space again when tasks expire", async () => {
      const store = await open({ tasks: 1 });
      await store.create(workingTask("a", { ttlMs: 10 }));
      time = 1010;
      await store.create(workingTask("b"));
      expect(await idsOf(store)).toEqual(["b"]);
    });
  });
});
