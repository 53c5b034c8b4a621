import { type LogEntry, tool } from "@toolwright/engine";
import { MemoryTaskStore, type TaskRecord, type TaskStore } from "@toolwright/engine/tasks";
import { connectTestClient } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Deferred, settled, Wire } from "../features/wire.js";
import { beginTask, CORE, getTask, Job, rejection, TASK_CLIENT, taskServer, untilStatus } from "./task-server.js";

afterEach(() => void vi.useRealTimers());

/** A store that is slow or fails, as the test says. */
class SlowStore implements TaskStore {
  readonly #inner = new MemoryTaskStore();
  readonly gate = new Deferred<Error | undefined>();
  readonly ids: string[] = [];
  changesFail = false;

  async create(record: TaskRecord): Promise<void> {
    this.ids.push(record.id);
    const fault = await this.gate.promise;
    if (fault !== undefined) throw fault;
    this.#inner.create(record);
  }

  get(id: string): TaskRecord | undefined {
    return this.#inner.get(id);
  }

  update(...[id, to]: Parameters<TaskStore["update"]>): ReturnType<TaskStore["update"]> {
    if (this.changesFail) throw new Error("the disk is full");
    return this.#inner.update(id, to);
  }

  list(...[owner, after, most]: Parameters<TaskStore["list"]>): readonly TaskRecord[] {
    return this.#inner.list(owner, after, most);
  }
}

describe("a long call", () => {
  test("becomes a task after the configured time, whatever its taskSupport is", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "hrtime"] });
    const job = new Job("dig");
    const client = await connectTestClient(taskServer([job.tool], { promoteAfterMs: 10_000 }), {
      capabilities: TASK_CLIENT,
    });
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    await vi.advanceTimersByTimeAsync(9999);
    expect(client.conversation).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answer)["result"]).toMatchObject({ resultType: "task", status: "working" });
  });

  test("that ends before is an ordinary call, and leaves no task", async () => {
    const store = new SlowStore();
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool], { graceMs: 1000, store }), {
      capabilities: TASK_CLIENT,
    });
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    await settled();
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
    expect(store.ids).toEqual([]);
  });

  test("continues as a task beyond the timeout of an ordinary call", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "hrtime"] });
    const job = new Job("dig");
    const server = taskServer([job.tool], { promoteAfterMs: 50 }, { limits: { callTimeoutMs: 100, callTotalMs: 200 } });
    const client = await connectTestClient(server, { capabilities: TASK_CLIENT });
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    await vi.advanceTimersByTimeAsync(5000);
    const { taskId } = (await answer)["result"] as { taskId: string };
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
    job.end("gold");
    await vi.advanceTimersByTimeAsync(1);
    expect(await getTask(client, taskId)).toMatchObject({ status: "completed" });
  });

  test("with an input request does not become a task", async () => {
    const elicits = tool({
      name: "elicits",
      description: "Asks, and does not wait.",
      taskSupport: "optional",
      run: async (_input, call) => {
        void call.elicit("sure", "Sure?", { type: "object", properties: {} });
        await settled(30);
        return "done";
      },
    });
    const client = await connectTestClient(taskServer([elicits]), { capabilities: TASK_CLIENT });
    expect(await client.request("tools/call", { name: "elicits" })).toMatchObject({ resultType: "input_required" });
  });

  test("is stopped if its connection closes before it became a task", async () => {
    const store = new SlowStore();
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool], { store });
    const client = await connectTestClient(server, { capabilities: TASK_CLIENT });
    client.startRequest("tools/call", { name: "dig" });
    while (store.ids.length === 0) await settled();
    client.close();
    expect(job.calls[0]?.signal.aborted).toBe(true);
    store.gate.resolve(undefined);
    await settled();
    expect(store.get(store.ids[0] ?? "")).toMatchObject({ status: "cancelled" });
  });
});

