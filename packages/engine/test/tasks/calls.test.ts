import { type JsonObject, tool } from "@toolwright/engine";
import { MemoryTaskStore } from "@toolwright/engine/tasks";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { settled } from "../features/wire.js";
import { expectLegal } from "../support/every-revision.js";
import { beginTask, CORE, getTask, Job, RELATED, rejection, taskServer, untilStatus } from "./task-server.js";

const clients: TestClient[] = [];

async function open(...[server, options]: Parameters<typeof connectTestClient>): Promise<TestClient> {
  const client = await connectTestClient(server, { revision: CORE, ...options });
  clients.push(client);
  return client;
}

afterEach(() => {
  vi.useRealTimers();
  for (const client of clients.splice(0)) {
    client.close();
    expectLegal(client);
  }
});

const quick = tool({ name: "quick", description: "Ends at once.", taskSupport: "optional", run: () => "done" });

const idsIn = ({ tasks }: JsonObject): unknown[] => (tasks as JsonObject[]).map(({ taskId }) => taskId);

describe("the owner of a task", () => {
  test("ids are random, and only the principal of the owner can use one [TSK-13]", async () => {
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool]);
    const [ada, bob, anonymous] = await Promise.all([
      open(server, { principal: "ada" }),
      open(server, { principal: "bob" }),
      open(server),
    ]);
    const ids = await Promise.all(Array.from({ length: 20 }, () => beginTask(ada, "dig")));
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(20);
    const [taskId = ""] = ids;
    const unknown = await rejection(getTask(ada, "x".repeat(22)));
    for (const other of [bob, anonymous]) {
      for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
        const { code, message } = await rejection(other.request(method, { taskId }));
        expect([code, message.replace(taskId, "x".repeat(22))]).toEqual([unknown.code, unknown.message]);
      }
    }
    const elsewhere = await open(server, { principal: "ada" });
    expect(await elsewhere.request("tasks/cancel", { taskId })).toMatchObject({ status: "cancelled" });
  });

  test("tasks/list has pages with the tasks of the caller only [TSK-10]", async () => {
    const server = taskServer([quick], {}, { limits: { pageSize: 2 } });
    const [ada, bob] = await Promise.all([open(server, { principal: "ada" }), open(server, { principal: "bob" })]);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await beginTask(ada, "quick"));
    await beginTask(bob, "quick");
    const seen: unknown[] = [];
    let cursor: JsonObject = {};
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await ada.request("tasks/list", cursor);
      seen.push(...idsIn(page));
      expect("nextCursor" in page).toBe(pages < 2);
      cursor = { cursor: page["nextCursor"] ?? "" };
    }
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen).toHaveLength(5);
    for (const wrong of ["", "nonsense", 7])
      expect(await rejection(ada.request("tasks/list", { cursor: wrong }))).toMatchObject({ code: -32602 });
  });

  test("without principals tasks/list has the tasks of the session [TSK-10]", async () => {
    const server = taskServer([quick]);
    const [one, two] = await Promise.all([open(server), open(server)]);
    const id = await beginTask(one, "quick");
    expect(idsIn(await one.request("tasks/list"))).toEqual([id]);
    expect(await two.request("tasks/list")).toEqual({ tasks: [] });
  });
});

describe("limits", () => {
  test("the requested TTL is capped [TSK-14]", async () => {
    const client = await open(taskServer([quick], { ttlMs: 5000, maxTtlMs: 9000 }));
    const ttlFor = async (task: JsonObject) =>
      ((await client.request("tools/call", { name: "quick", task })) as { task: { ttl: number } }).task.ttl;
    expect(await ttlFor({})).toBe(5000);
    expect(await ttlFor({ ttl: 7000 })).toBe(7000);
    expect(await ttlFor({ ttl: 10 ** 9 })).toBe(9000);
  });

  test("an expired task is stopped and removed, also for waiting requests [TSK-14 TSK-06]", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool], { ttlMs: 1000 }));
    const taskId = await beginTask(client, "dig");
    const waiting = rejection(client.request("tasks/result", { taskId }));
    await vi.advanceTimersByTimeAsync(999);
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toMatchObject({ code: -32602 });
    expect(await rejection(getTask(client, taskId))).toMatchObject({ code: -32602 });
    expect(job.calls[0]?.signal.aborted).toBe(true);
    expect(await client.request("tasks/list")).toEqual({ tasks: [] });
  });

  test("more than tasksRunning concurrent tasks are rejected with a retryable error [TSK-14]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool], {}, { limits: { tasksRunning: 2 } }));
    const [first] = [await beginTask(client, "dig"), await beginTask(client, "dig")];
    expect(await rejection(beginTask(client, "dig") as never)).toEqual({
      code: -32603,
      message: "The server is busy: 2 tasks are running. Try again when one has ended.",
      data: { code: "BUSY", limit: "tasksRunning", retryable: true },
    });
    await client.request("tasks/cancel", { taskId: first });
    await beginTask(client, "dig");
  });

  test("a client without a running task may exceed tasksRunning, so that another one cannot hold them all", async () => {
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool], {}, { limits: { tasksRunning: 2 } });
    const hog = await open(server, { principal: "hog" });
    for (const _task of [1, 2]) await beginTask(hog, "dig");
    const other = await open(server, { principal: "other" });
    await beginTask(other, "dig");
    for (const client of [hog, other])
      expect(await rejection(beginTask(client, "dig") as never)).toMatchObject({ data: { limit: "tasksRunning" } });
  });

  test("a client that waits for many results does not keep another one from waiting for its own", async () => {
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool], {}, { limits: { callsInFlight: 2 } });
    const [hog, other] = [await open(server, { principal: "hog" }), await open(server, { principal: "other" })];
    const [hogTask, otherTask] = [await beginTask(hog, "dig"), await beginTask(other, "dig")];
    const waiting = [1, 2].map(() => hog.request("tasks/result", { taskId: hogTask }));
    const own = other.request("tasks/result", { taskId: otherTask });
    expect(await rejection(hog.request("tasks/result", { taskId: hogTask }))).toMatchObject({
      data: { limit: "callsInFlight" },
    });
    job.end("gold");
    for (const result of await Promise.all([...waiting, own]))
      expect(result["content"]).toMatchObject([{ text: "gold" }]);
  });

  test("a full store rejects a task with its own message [TSK-14]", async () => {
    const job = new Job("dig", "optional");
    const store = new MemoryTaskStore({ tasksPerOwner: 1 });
    const client = await open(taskServer([job.tool], { store }));
    await beginTask(client, "dig");
    expect(await rejection(beginTask(client, "dig") as never)).toMatchObject({
      code: -32603,
      data: { code: "TASKS_FULL", limit: "tasksPerOwner", retryable: true },
    });
  });

  test("a result over the message limit becomes an error", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool], {}, { limits: { messageBytes: 8192 } }));
    const taskId = await beginTask(client, "dig");
    job.end("x".repeat(8000));
    await untilStatus(client, taskId, "failed");
    expect(await client.request("tasks/result", { taskId })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Ask for less at once.") }],
    });
  });

  test("a task is stopped after taskTotalMs", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "hrtime"] });
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool], {}, { limits: { callTimeoutMs: 100, taskTotalMs: 60_000 } }));
    const taskId = await beginTask(client, "dig");
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
    await vi.advanceTimersByTimeAsync(2000);
    expect(await getTask(client, taskId)).toMatchObject({ status: "failed" });
    expect(job.calls[0]?.signal.aborted).toBe(true);
  });
});

