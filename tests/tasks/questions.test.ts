import { type Call, type JsonObject, type Server, type Tool, tool } from "@toolwright/engine";
import { connect, type TestClient } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { settled, Wire } from "../features/wire.js";
import { beginTask, CORE, FOLLOWS, getTask, RELATED, taskServer, untilStatus } from "./bench.js";

afterEach(() => void vi.useRealTimers());

const form = { type: "object", properties: { name: { type: "string", minLength: 3 } }, required: ["name"] } as const;

/** A tool that is a task from the beginning, and asks. */
const asking = (run: (call: Call) => Promise<string>): Tool =>
  tool({ name: "asking", description: "Asks.", long: "task-only", run: (_input, call) => run(call) });

const askName = async (call: Call, name = "who"): Promise<string> => {
  const answer = await call.ask(name, `Name for ${name}?`, form);
  return answer === undefined ? "nobody" : answer.name;
};

const accept = (name: string): JsonObject => ({ action: "accept", content: { name } });

const open = (server: Server): Promise<TestClient> => connect(server, { capabilities: FOLLOWS });

const update = (client: TestClient, taskId: string, inputResponses: JsonObject): Promise<JsonObject> =>
  client.request("tasks/update", { taskId, inputResponses });

const keysOf = (task: JsonObject): string[] => Object.keys(task["inputRequests"] as JsonObject);

/** A task of a handshake client, and the question that it has put. */
async function askedAsTask() {
  const server = taskServer([asking(askName)]);
  await server.start();
  const wire = new Wire(server, CORE);
  wire.initialize();
  wire.say({ id: 1, method: "tools/call", params: { name: "asking", task: {} } });
  const { result } = (await wire.until({ id: 1, method: undefined as never })) as { result: { task: JsonObject } };
  const { taskId = "" } = result.task;
  return { wire, taskId, question: await wire.until({ method: "elicitation/create" }) };
}

describe("a task of a handshake client that asks", () => {
  test("takes its question back when it is cancelled, in a message that is tied to it [TSK-08]", async () => {
    const { wire, taskId, question } = await askedAsTask();
    wire.say({ id: 2, method: "tasks/cancel", params: { taskId } });
    const taken = await wire.until({ method: "notifications/cancelled" });
    expect(taken["params"]).toEqual({
      requestId: question["id"],
      reason: "the call is over",
      _meta: { [RELATED]: { taskId } },
    });
  });

  test("is input_required while its request is open, which is tied to it, and then working again [TSK-12 TSK-08]", async () => {
    const { wire, taskId, question } = await askedAsTask();
    expect(question["params"]).toMatchObject({ message: "Name for who?", _meta: { [RELATED]: { taskId } } });
    await settled();
    wire.say({ id: 2, method: "tasks/get", params: { taskId } });
    expect(await wire.until({ id: 2 })).toMatchObject({ result: { status: "input_required" } });
    wire.say({ id: question["id"] as number, result: accept("Ada") });
    wire.say({ id: 3, method: "tasks/result", params: { taskId } });
    expect(await wire.until({ id: 3 })).toMatchObject({ result: { content: [{ text: "Ada" }] } });
    const told = wire.heard.filter(({ method }) => method === "notifications/tasks/status");
    expect(told.map(({ params }) => (params as JsonObject)["status"])).toEqual([
      "input_required",
      "working",
      "completed",
    ]);
    wire.expectLegal();
  });

  test("fails where the client went away with the question, and says so [TSK-12]", async () => {
    const server = taskServer([asking(askName)]);
    const first = await connect(server, { revision: CORE, principal: "ada", answers: () => expect.fail("asked") });
    first.request("tools/call", { name: "asking", task: {} }).catch(() => undefined);
    await settled();
    const { tasks } = (await first.request("tasks/list")) as { tasks: { taskId: string }[] };
    first.close();
    const second = await connect(server, { revision: CORE, principal: "ada" });
    const result = await second.request("tasks/result", { taskId: tasks[0]?.taskId ?? "" });
    expect(result).toMatchObject({ isError: true });
  });
});

