import { type Call, type JsonObject, type Server, type Tool, tool } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { settled, Wire } from "../features/wire.js";
import { beginTask, CORE, getTask, RELATED, TASK_CLIENT, taskServer, untilStatus } from "./task-server.js";

afterEach(() => void vi.useRealTimers());

const form = { type: "object", properties: { name: { type: "string", minLength: 3 } }, required: ["name"] } as const;

/** A tool that is always a task, and requests input. */
const asking = (run: (call: Call) => Promise<string>): Tool =>
  tool({ name: "asking", description: "Asks.", taskSupport: "required", run: (_input, call) => run(call) });

const askName = async (call: Call, name = "who"): Promise<string> => {
  const answer = await call.elicit(name, `Name for ${name}?`, form);
  return answer === undefined ? "nobody" : answer.name;
};

const accept = (name: string): JsonObject => ({ action: "accept", content: { name } });

const open = (server: Server): Promise<TestClient> => connectTestClient(server, { capabilities: TASK_CLIENT });

const update = (client: TestClient, taskId: string, inputResponses: JsonObject): Promise<JsonObject> =>
  client.request("tasks/update", { taskId, inputResponses });

const keysOf = (task: JsonObject): string[] => Object.keys(task["inputRequests"] as JsonObject);

/** A task of a handshake client, and its input request. */
async function startElicitation() {
  const server = taskServer([asking(askName)]);
  await server.start();
  const wire = new Wire(server, CORE);
  wire.initialize();
  wire.send({ id: 1, method: "tools/call", params: { name: "asking", task: {} } });
  const { result } = (await wire.waitFor({ id: 1, method: undefined as never })) as { result: { task: JsonObject } };
  const { taskId = "" } = result.task;
  return { wire, taskId, inputRequest: await wire.waitFor({ method: "elicitation/create" }) };
}

describe("a task of a handshake client with input requests", () => {
  test("cancels its input request when it is cancelled, with a related message [TSK-08]", async () => {
    const { wire, taskId, inputRequest } = await startElicitation();
    wire.send({ id: 2, method: "tasks/cancel", params: { taskId } });
    const taken = await wire.waitFor({ method: "notifications/cancelled" });
    expect(taken["params"]).toEqual({
      requestId: inputRequest["id"],
      reason: "the call is over",
      _meta: { [RELATED]: { taskId } },
    });
  });

  test("is input_required while its request is pending, and then working again [TSK-12 TSK-08]", async () => {
    const { wire, taskId, inputRequest } = await startElicitation();
    expect(inputRequest["params"]).toMatchObject({ message: "Name for who?", _meta: { [RELATED]: { taskId } } });
    await settled();
    wire.send({ id: 2, method: "tasks/get", params: { taskId } });
    expect(await wire.waitFor({ id: 2 })).toMatchObject({ result: { status: "input_required" } });
    wire.send({ id: inputRequest["id"] as number, result: accept("Ada") });
    wire.send({ id: 3, method: "tasks/result", params: { taskId } });
    expect(await wire.waitFor({ id: 3 })).toMatchObject({ result: { content: [{ text: "Ada" }] } });
    const statuses = wire.received.filter(({ method }) => method === "notifications/tasks/status");
    expect(statuses.map(({ params }) => (params as JsonObject)["status"])).toEqual([
      "input_required",
      "working",
      "completed",
    ]);
    wire.expectLegal();
  });

  test("fails with a reason if the client disconnects before it responds [TSK-12]", async () => {
    const server = taskServer([asking(askName)]);
    const first = await connectTestClient(server, {
      revision: CORE,
      principal: "ada",
      responses: () => expect.fail("asked"),
    });
    first.request("tools/call", { name: "asking", task: {} }).catch(() => undefined);
    await settled();
    const { tasks } = (await first.request("tasks/list")) as { tasks: { taskId: string }[] };
    first.close();
    const second = await connectTestClient(server, { revision: CORE, principal: "ada" });
    const result = await second.request("tasks/result", { taskId: tasks[0]?.taskId ?? "" });
    expect(result).toMatchObject({ isError: true });
  });
});

