import { type JsonObject, RpcError, ToolError, tool } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test } from "vitest";
import { settled } from "../features/wire.js";
import { ALL, expectLegal } from "../support/every-revision.js";
import { beginTask, CORE, getTask, Job, RELATED, rejection, TIME, taskServer, untilStatus } from "./task-server.js";

const clients: TestClient[] = [];

async function open(...[server, options]: Parameters<typeof connectTestClient>): Promise<TestClient> {
  const client = await connectTestClient(server, { revision: CORE, ...options });
  clients.push(client);
  return client;
}

afterEach(() => {
  for (const client of clients.splice(0)) {
    client.close();
    expectLegal(client);
  }
});

const plain = tool({ name: "plain", description: "Ends at once.", run: () => "done" });

const quick = tool({ name: "quick", description: "Ends at once.", taskSupport: "optional", run: () => "done" });

describe("the handshake", () => {
  test("declares tasks if the server has them, and nothing otherwise [TSK-01 CAP-06]", async () => {
    const capabilitiesOf = async (tasks: boolean) => {
      const client = await open(taskServer([plain], {}, { tasks }));
      const [, answer] = client.conversation.map(({ message }) => message as { result?: JsonObject });
      return answer?.result?.["capabilities"];
    };
    expect(await capabilitiesOf(true)).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
    expect(await capabilitiesOf(false)).not.toHaveProperty("tasks");
  });

  test("older revisions have no tasks [TSK-01]", async () => {
    for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18"]) {
      const client = await open(taskServer([quick]), { revision });
      expect(JSON.stringify(client.conversation)).not.toContain("tasks");
      expect(await rejection(client.request("tasks/get", { taskId: "x" }))).toMatchObject({ code: -32601 });
      expect(await client.request("tools/call", { name: "quick", task: {} })).toMatchObject({ isError: false });
    }
  });

  test("taskSupport is listed in this revision only, and only with tasks [TOOL-07]", async () => {
    const only = tool({ ...quick, name: "only", taskSupport: "required" });
    for (const revision of ALL) {
      const client = await connectTestClient(taskServer([plain, quick, only]), { revision });
      const listed = (await client.listTools()).map(({ execution }) => execution);
      const here = [undefined, { taskSupport: "optional" }, { taskSupport: "required" }];
      expect(listed).toEqual(revision === CORE ? here : [undefined, undefined, undefined]);
      expectLegal(client);
    }
    const client = await open(taskServer([quick], {}, { tasks: false }));
    expect((await client.listTools())[0]).not.toHaveProperty("execution");
  });
});

describe("which calls become tasks", () => {
  test('params.task is rejected without taskSupport, optional with it, and required by "required" [TSK-02]', async () => {
    const only = tool({ ...quick, name: "only", taskSupport: "required" });
    const client = await open(taskServer([plain, quick, only]));
    const call = (name: string, more: JsonObject = {}) => client.request("tools/call", { name, ...more });
    expect(await rejection(call("plain", { task: {} }))).toMatchObject({ code: -32601 });
    expect(await rejection(call("only"))).toMatchObject({ code: -32601 });
    expect(await call("plain")).toMatchObject({ content: [{ text: "done" }] });
    expect(await call("quick")).toMatchObject({ content: [{ text: "done" }] });
    expect(await call("only", { task: {} })).toHaveProperty("task.taskId");
  });

  test("without the capability params.task is ignored [TSK-02]", async () => {
    const client = await open(taskServer([plain], {}, { tasks: false }));
    expect(await client.request("tools/call", { name: "plain", task: { ttl: 5 } })).toMatchObject({ isError: false });
    expect(await rejection(client.request("tasks/list"))).toMatchObject({ code: -32601 });
  });

  test("an invalid params.task is rejected", async () => {
    const client = await open(taskServer([quick]));
    for (const task of [1, "yes", { ttl: -1 }, { ttl: "1" }] as never[]) {
      expect(await rejection(client.request("tools/call", { name: "quick", task }))).toMatchObject({ code: -32602 });
    }
  });

  test("in older revisions a tool that runs only as a task is an error", async () => {
    const only = tool({ ...quick, name: "only", taskSupport: "required" });
    const client = await open(taskServer([only]), { revision: "2025-06-18" });
    expect(await client.request("tools/call", { name: "only" })).toMatchObject({
      isError: true,
      content: [
        { text: '"only" runs only as a task, and this client does not support tasks. Use a client that does.' },
      ],
    });
  });
});

