import { type JsonObject, resource, tool } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { Deferred, settled } from "../features/wire.js";
import { beginTask, EXTENSION, getTask, Job, TASK_CLIENT, taskServer, untilStatus } from "./task-server.js";

const TAG = "io.modelcontextprotocol/subscriptionId";

const only = tool({ name: "only", description: "Ends at once.", taskSupport: "required", run: () => "done" });

/** Waits until the client has received this many notifications, and returns their params. */
async function received(client: TestClient, method: string, count: number): Promise<JsonObject[]> {
  while (client.received(method).length < count) await settled();
  return client.received(method).map(({ params }) => params as JsonObject);
}

/** The result of `tasks/get` as in a notification. */
function asNotice(task: JsonObject, subscription: number): JsonObject {
  const { resultType: _resultType, _meta, ...members } = task;
  return { ...members, _meta: { [TAG]: subscription } };
}

describe("subscriptions/listen with taskIds", () => {
  test("acknowledges the caller's own tasks, and sends their changes as tasks/get returns them [TSX-13]", async () => {
    const [job, other] = [new Job("dig", "optional"), new Job("sift", "optional")];
    const server = taskServer([job.tool, other.tool], {}, { limits: { changeIntervalMs: 1 } });
    const [ada, bob] = await Promise.all(
      ["ada", "bob"].map((principal) => connectTestClient(server, { principal, capabilities: TASK_CLIENT })),
    );
    if (ada === undefined || bob === undefined) return expect.fail("no clients");
    const [own, unnamed, foreign] = [
      await beginTask(ada, "dig"),
      await beginTask(ada, "sift"),
      await beginTask(bob, "sift"),
    ];
    const { id } = ada.startRequest("subscriptions/listen", {
      notifications: { taskIds: [own, foreign, "none", own] },
    });
    expect(await received(ada, "notifications/subscriptions/acknowledged", 1)).toEqual([
      { notifications: { taskIds: [own] }, _meta: { [TAG]: id } },
    ]);
    other.end("sand");
    job.end("gold");
    const last = await untilStatus(ada, own, "completed");
    await untilStatus(ada, unnamed, "completed");
    const [notice] = await received(ada, "notifications/tasks", 1);
    expect(notice).toEqual(asNotice(last, id));
    await settled(20);
    expect(ada.received("notifications/tasks")).toHaveLength(1);
    expect(bob.received("notifications/tasks")).toHaveLength(0);
  });

  test("sends a task that is already final once", async () => {
    const client = await connectTestClient(taskServer([only]), { capabilities: TASK_CLIENT });
    const taskId = await beginTask(client, "only");
    await untilStatus(client, taskId, "completed");
    const { id } = client.startRequest("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    expect(await received(client, "notifications/tasks", 1)).toEqual([asNotice(await getTask(client, taskId), id)]);
  });

  test("sends a task that ends while a resource is being subscribed", async () => {
    const job = new Job("dig", "optional");
    const ready = new Deferred<void>();
    const slow = resource({ uri: "x:a", name: "a", read: () => "", onSubscribe: () => ready.promise });
    const client = await connectTestClient(taskServer([job.tool], {}, { resources: [slow] }), {
      capabilities: TASK_CLIENT,
    });
    const taskId = await beginTask(client, "dig");
    client.startRequest("subscriptions/listen", {
      notifications: { taskIds: [taskId], resourceSubscriptions: ["x:a"] },
    });
    job.end("gold");
    await untilStatus(client, taskId, "completed");
    ready.resolve();
    expect(await received(client, "notifications/tasks", 1)).toMatchObject([{ taskId, status: "completed" }]);
  });

  test("ignores unknown lists", async () => {
    const client = await connectTestClient(taskServer([only]), { capabilities: TASK_CLIENT });
    client.startRequest("subscriptions/listen", { notifications: { futureListChanged: {} } });
    expect(await received(client, "notifications/subscriptions/acknowledged", 1)).toMatchObject([
      { notifications: {} },
    ]);
  });

  test("sends nothing after the request was cancelled", async () => {
    const job = new Job("dig", "optional");
    const client = await connectTestClient(taskServer([job.tool]), { capabilities: TASK_CLIENT });
    const taskId = await beginTask(client, "dig");
    const { id: requestId } = client.startRequest("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    await received(client, "notifications/subscriptions/acknowledged", 1);
    client.notify("notifications/cancelled", { requestId });
    job.end("gold");
    await untilStatus(client, taskId, "completed");
    await settled(20);
    expect(client.received("notifications/tasks")).toEqual([]);
  });

  test("is rejected without the extension [TSX-13]", async () => {
    const client = await connectTestClient(taskServer([only]));
    const { response: answer } = client.startRequest("subscriptions/listen", { notifications: { taskIds: ["x"] } });
    expect((await answer)["error"]).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
    });
    expect(client.received("notifications/subscriptions/acknowledged")).toEqual([]);
  });

  test("does not acknowledge tasks on a server without tasks", async () => {
    const client = await connectTestClient(taskServer([], {}, { tasks: false }), { capabilities: TASK_CLIENT });
    client.startRequest("subscriptions/listen", { notifications: { taskIds: ["x"] } });
    expect(await received(client, "notifications/subscriptions/acknowledged", 1)).toMatchObject([
      { notifications: {} },
    ]);
  });

  test("must have a limited list of ids", async () => {
    const client = await connectTestClient(taskServer([only], {}, { limits: { resourceSubscriptions: 2 } }), {
      capabilities: TASK_CLIENT,
    });
    const listen = async (taskIds: never) =>
      (await client.startRequest("subscriptions/listen", { notifications: { taskIds } }).response)["error"];
    expect(await listen("x" as never)).toMatchObject({ code: -32602 });
    expect(await listen([1] as never)).toMatchObject({ code: -32602 });
    expect(await listen(["a", "b", "c"] as never)).toMatchObject({ data: { limit: "resourceSubscriptions" } });
  });
});