describe("a task of a stateless client with input requests", () => {
  test("shows all pending requests, accepts responses one by one, and continues [TSX-07 TSX-11]", async () => {
    const server = taskServer([
      asking(async (call) => (await Promise.all([askName(call, "one"), askName(call, "two")])).join(" and ")),
    ]);
    const client = await open(server);
    const taskId = await beginTask(client, "asking");
    const task = await untilStatus(client, taskId, "input_required");
    const put = (message: string) => ({
      method: "elicitation/create",
      params: { message, requestedSchema: form },
    });
    expect(task["inputRequests"]).toEqual({ one: put("Name for one?"), two: put("Name for two?") });
    const acknowledged = await update(client, taskId, { two: accept("Bob"), three: accept("Eve"), four: null });
    expect(Object.keys(acknowledged)).toEqual(["resultType", "_meta"]);
    expect(acknowledged["resultType"]).toBe("complete");
    const next = await getTask(client, taskId);
    expect([next["status"], keysOf(next)]).toEqual(["input_required", ["one"]]);
    await update(client, taskId, { two: accept("Mallory"), one: accept("Ada") });
    const last = await untilStatus(client, taskId, "completed");
    expect(last).toMatchObject({ result: { content: [{ text: "Ada and Bob" }] } });
    expect(await update(client, taskId, { one: accept("Eve") })).toMatchObject({ resultType: "complete" });
  });

  test("repeats a request under a new key after an invalid response, and never reuses a key [TSX-11]", async () => {
    const client = await open(
      taskServer([asking(async (call) => `${await askName(call)} ${await askName(call, "who-2")}`)]),
    );
    const taskId = await beginTask(client, "asking");
    await untilStatus(client, taskId, "input_required");
    const seen: string[] = [];
    for (const answer of [accept("x"), 7, accept("Ada"), accept("Bob")] as JsonObject[]) {
      const task = await untilStatus(client, taskId, "input_required");
      const [key = ""] = keysOf(task);
      seen.push(key);
      await update(client, taskId, {
        ...Object.fromEntries(seen.slice(0, -1).map((old) => [old, accept("Old")])),
        [key]: answer,
      });
    }
    expect(seen).toEqual(["who", "who-2", "who-3", "who-2-2"]);
    expect(await untilStatus(client, taskId, "completed")).toMatchObject({
      result: { content: [{ text: "Ada Bob" }] },
    });
  });

  test("receives a declined response like any other call", async () => {
    const client = await open(taskServer([asking(askName)]));
    const taskId = await beginTask(client, "asking");
    await untilStatus(client, taskId, "input_required");
    await update(client, taskId, { who: { action: "decline" } });
    expect(await untilStatus(client, taskId, "completed")).toMatchObject({ result: { content: [{ text: "nobody" }] } });
  });

  test("inputResponses must be an object", async () => {
    const client = await open(taskServer([asking(askName)]));
    const taskId = await beginTask(client, "asking");
    for (const wrong of [undefined, null, "x", []]) {
      const { response: answer } = client.startRequest("tasks/update", { taskId, inputResponses: wrong as never });
      expect((await answer)["error"]).toMatchObject({ code: -32602 });
    }
  });

  test("has no requests after it was cancelled, and ignores responses [TSX-12]", async () => {
    const failures: unknown[] = [];
    const run = (call: Call) => askName(call).catch((error: Error) => String(failures.push(error.message)));
    const client = await open(taskServer([asking(run)]));
    const taskId = await beginTask(client, "asking");
    await untilStatus(client, taskId, "input_required");
    await client.request("tasks/cancel", { taskId });
    expect(await getTask(client, taskId)).not.toHaveProperty("inputRequests");
    expect(failures).toEqual(["The input request failed: the task is over."]);
    expect(await update(client, taskId, { who: accept("Ada") })).toMatchObject({ resultType: "complete" });
    expect(await getTask(client, taskId)).toMatchObject({ status: "cancelled" });
  });

  test("times out without a response, and its request is removed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "hrtime"] });
    const server = taskServer([asking(askName)], {}, { limits: { inputTimeoutMs: 60_000, taskTotalMs: 1000 } });
    const client = await open(server);
    const taskId = await beginTask(client, "asking");
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await getTask(client, taskId)).toMatchObject({ status: "input_required" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await getTask(client, taskId)).toMatchObject({
      status: "completed",
      result: { isError: true, content: [{ text: "The input request failed: no response within 60000 ms." }] },
    });
  });

  test("fails if the client does not support elicitation", async () => {
    const { extensions } = TASK_CLIENT as { extensions: JsonObject };
    const client = await connectTestClient(taskServer([asking(askName)]), { capabilities: { extensions } });
    const taskId = await beginTask(client, "asking");
    expect(await untilStatus(client, taskId, "failed")).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
    });
  });
});

describe("a long tool that requests input first", () => {
  // A busy machine answers the first call within the grace period, too.
  const server = (): Server =>
    taskServer(
      [
        tool({
          name: "asking",
          description: "Asks first.",
          taskSupport: "optional",
          run: async (_input, call) => {
            const first = await askName(call);
            await new Promise((resolve) => setTimeout(resolve, 600));
            return `${first} and ${await askName(call, "later")}`;
          },
        }),
      ],
      { graceMs: 300 },
    );

  test("requests input like any call, and becomes a task when it is called again [TSX-18]", async () => {
    const client = await open(server());
    const first = await client.request("tools/call", { name: "asking" });
    expect([first["resultType"], keysOf(first)]).toEqual(["input_required", ["who"]]);
    expect(first).not.toHaveProperty("taskId");
    const { requestState } = first as { requestState: string };
    const taskId = await beginTask(client, "asking", { requestState, inputResponses: { who: accept("Ada") } });
    const task = await untilStatus(client, taskId, "input_required");
    expect(keysOf(task)).toEqual(["later"]);
    await update(client, taskId, { who: accept("Eve"), later: accept("Bob") });
    expect(await untilStatus(client, taskId, "completed")).toMatchObject({
      result: { content: [{ text: "Ada and Bob" }] },
    });
  });
});

describe("a call that became a task before it repeated an answered input request", () => {
  test("uses the response of the earlier round", async () => {
    let runs = 0;
    const late = tool({
      name: "asking",
      description: "Requests input, later than the grace period in the second run.",
      taskSupport: "optional",
      run: async (_input, call) => {
        runs += 1;
        // Longer than the grace period, on a busy machine too.
        if (runs > 1) await new Promise((resolve) => setTimeout(resolve, 600));
        return askName(call);
      },
    });
    const client = await open(taskServer([late], { graceMs: 300 }));
    const { requestState } = (await client.request("tools/call", { name: "asking" })) as { requestState: string };
    const taskId = await beginTask(client, "asking", { requestState, inputResponses: { who: accept("Ada") } });
    expect(await untilStatus(client, taskId, "completed")).toMatchObject({ result: { content: [{ text: "Ada" }] } });
  });
});
