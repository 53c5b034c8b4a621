import { type LogEntry, MemoryTaskStore, type TaskRecord, type TaskStore, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Gate, settled } from "../features/wire.js";
import { beginTask, CORE, FOLLOWS, getTask, Job, refusal, taskServer, untilStatus } from "./bench.js";

afterEach(() => void vi.useRealTimers());

/** A store that takes its time, or fails, as the test says. */
class SlowStore implements TaskStore {
  readonly #inner = new MemoryTaskStore();
  readonly gate = new Gate<Error | undefined>();
  readonly ids: string[] = [];
  changesFail = false;

  async create(record: TaskRecord): Promise<void> {
    this.ids.push(record.id);
    const fault = await this.gate.opened;
    if (fault !== undefined) throw fault;
    this.#inner.create(record);
  }

  get(id: string): TaskRecord | undefined {
    return this.#inner.get(id);
  }

  change(...[id, to]: Parameters<TaskStore["change"]>): ReturnType<TaskStore["change"]> {
    if (this.changesFail) throw new Error("the disk is full");
    return this.#inner.change(id, to);
  }

  list(...[owner, after, most]: Parameters<TaskStore["list"]>): readonly TaskRecord[] {
    return this.#inner.list(owner, after, most);
  }
}

describe("a call that takes its time", () => {
  test("becomes a task after the configured time, whatever the tool says of itself", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "hrtime"] });
    const job = new Job("dig");
    const client = await connect(taskServer([job.tool], { promoteAfterMs: 10_000 }), { capabilities: FOLLOWS });
    const { answer } = client.start("tools/call", { name: "dig" });
    await vi.advanceTimersByTimeAsync(9999);
    expect(client.conversation).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answer)["result"]).toMatchObject({ resultType: "task", status: "working" });
  });

  test("that ends before stays a plain call, and leaves no task behind", async () => {
    const store = new SlowStore();
    const job = new Job("dig", true);
    const client = await connect(taskServer([job.tool], { graceMs: 1000, store }), { capabilities: FOLLOWS });
    const { answer } = client.start("tools/call", { name: "dig" });
    await settled();
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
    expect(store.ids).toEqual([]);
  });

  test("goes on after it became a task, beyond the time that a plain call has", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "hrtime"] });
    const job = new Job("dig");
    const server = taskServer([job.tool], { promoteAfterMs: 50 }, { limits: { callTimeoutMs: 100, callTotalMs: 200 } });
    const client = await connect(server, { capabilities: FOLLOWS });
    const { answer } = client.start("tools/call", { name: "dig" });
    await vi.advanceTimersByTimeAsync(5000);
    const { taskId } = (await answer)["result"] as { taskId: string };
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
    job.end("gold");
    await vi.advanceTimersByTimeAsync(1);
    expect(await getTask(client, taskId)).toMatchObject({ status: "completed" });
  });

  test("that has asked something is no task: the question is its answer", async () => {
    const asks = tool({
      name: "asks",
      description: "Asks, and does not wait.",
      long: true,
      run: async (_input, call) => {
        void call.ask("sure", "Sure?", { type: "object", properties: {} });
        await settled(30);
        return "done";
      },
    });
    const client = await connect(taskServer([asks]), { capabilities: FOLLOWS });
    expect(await client.request("tools/call", { name: "asks" })).toMatchObject({ resultType: "input_required" });
  });

  test("whose connection closed before it became a task is stopped, as any call", async () => {
    const store = new SlowStore();
    const job = new Job("dig", true);
    const server = taskServer([job.tool], { store });
    const client = await connect(server, { capabilities: FOLLOWS });
    client.start("tools/call", { name: "dig" });
    while (store.ids.length === 0) await settled();
    client.close();
    expect(job.calls[0]?.signal.aborted).toBe(true);
    store.gate.open(undefined);
    await settled();
    expect(store.get(store.ids[0] ?? "")).toMatchObject({ status: "cancelled" });
  });
});