describe("a store", () => {
  test("that resolves in a microtask detaches the task from its request and its connection", async () => {
    const store = new SlowStore();
    store.gate.resolve(undefined);
    const job = new Job("dig", "required");
    const server = taskServer([job.tool], { store });
    const client = await connectTestClient(server, { capabilities: TASK_CLIENT });
    const { id: requestId, response: answer } = client.startRequest("tools/call", { name: "dig" });
    const { taskId } = (await answer)["result"] as { taskId: string };
    await settled(20);
    client.notify("notifications/cancelled", { requestId });
    client.close();
    expect(job.calls[0]?.signal.aborted).toBe(false);
    expect(store.ids).toEqual([taskId]);
  });

  test("that is slow delays the response, not the tool [TSX-06]", async () => {
    const store = new SlowStore();
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool], { store }), { capabilities: TASK_CLIENT });
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    while (store.ids.length === 0) await settled();
    expect(client.conversation).toHaveLength(1);
    store.gate.resolve(undefined);
    const { taskId } = (await answer)["result"] as { taskId: string };
    expect(taskId).toBe(store.ids[0]);
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
  });

  test("that is slower than the tool leaves an ordinary response, and a discarded task", async () => {
    const store = new SlowStore();
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool], { store }), { capabilities: TASK_CLIENT });
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    while (store.ids.length === 0) await settled();
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
    store.gate.resolve(undefined);
    await settled();
    expect(await getTask(client, store.ids[0] ?? "")).toMatchObject({ status: "cancelled" });
  });

  test("that fails leaves an ordinary call, and is logged", async () => {
    const entries: LogEntry[] = [];
    const store = new SlowStore();
    store.gate.resolve(new Error("the disk is gone"));
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool], { store }, {}, entries), {
      capabilities: TASK_CLIENT,
    });
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    while (entries.length === 0) await settled();
    expect(entries).toMatchObject([
      { level: "warning", message: '"dig" did not become a task and continues as an ordinary call', requestId: 1 },
    ]);
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
  });

  test("that fails makes a task-only tool fail before it starts", async () => {
    const store = new SlowStore();
    store.gate.resolve(new Error("the disk is gone"));
    const job = new Job("dig", "required");
    const server = taskServer([job.tool], { store });
    const client = await connectTestClient(server, { capabilities: TASK_CLIENT });
    expect(await client.request("tools/call", { name: "dig" })).toMatchObject({
      isError: true,
      structuredContent: { code: "TASKS_UNAVAILABLE", retryable: true },
    });
    const older = await connectTestClient(server, { revision: CORE });
    expect(await rejection(older.request("tools/call", { name: "dig", task: {} }))).toMatchObject({
      code: -32603,
      data: { code: "TASKS_UNAVAILABLE", retryable: true },
    });
    expect(job.calls).toEqual([]);
  });

  test("that cannot store the result marks the task as failed if possible", async () => {
    const entries: LogEntry[] = [];
    const store = new MemoryTaskStore({ bytes: 2000 });
    const job = new Job("dig", "required");
    const client = await connectTestClient(taskServer([job.tool], { store }, {}, entries), {
      capabilities: TASK_CLIENT,
    });
    const taskId = await beginTask(client, "dig");
    job.end("x".repeat(5000));
    expect(await untilStatus(client, taskId, "failed")).toMatchObject({
      error: {
        code: -32603,
        message: "The tool has ended, but its result could not be stored; the server's log says why.",
      },
    });
    expect(entries).toMatchObject([{ level: "error", message: `task ${taskId} could not be changed in its store` }]);
  });

  test("that cannot be changed for a while stores the result later, and a client that waits for it gets it", async () => {
    const store = new SlowStore();
    store.gate.resolve(undefined);
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool], { store }), { revision: CORE });
    const { task } = (await client.request("tools/call", { name: "dig", task: {} })) as { task: { taskId: string } };
    const waiting = client.request("tasks/result", { taskId: task.taskId });
    store.changesFail = true;
    job.end("gold");
    await settled();
    expect(await getTask(client, task.taskId)).toMatchObject({ status: "working" });
    store.changesFail = false;
    expect(await waiting).toMatchObject({ content: [{ text: "gold" }] });
  });

  test("that rejects updates does not leak running tasks", async () => {
    const store = new SlowStore();
    store.gate.resolve(undefined);
    const job = new Job("dig", "required");
    const server = taskServer([job.tool], { store }, { limits: { tasksRunning: 1 } });
    const client = await connectTestClient(server, { capabilities: TASK_CLIENT });
    const taskId = await beginTask(client, "dig");
    store.changesFail = true;
    job.end("gold");
    await settled();
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
    expect(await rejection(client.request("tasks/cancel", { taskId }))).toMatchObject({ code: -32603 });
    await beginTask(client, "dig");
  });
});