describe("a task", () => {
  test("is returned immediately, without a result [TSK-03 TSK-04]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const result = await client.request("tools/call", { name: "dig", task: { ttl: 60_000 } });
    expect(result).toEqual({
      task: {
        taskId: expect.stringMatching(/^[\w-]{22}$/),
        status: "working",
        createdAt: TIME,
        lastUpdatedAt: TIME,
        ttl: 60_000,
        pollInterval: 100,
      },
    });
    job.end("gold");
  });

  test("is working, then completed, and the client is notified [TSK-05 TSK-06 TSK-08]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const id = await beginTask(client, "dig");
    const first = await getTask(client, id);
    expect(first).toMatchObject({ taskId: id, status: "working" });
    job.end("gold");
    const last = await untilStatus(client, id, "completed");
    expect(last).toEqual({ ...first, status: "completed", lastUpdatedAt: TIME });
    expect(client.received("notifications/tasks/status").map(({ params }) => params)).toEqual([last]);
    expect(await rejection(client.request("tasks/cancel", { taskId: id }))).toMatchObject({ code: -32602 });
    expect(await getTask(client, id)).toEqual(last);
  });

  test("that is unknown gets -32602 [TSK-06]", async () => {
    const client = await open(taskServer([quick]));
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
      expect(await rejection(client.request(method, { taskId: "none" }))).toMatchObject({ code: -32602 });
      expect(await rejection(client.request(method, {}))).toMatchObject({ code: -32602 });
    }
  });

  test("with a tool error is failed, and has the result [TSK-11]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const id = await beginTask(client, "dig");
    job.fail(new ToolError("Nothing but sand."));
    expect(await untilStatus(client, id, "failed")).toMatchObject({ statusMessage: "Nothing but sand." });
    expect(await client.request("tasks/result", { taskId: id })).toMatchObject({
      isError: true,
      content: [{ text: "Nothing but sand." }],
    });
  });

  test("with invalid arguments is failed [TSK-03 TSK-11]", async () => {
    const strict = tool({ ...quick, name: "strict", input: { type: "object", required: ["a"] } });
    const client = await open(taskServer([strict]));
    const id = await beginTask(client, "strict");
    await untilStatus(client, id, "failed");
    expect(await client.request("tasks/result", { taskId: id })).toMatchObject({ isError: true });
  });
});

describe("tasks/result", () => {
  test("waits for the end, then returns the result of the call [TSK-07 TSK-08]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const id = await beginTask(client, "dig");
    const waiting = client.request("tasks/result", {
      taskId: id,
      _meta: { [RELATED]: { taskId: "another" } },
    });
    await settled();
    expect(client.conversation.at(-1)?.from).toBe("client");
    job.end({ gold: 3 });
    expect(await waiting).toEqual({
      content: [{ type: "text", text: '{"gold":3}' }],
      structuredContent: { gold: 3 },
      isError: false,
      _meta: { [RELATED]: { taskId: id } },
    });
    for (const { result } of [await client.startRequest("tasks/get", { taskId: id }).response])
      expect(JSON.stringify(result)).not.toContain(RELATED);
  });

  test("returns the same JSON-RPC error [TSK-07]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const id = await beginTask(client, "dig");
    job.fail(new RpcError(-32077, "The shaft is flooded", { depth: 12 }));
    expect(await rejection(client.request("tasks/result", { taskId: id }))).toEqual({
      code: -32077,
      message: "The shaft is flooded",
      data: { depth: 12 },
    });
    expect(await getTask(client, id)).toMatchObject({ status: "failed", statusMessage: "The shaft is flooded" });
  });

  test("that is cancelled while it waits gets no response and frees its place", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool], {}, { limits: { callsInFlight: 1 } }));
    const id = await beginTask(client, "dig");
    for (let round = 0; round < 3; round += 1) {
      const { id: requestId } = client.startRequest("tasks/result", { taskId: id });
      await settled();
      client.notify("notifications/cancelled", { requestId });
    }
    await settled();
    const waiting = client.startRequest("tasks/result", { taskId: id });
    await settled();
    expect(await rejection(client.request("tasks/result", { taskId: id }))).toMatchObject({
      code: -32600,
      data: { limit: "callsInFlight" },
    });
    job.end("gold");
    expect(await waiting.response).toMatchObject({ result: { content: [{ text: "gold" }] } });
    expect(client.conversation.filter(({ message }) => "result" in (message as JsonObject))).toHaveLength(3);
  });
});

describe("tasks/cancel", () => {
  test("stops the tool, and the task is cancelled before the response [TSK-09 CANC-07]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const { id: requestId, response: answer } = client.startRequest("tools/call", { name: "dig", task: {} });
    const { taskId } = ((await answer)["result"] as { task: { taskId: string } }).task;
    await settled();
    client.notify("notifications/cancelled", { requestId });
    client.notify("notifications/cancelled", {});
    expect(job.calls[0]?.signal.aborted).toBe(false);
    expect(await client.request("tasks/cancel", { taskId })).toMatchObject({ taskId, status: "cancelled" });
    expect(job.calls[0]?.signal.aborted).toBe(true);
    job.end("too late");
    await settled();
    expect(await getTask(client, taskId)).toMatchObject({ status: "cancelled" });
    expect(await rejection(client.request("tasks/cancel", { taskId }))).toEqual({
      code: -32602,
      message: "Cannot cancel the task: it is cancelled already",
      data: undefined,
    });
    expect(await rejection(client.request("tasks/result", { taskId }))).toMatchObject({ code: -32603 });
  });

  test("and the end of the tool may race: one of them wins [TSK-05 TSK-09]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const taskId = await beginTask(client, "dig");
    job.end("gold");
    const replies = await Promise.all([1, 2].map(() => client.startRequest("tasks/cancel", { taskId }).response));
    const { status } = await getTask(client, taskId);
    const won = replies.filter(({ result }) => result !== undefined);
    expect(won.length).toBe(status === "cancelled" ? 1 : 0);
    expect(replies.filter(({ error }) => (error as JsonObject | undefined)?.["code"] === -32602)).toHaveLength(
      2 - won.length,
    );
  });
});