describe("notifications of a task", () => {
  test("progress keeps its token until the end, and progress and log messages are related to the task [PROG-05 TSK-08]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    await client.request("logging/setLevel", { level: "info" });
    const taskId = await beginTask(client, "dig", { _meta: { progressToken: "p" } });
    job.calls[0]?.progress(1, "deeper", 3);
    job.calls[0]?.log("info", "sand");
    const _meta = { [RELATED]: { taskId } };
    expect(client.received("notifications/progress").map(({ params }) => params)).toEqual([
      { progressToken: "p", progress: 1, total: 3, message: "deeper", _meta },
    ]);
    expect(client.received("notifications/message").map(({ params }) => params)).toEqual([
      { level: "info", data: "sand", _meta },
    ]);
    job.end("gold");
    await untilStatus(client, taskId, "completed");
    job.calls[0]?.progress(2);
    expect(client.received("notifications/progress")).toHaveLength(1);
    for (const { params } of client.received("notifications/tasks/status"))
      expect(JSON.stringify(params)).not.toContain(RELATED);
  });

  test("the server never requests tasks of the client [TSK-15]", async () => {
    const elicits = tool({
      name: "elicits",
      description: "Asks.",
      taskSupport: "optional",
      run: async (_input, call) => (await call.elicit("sure", "Sure?", { type: "object" })) ?? "no",
    });
    const capabilities = { elicitation: {}, tasks: { requests: { elicitation: { create: {} } } } };
    const client = await open(taskServer([elicits]), { capabilities, responses: { sure: {} } });
    const taskId = await beginTask(client, "elicits");
    await untilStatus(client, taskId, "completed");
    expect(client.received("elicitation/create").map(({ params }) => "task" in (params as JsonObject))).toEqual([
      false,
    ]);
  });
});

describe("the closing of", () => {
  test("a connection does not end tasks", async () => {
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool]);
    const first = await open(server, { principal: "ada" });
    const taskId = await beginTask(first, "dig");
    first.close();
    expect(job.calls[0]?.signal.aborted).toBe(false);
    const second = await open(server, { principal: "ada" });
    job.end("gold");
    expect(await second.request("tasks/result", { taskId })).toMatchObject({ content: [{ text: "gold" }] });
  });

  test("the server stops its tasks with a reason", async () => {
    const job = new Job("dig", "optional");
    const store = new MemoryTaskStore();
    const server = taskServer([job.tool], { store });
    const client = await open(server);
    const taskId = await beginTask(client, "dig");
    const waiting = rejection(client.request("tasks/result", { taskId }));
    await server.close();
    expect(job.calls[0]?.signal.aborted).toBe(true);
    const message = "The server was stopped before the task had ended. It may have done part of its work.";
    expect(store.get(taskId)).toMatchObject({ status: "failed", message });
    expect(await waiting).toMatchObject({ code: -32603, message });
    job.end("too late");
    await settled();
    expect(store.get(taskId)).toMatchObject({ status: "failed" });
  });

  test("the server closes its store, and a failure is reported", async () => {
    const store = Object.assign(new MemoryTaskStore(), {
      close: () => Promise.reject(new Error("the disk is gone")),
    });
    const server = taskServer([quick], { store });
    await server.start();
    await expect(server.close()).rejects.toThrow("Cannot close the task store: the disk is gone");
  });
});