describe("a store", () => {
  test("that is done at once, but not in the same step, ties the task neither to its request nor to the connection", async () => {
    const store = new SlowStore();
    store.gate.open(undefined);
    const job = new Job("dig", "task-only");
    const server = taskServer([job.tool], { store });
    const client = await connect(server, { capabilities: FOLLOWS });
    const { id: requestId, answer } = client.start("tools/call", { name: "dig" });
    const { taskId } = (await answer)["result"] as { taskId: string };
    await settled(20);
    client.notify("notifications/cancelled", { requestId });
    client.close();
    expect(job.calls[0]?.signal.aborted).toBe(false);
    expect(store.ids).toEqual([taskId]);
  });

  test("that takes its time holds up the handle, not the work [TSX-06]", async () => {
    const store = new SlowStore();
    const job = new Job("dig", true);
    const client = await connect(taskServer([job.tool], { store }), { capabilities: FOLLOWS });
    const { answer } = client.start("tools/call", { name: "dig" });
    while (store.ids.length === 0) await settled();
    expect(client.conversation).toHaveLength(1);
    store.gate.open(undefined);
    const { taskId } = (await answer)["result"] as { taskId: string };
    expect(taskId).toBe(store.ids[0]);
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
  });

  test("that is slower than the work leaves a plain answer, and a task that nobody waits for", async () => {
    const store = new SlowStore();
    const job = new Job("dig", true);
    const client = await connect(taskServer([job.tool], { store }), { capabilities: FOLLOWS });
    const { answer } = client.start("tools/call", { name: "dig" });
    while (store.ids.length === 0) await settled();
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
    store.gate.open(undefined);
    await settled();
    expect(await getTask(client, store.ids[0] ?? "")).toMatchObject({ status: "cancelled" });
  });

  test("that fails leaves a plain call, and the log says so", async () => {
    const entries: LogEntry[] = [];
    const store = new SlowStore();
    store.gate.open(new Error("the disk is gone"));
    const job = new Job("dig", true);
    const client = await connect(taskServer([job.tool], { store }, {}, entries), { capabilities: FOLLOWS });
    const { answer } = client.start("tools/call", { name: "dig" });
    while (entries.length === 0) await settled();
    expect(entries).toMatchObject([
      { level: "warning", message: '"dig" did not become a task, and goes on as a plain call', requestId: 1 },
    ]);
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
  });

  test("that fails makes a task-only tool fail in words, and never start", async () => {
    const store = new SlowStore();
    store.gate.open(new Error("the disk is gone"));
    const job = new Job("dig", "task-only");
    const server = taskServer([job.tool], { store });
    const client = await connect(server, { capabilities: FOLLOWS });
    expect(await client.request("tools/call", { name: "dig" })).toMatchObject({
      isError: true,
      structuredContent: { code: "TASKS_UNAVAILABLE", retryable: true },
    });
    const older = await connect(server, { revision: CORE });
    expect(await refusal(older.request("tools/call", { name: "dig", task: {} }))).toMatchObject({
      code: -32603,
      data: { code: "TASKS_UNAVAILABLE", retryable: true },
    });
    expect(job.calls).toEqual([]);
  });

  test("that cannot keep the result leaves a failed task that says so, where it can", async () => {
    const entries: LogEntry[] = [];
    const store = new MemoryTaskStore({ bytes: 2000 });
    const job = new Job("dig", "task-only");
    const client = await connect(taskServer([job.tool], { store }, {}, entries), { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "dig");
    job.end("x".repeat(5000));
    expect(await untilStatus(client, taskId, "failed")).toMatchObject({
      error: {
        code: -32603,
        message: "The tool has ended, but what came of it could not be kept; the server's log says why.",
      },
    });
    expect(entries).toMatchObject([{ level: "error", message: `task ${taskId} could not be changed in its store` }]);
  });

  test("that takes no changes any more costs the process nothing", async () => {
    const store = new SlowStore();
    store.gate.open(undefined);
    const job = new Job("dig", "task-only");
    const server = taskServer([job.tool], { store }, { limits: { tasksRunning: 1 } });
    const client = await connect(server, { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "dig");
    store.changesFail = true;
    job.end("gold");
    await settled();
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
    expect(await refusal(client.request("tasks/cancel", { taskId }))).toMatchObject({ code: -32603 });
    await beginTask(client, "dig");
  });
});

describe("where too many tasks run", () => {
  test("a long tool runs as a plain call, and a task-only tool says that one may try again [TSK-14]", async () => {
    const [first, job] = [new Job("first", "task-only"), new Job("dig", true)];
    const server = taskServer([first.tool, job.tool], {}, { limits: { tasksRunning: 1 } });
    const client = await connect(server, { capabilities: FOLLOWS });
    await beginTask(client, "first");
    const { answer } = client.start("tools/call", { name: "dig" });
    await settled(20);
    expect(await client.request("tools/call", { name: "first" })).toMatchObject({
      isError: true,
      structuredContent: { code: "BUSY", limit: "tasksRunning", retryable: true },
    });
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
  });
});

describe("a task in the hands of two processes", () => {
  test("is cancelled in the one that runs it when the other cancels it", async () => {
    const heard = new Set<(id: string) => void>();
    const store = Object.assign(new MemoryTaskStore(), {
      watch: (listener: (id: string) => void) => {
        heard.add(listener);
        return () => void heard.delete(listener);
      },
    });
    const job = new Job("dig", true);
    const server = taskServer([job.tool], { store });
    const client = await connect(server, { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "dig");
    store.change(taskId, (record) => ({ ...record, status: "cancelled" }));
    for (const listener of heard) listener(taskId);
    await settled();
    expect(job.calls[0]?.signal.aborted).toBe(true);
    await server.close();
    expect(heard.size).toBe(0);
  });
});

describe("wrong definitions fail at start:", () => {
  test.each([
    [{ tasks: "yes" }, "Cannot create the server: tasks must be true or an object"],
    [
      { tasks: { ttl: 1 } },
      "Cannot create the server with these tasks: ttl is unknown; known are promoteAfterMs, ttlMs, mostTtlMs, pollMs, graceMs",
    ],
    [{ tasks: { ttlMs: 0 } }, "Cannot create the server: tasks.ttlMs must be a positive number"],
    [{ tasks: { store: {} } }, "Cannot create the server: tasks.store is no store of tasks"],
  ])("%j", (options, message) => {
    expect(() => taskServer([], {}, options as never)).toThrow(new TypeError(message));
  });

  test("a task-only tool on a server without tasks", () => {
    expect(() => taskServer([new Job("dig", "task-only").tool], {}, { tasks: false })).toThrow(
      'Cannot register tool "dig": long: "task-only" needs a server that is created with tasks: true',
    );
    expect(() => new Job("dig", "never" as never)).toThrow(
      'Cannot define tool "dig": long must be true or "task-only"',
    );
  });
});
