import { type JsonObject, RpcError, type Server, ToolError, tool } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { settled } from "../features/wire.js";
import {
  beginTask,
  CORE,
  EXTENSION,
  getTask,
  Job,
  rejection,
  TASK_CLIENT,
  TIME,
  taskServer,
  untilStatus,
} from "./task-server.js";

const open = (server: Server, more: Parameters<typeof connectTestClient>[1] = {}): Promise<TestClient> =>
  connectTestClient(server, { capabilities: TASK_CLIENT, ...more });

const SERVER = { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1.0.0" } };

const quick = tool({ name: "quick", description: "Ends at once.", run: () => "done" });

const only = tool({ name: "only", description: "Ends at once.", taskSupport: "required", run: () => "done" });

describe("the extension", () => {
  test("is advertised if the server has tasks, and the older capability never is [TSX-01 CAP-04 CAP-06]", async () => {
    const client = await open(taskServer([quick]));
    const { capabilities } = (await client.request("server/discover")) as { capabilities: JsonObject };
    expect(capabilities["extensions"]).toEqual({ [EXTENSION]: {} });
    expect(capabilities).not.toHaveProperty("tasks");
    const without = await open(taskServer([quick], {}, { tasks: false }));
    expect(JSON.stringify(await without.request("server/discover"))).not.toContain("tasks");
    expect(await rejection(getTask(without, "x"))).toMatchObject({ code: -32601 });
  });

  test("must be declared with the call, otherwise no call becomes a task [TSX-02 CAP-05]", async () => {
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool]), { capabilities: { tasks: {}, extensions: {} } });
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    await settled(20);
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ resultType: "complete", content: [{ text: "gold" }] });
  });

  test("a task-only tool needs it [TSX-04 CAP-05]", async () => {
    const client = await connectTestClient(taskServer([only]));
    expect(await rejection(client.request("tools/call", { name: "only" }))).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
    });
  });

  test("is required for each tasks request, before anything else is validated [TSX-09]", async () => {
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool]);
    const taskId = await beginTask(await open(server), "dig");
    const client = await connectTestClient(server);
    const required = { code: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } };
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      for (const params of [{ taskId }, { taskId: "gate-test" }, {}] as JsonObject[])
        expect(await rejection(client.request(method, params))).toMatchObject(required);
    }
  });

  test("has no tasks/result and no tasks/list [TSX-16]", async () => {
    const client = await open(taskServer([only]));
    const taskId = await beginTask(client, "only");
    for (const method of ["tasks/result", "tasks/list"])
      expect(await rejection(client.request(method, { taskId }))).toMatchObject({ code: -32601 });
  });
});

describe("a call", () => {
  test("becomes a task if the server decides so; params.task is ignored [TSX-03]", async () => {
    const client = await open(taskServer([quick, only]));
    expect(await client.request("tools/call", { name: "quick", task: { ttl: 1 } })).toMatchObject({
      resultType: "complete",
      content: [{ text: "done" }],
    });
    expect(await client.request("tools/call", { name: "only" })).toMatchObject({ resultType: "task" });
  });

  test("that is a task has its members in the result, and can be found immediately [TSX-05 TSX-06]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool], { ttlMs: 60_000 }));
    const created = await client.request("tools/call", { name: "dig" });
    const members = {
      taskId: expect.stringMatching(/^[\w-]{22}$/),
      status: "working",
      createdAt: TIME,
      lastUpdatedAt: TIME,
      ttlMs: 60_000,
      pollIntervalMs: 100,
      _meta: SERVER,
    };
    expect(created).toEqual({ resultType: "task", ...members });
    expect(await getTask(client, created["taskId"] as string)).toEqual({ ...created, resultType: "complete" });
  });

  test("only tool calls become tasks [TSX-03]", async () => {
    const server = taskServer(
      [quick],
      { promoteAfterMs: 1 },
      {
        prompts: [{ name: "slow", description: "Slow.", run: () => settled(30).then(() => "words") }],
      },
    );
    const client = await open(server);
    expect(await client.request("prompts/get", { name: "slow" })).toMatchObject({ resultType: "complete" });
  });
});

describe("tasks/get", () => {
  test("has the result inline, encoded like that of the call, without a related task [TSX-07]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const taskId = await beginTask(client, "dig");
    job.end({ gold: 3 });
    expect(await untilStatus(client, taskId, "completed")).toEqual({
      resultType: "complete",
      taskId,
      status: "completed",
      createdAt: TIME,
      lastUpdatedAt: TIME,
      ttlMs: 3_600_000,
      pollIntervalMs: 100,
      result: {
        resultType: "complete",
        content: [{ type: "text", text: '{"gold":3}' }],
        isError: false,
        structuredContent: { gold: 3 },
      },
      _meta: SERVER,
    });
  });

  test("is completed after a tool error [TSX-10]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const taskId = await beginTask(client, "dig");
    job.fail(new ToolError("Nothing but sand."));
    const task = await untilStatus(client, taskId, "completed");
    expect(task).toMatchObject({ result: { isError: true, content: [{ text: "Nothing but sand." }] } });
    expect(task).not.toHaveProperty("error");
  });

  test("has a JSON-RPC error inline, and the task is failed [TSX-07 TSX-10]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const taskId = await beginTask(client, "dig");
    job.fail(new RpcError(-32077, "The shaft is flooded", { depth: 12 }));
    const task = await untilStatus(client, taskId, "failed");
    expect(task).toMatchObject({
      statusMessage: "The shaft is flooded",
      error: { code: -32077, message: "The shaft is flooded", data: { depth: 12 } },
    });
    expect(task).not.toHaveProperty("result");
  });

  test("of an unknown task is -32602, and so are update and cancel [TSX-08]", async () => {
    const client = await open(taskServer([quick]));
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const params = { taskId: "none", inputResponses: {} };
      expect(await rejection(client.request(method, params))).toMatchObject({ code: -32602 });
      expect(await rejection(client.request(method, { inputResponses: {} }))).toMatchObject({ code: -32602 });
    }
  });

  test("of a task of another principal is the same [TSX-17]", async () => {
    const server = taskServer([only]);
    const [ada, bob] = await Promise.all([open(server, { principal: "ada" }), open(server, { principal: "bob" })]);
    const taskId = await beginTask(ada, "only");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const params = { taskId, inputResponses: {} };
      expect(await rejection(bob.request(method, params))).toMatchObject({ code: -32602 });
      expect(await ada.request(method, params)).toMatchObject({ resultType: "complete" });
    }
  });
});