describe("a task of a stateless client that asks", () => {
  test("shows all that is open, takes the answers one by one, and goes on [TSX-07 TSX-11]", async () => {
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

  test("asks again under a fresh key where the answer is none, and never uses a key twice [TSX-11]", async () => {
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

  test("hears of a refusal like anybody else", async () => {
    const client = await open(taskServer([asking(askName)]));
    const taskId = await beginTask(client, "asking");
    await untilStatus(client, taskId, "input_required");
    await update(client, taskId, { who: { action: "decline" } });
    expect(await untilStatus(client, taskId, "completed")).toMatchObject({ result: { content: [{ text: "nobody" }] } });
  });

  test("answers must be an object", async () => {
    const client = await open(taskServer([asking(askName)]));
    const taskId = await beginTask(client, "asking");
    for (const wrong of [undefined, null, "x", []]) {
      const { answer } = client.start("tasks/update", { taskId, inputResponses: wrong as never });
      expect((await answer)["error"]).toMatchObject({ code: -32602 });
    }
  });

  test("that is cancelled shows no question any more, and an answer wakes nobody [TSX-12]", async () => {
    const failures: unknown[] = [];
    const run = (call: Call) => askName(call).catch((error: Error) => String(failures.push(error.message)));
    const client = await open(taskServer([asking(run)]));
    const taskId = await beginTask(client, "asking");
    await untilStatus(client, taskId, "input_required");
    await client.request("tasks/cancel", { taskId });
    expect(await getTask(client, taskId)).not.toHaveProperty("inputRequests");
    expect(failures).toEqual(["The question was not answered: the task is over."]);
    expect(await update(client, taskId, { who: accept("Ada") })).toMatchObject({ resultType: "complete" });
    expect(await getTask(client, taskId)).toMatchObject({ status: "cancelled" });
  });

  test("gives up when nobody answers in time, and its question goes away", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "hrtime"] });
    const server = taskServer([asking(askName)], {}, { limits: { questionTimeoutMs: 60_000, taskTotalMs: 1000 } });
    const client = await open(server);
    const taskId = await beginTask(client, "asking");
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await getTask(client, taskId)).toMatchObject({ status: "input_required" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await getTask(client, taskId)).toMatchObject({
      status: "completed",
      result: { isError: true, content: [{ text: "The question was not answered: no answer within 60000 ms." }] },
    });
  });

  test("is told that this client cannot be asked", async () => {
    const { extensions } = FOLLOWS as { extensions: JsonObject };
    const client = await connect(taskServer([asking(askName)]), { capabilities: { extensions } });
    const taskId = await beginTask(client, "asking");
    expect(await untilStatus(client, taskId, "failed")).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
    });
  });
});

describe("a long tool that asks before anything else", () => {
  const server = (): Server =>
    taskServer([
      tool({
        name: "asking",
        description: "Asks first.",
        long: true,
        run: async (_input, call) => {
          const first = await askName(call);
          await settled(20);
          return `${first} and ${await askName(call, "later")}`;
        },
      }),
    ]);

  test("asks as any call does; it becomes a task when it is called again [TSX-18]", async () => {
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

describe("a call that became a task before it asked again for what it knows", () => {
  test("takes the answer of the earlier round", async () => {
    let runs = 0;
    const late = tool({
      name: "asking",
      description: "Asks at once, later at leisure.",
      long: true,
      run: async (_input, call) => {
        runs += 1;
        if (runs > 1) await settled(20);
        return askName(call);
      },
    });
    const client = await open(taskServer([late]));
    const { requestState } = (await client.request("tools/call", { name: "asking" })) as { requestState: string };
    const taskId = await beginTask(client, "asking", { requestState, inputResponses: { who: accept("Ada") } });
    expect(await untilStatus(client, taskId, "completed")).toMatchObject({ result: { content: [{ text: "Ada" }] } });
  });
});