test("a task whose response exceeds the message limit is not created and does not count as running", async () => {
  const store = new SlowStore();
  store.gate.resolve(undefined);
  const server = taskServer(
    [new Job("dig", "required").tool],
    { store },
    { limits: { tasksRunning: 1, messageBytes: 1000 } },
  );
  await server.start();
  const wire = new Wire(server, CORE);
  wire.initialize();
  wire.send({ method: "notifications/initialized" });
  wire.send({ id: "x".repeat(850), method: "tools/call", params: { name: "dig", task: {} } });
  await settled();
  expect(wire.received.at(-1)).toMatchObject({ error: { data: { code: "TASKS_UNAVAILABLE" } } });
  expect(store.ids).toEqual([]);
  wire.send({ id: "y", method: "tools/call", params: { name: "dig", task: {} } });
  await settled();
  expect(wire.received.at(-1)).toMatchObject({ result: { task: { status: "working" } } });
});

describe("at the limit of running tasks", () => {
  test("a long tool runs as an ordinary call, and a task-only tool fails with a retryable error [TSK-14]", async () => {
    const [first, job] = [new Job("first", "required"), new Job("dig", "optional")];
    const server = taskServer([first.tool, job.tool], {}, { limits: { tasksRunning: 1 } });
    const client = await connectTestClient(server, { capabilities: TASK_CLIENT });
    await beginTask(client, "first");
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    await settled(20);
    expect(await client.request("tools/call", { name: "first" })).toMatchObject({
      isError: true,
      structuredContent: { code: "BUSY", limit: "tasksRunning", retryable: true },
    });
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
  });
});

describe("a task that two processes know", () => {
  test("is stopped in the one that runs it when the other cancels it", async () => {
    const listeners = new Set<(id: string) => void>();
    const store = Object.assign(new MemoryTaskStore(), {
      watch: (listener: (id: string) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    });
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool], { store });
    const client = await connectTestClient(server, { capabilities: TASK_CLIENT });
    const taskId = await beginTask(client, "dig");
    store.update(taskId, (record) => ({ ...record, status: "cancelled" }));
    for (const listener of listeners) listener(taskId);
    await settled();
    expect(job.calls[0]?.signal.aborted).toBe(true);
    await server.close();
    expect(listeners.size).toBe(0);
  });
});

describe("invalid definitions fail:", () => {
  test.each([
    [{ tasks: "yes" }, "Cannot create the server: tasks must be an object"],
    [
      { tasks: { ttl: 1 } },
      "Cannot create the server: unknown option tasks.ttl; expected one of promoteAfterMs, ttlMs, maxTtlMs, pollMs, graceMs, store",
    ],
    [{ tasks: { ttlMs: 0 } }, "Cannot create the server: tasks.ttlMs must be a positive number"],
    [{ tasks: { store: {} } }, "Cannot create the server: tasks.store must be a task store"],
  ])("%j", (options, message) => {
    expect(() => taskServer([], {}, options as never)).toThrow(new TypeError(message));
  });

  test("a task-only tool on a server without tasks", () => {
    expect(() => taskServer([new Job("dig", "required").tool], {}, { tasks: false })).toThrow(
      'Cannot register tool "dig": taskSupport: "required" needs a server with tasks: true',
    );
    expect(() => new Job("dig", "never" as never)).toThrow(
      'Cannot define tool "dig": taskSupport must be "optional" or "required"',
    );
  });
});