describe("tasks/cancel", () => {
  test("stops the tool and has an empty result, also for a final task [TSX-12]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool, only]));
    const taskId = await beginTask(client, "dig");
    const yes = { resultType: "complete", _meta: SERVER };
    expect(await client.request("tasks/cancel", { taskId })).toEqual(yes);
    expect(job.calls[0]?.signal.aborted).toBe(true);
    const task = await getTask(client, taskId);
    expect(task).toMatchObject({ status: "cancelled" });
    expect(task).not.toHaveProperty("error");
    expect(await client.request("tasks/cancel", { taskId })).toEqual(yes);
    const ended = await beginTask(client, "only");
    await untilStatus(client, ended, "completed");
    expect(await client.request("tasks/cancel", { taskId: ended })).toEqual(yes);
    expect(await getTask(client, ended)).toMatchObject({ status: "completed" });
  });

  test("is needed: cancelling a request that was answered with a task has no effect", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool]));
    const { id: requestId, response: answer } = client.startRequest("tools/call", { name: "dig" });
    const { taskId } = (await answer)["result"] as { taskId: string };
    client.notify("notifications/cancelled", { requestId });
    expect(job.calls[0]?.signal.aborted).toBe(false);
    expect(await getTask(client, taskId)).toMatchObject({ status: "working" });
  });
});

describe("a task sends", () => {
  test("no progress and no log messages, and has no request state [TSX-14]", async () => {
    const job = new Job("dig", "optional");
    const client = await open(taskServer([job.tool], {}, { limits: { heartbeatMs: 5 } }), { logLevel: "debug" });
    const taskId = await beginTask(client, "dig", { _meta: { progressToken: "p" } });
    job.calls[0]?.progress(1);
    job.calls[0]?.log("error", "sand");
    await settled(20);
    job.end("gold");
    await untilStatus(client, taskId, "completed");
    expect(
      client.conversation
        .filter(({ message }) => "method" in (message as JsonObject))
        .every(({ from }) => from === "client"),
    ).toBe(true);
    expect(JSON.stringify(client.conversation)).not.toContain("requestState");
  });
});

describe("the two protocols", () => {
  test("a task of a handshake client can be read and cancelled by a stateless one [TSX-19]", async () => {
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool]);
    const older = await connectTestClient(server, { revision: CORE, principal: "ada", capabilities: TASK_CLIENT });
    expect((await older.request("tools/call", { name: "dig", task: {} }))["task"]).toMatchObject({ status: "working" });
    const { tasks } = (await older.request("tasks/list")) as { tasks: { taskId: string }[] };
    const taskId = tasks[0]?.taskId ?? "";
    const newer = await open(server, { principal: "ada", capabilities: { tasks: {} } });
    expect(await getTask(newer, taskId)).toMatchObject({ resultType: "complete", status: "working", ttlMs: 3_600_000 });
    expect(await rejection(getTask(newer, "none"))).toMatchObject({ code: -32021 });
    expect(await rejection(newer.request("tasks/update", { taskId, inputResponses: {} }))).toMatchObject({
      code: -32021,
    });
    expect(await newer.request("tasks/cancel", { taskId })).toMatchObject({ resultType: "complete" });
    expect(await getTask(older, taskId)).toMatchObject({ status: "cancelled", ttl: 3_600_000 });
  });

  test("the extension has no effect for a handshake client [TSX-19]", async () => {
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool], { promoteAfterMs: 1 }), {
      revision: CORE,
      capabilities: TASK_CLIENT,
    });
    const { response: answer } = client.startRequest("tools/call", { name: "dig" });
    await settled(20);
    job.end("gold");
    expect((await answer)["result"]).toMatchObject({ content: [{ text: "gold" }] });
  });

  test("a result is encoded for the revision of the client that reads it [TSX-19]", async () => {
    const job = new Job("dig", "optional");
    const server = taskServer([job.tool]);
    const newer = await open(server, { principal: "ada" });
    const taskId = await beginTask(newer, "dig");
    job.end([1, 2]);
    await untilStatus(newer, taskId, "completed");
    const older = await connectTestClient(server, { revision: CORE, principal: "ada" });
    const result = await older.request("tasks/result", { taskId });
    expect(result).toMatchObject({ content: [{ type: "text", text: "[1,2]" }] });
    expect(result).not.toHaveProperty("structuredContent");
    expect(result).not.toHaveProperty("resultType");
  });
});
