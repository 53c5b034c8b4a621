import { type JsonObject, resource, tool } from "@toolwright/engine";
import { connect, type TestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { Gate, settled } from "../features/wire.js";
import { beginTask, EXTENSION, FOLLOWS, getTask, Job, taskServer, untilStatus } from "./bench.js";

const TAG = "io.modelcontextprotocol/subscriptionId";

const only = tool({ name: "only", description: "Ends at once.", long: "task-only", run: () => "done" });

/** Waits until the client has heard so many notifications of a kind, and gives their params. */
async function heard(client: TestClient, method: string, count: number): Promise<JsonObject[]> {
  while (client.heard(method).length < count) await settled();
  return client.heard(method).map(({ params }) => params as JsonObject);
}

/** `tasks/get` as a notification has it. */
function asNotice(task: JsonObject, subscription: number): JsonObject {
  const { resultType: _resultType, _meta, ...members } = task;
  return { ...members, _meta: { [TAG]: subscription } };
}

describe("subscriptions/listen with taskIds", () => {
  test("acknowledges the caller's own tasks, and tells their changes as tasks/get has them [TSX-13]", async () => {
    const [job, other] = [new Job("dig", true), new Job("sift", true)];
    const server = taskServer([job.tool, other.tool], {}, { limits: { changeRestMs: 1 } });
    const [ada, bob] = await Promise.all(
      ["ada", "bob"].map((principal) => connect(server, { principal, capabilities: FOLLOWS })),
    );
    if (ada === undefined || bob === undefined) return expect.fail("no clients");
    const [own, unnamed, foreign] = [
      await beginTask(ada, "dig"),
      await beginTask(ada, "sift"),
      await beginTask(bob, "sift"),
    ];
    const { id } = ada.start("subscriptions/listen", { notifications: { taskIds: [own, foreign, "none", own] } });
    expect(await heard(ada, "notifications/subscriptions/acknowledged", 1)).toEqual([
      { notifications: { taskIds: [own] }, _meta: { [TAG]: id } },
    ]);
    other.end("sand");
    job.end("gold");
    const last = await untilStatus(ada, own, "completed");
    await untilStatus(ada, unnamed, "completed");
    const [notice] = await heard(ada, "notifications/tasks", 1);
    expect(notice).toEqual(asNotice(last, id));
    await settled(20);
    expect(ada.heard("notifications/tasks")).toHaveLength(1);
    expect(bob.heard("notifications/tasks")).toHaveLength(0);
  });

  test("tells a task that has ended before once, so that nobody waits for ever", async () => {
    const client = await connect(taskServer([only]), { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "only");
    await untilStatus(client, taskId, "completed");
    const { id } = client.start("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    expect(await heard(client, "notifications/tasks", 1)).toEqual([asNotice(await getTask(client, taskId), id)]);
  });

  test("tells a task that ends while a resource gets ready to be watched", async () => {
    const job = new Job("dig", true);
    const ready = new Gate<void>();
    const slow = resource({ uri: "x:a", name: "a", read: () => "", watched: () => ready.opened });
    const client = await connect(taskServer([job.tool], {}, { resources: [slow] }), { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "dig");
    client.start("subscriptions/listen", { notifications: { taskIds: [taskId], resourceSubscriptions: ["x:a"] } });
    job.end("gold");
    await untilStatus(client, taskId, "completed");
    ready.open();
    expect(await heard(client, "notifications/tasks", 1)).toMatchObject([{ taskId, status: "completed" }]);
  });

  test("passes over lists that it does not know, whatever is said of them", async () => {
    const client = await connect(taskServer([only]), { capabilities: FOLLOWS });
    client.start("subscriptions/listen", { notifications: { futureListChanged: {} } });
    expect(await heard(client, "notifications/subscriptions/acknowledged", 1)).toMatchObject([{ notifications: {} }]);
  });

  test("tells nothing after the listen call was cancelled", async () => {
    const job = new Job("dig", true);
    const client = await connect(taskServer([job.tool]), { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "dig");
    const { id: requestId } = client.start("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    await heard(client, "notifications/subscriptions/acknowledged", 1);
    client.notify("notifications/cancelled", { requestId });
    job.end("gold");
    await untilStatus(client, taskId, "completed");
    await settled(20);
    expect(client.heard("notifications/tasks")).toEqual([]);
  });

  test("without the extension is refused as a whole [TSX-13]", async () => {
    const client = await connect(taskServer([only]));
    const { answer } = client.start("subscriptions/listen", { notifications: { taskIds: ["x"] } });
    expect((await answer)["error"]).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
    });
    expect(client.heard("notifications/subscriptions/acknowledged")).toEqual([]);
  });

  test("on a server without tasks, tasks are not agreed to", async () => {
    const client = await connect(taskServer([], {}, { tasks: false }), { capabilities: FOLLOWS });
    client.start("subscriptions/listen", { notifications: { taskIds: ["x"] } });
    expect(await heard(client, "notifications/subscriptions/acknowledged", 1)).toMatchObject([{ notifications: {} }]);
  });

  test("must name ids, and only so many", async () => {
    const client = await connect(taskServer([only], {}, { limits: { watchedResources: 2 } }), {
      capabilities: FOLLOWS,
    });
    const listen = async (taskIds: never) =>
      (await client.start("subscriptions/listen", { notifications: { taskIds } }).answer)["error"];
    expect(await listen("x" as never)).toMatchObject({ code: -32602 });
    expect(await listen([1] as never)).toMatchObject({ code: -32602 });
    expect(await listen(["a", "b", "c"] as never)).toMatchObject({ data: { limit: "watchedResources" } });
  });
});
