import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type JsonObject, type Tool, tool } from "@toolwright/engine";

import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { expect, onTestFinished, test } from "vitest";
import {
  beginTask,
  CORE,
  getTask,
  Job,
  TASK_CLIENT,
  taskServer,
  untilStatus,
} from "../../../engine/test/tasks/task-server.js";
import { openTaskStore } from "../../src/storage/task-store.js";

function newFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, "tasks.db");
}

/** A server of its own on a shared file, and its client. */
async function open(file: string, tools: readonly Tool[], revision?: string) {
  const server = taskServer(tools, { store: await openTaskStore(file) });
  const client: TestClient = await connectTestClient(server, {
    capabilities: TASK_CLIENT,
    principal: "ada",
    ...(revision !== undefined && { revision }),
  });
  const close = (): Promise<void> => server.close();
  onTestFinished(close);
  return { client, close };
}

test("results survive a restart, in both protocols; interrupted tasks are failed with a reason", async () => {
  const [file, job, endless] = [newFile(), new Job("dig", "optional"), new Job("endless", "optional")];
  const first = await open(file, [job.tool, endless.tool]);
  const taskId = await beginTask(first.client, "dig");
  const cutOff = await beginTask(first.client, "endless");
  job.end({ gold: 3 });
  await untilStatus(first.client, taskId, "completed");
  await first.close();

  const { client } = await open(file, []);
  expect(await getTask(client, taskId)).toMatchObject({ result: { structuredContent: { gold: 3 }, isError: false } });
  expect(await getTask(client, cutOff)).toMatchObject({
    status: "failed",
    error: { message: "The server was stopped before the task had ended. It may have done part of its work." },
  });
  const older = await open(file, [], CORE);
  expect(await older.client.request("tasks/result", { taskId })).toMatchObject({ structuredContent: { gold: 3 } });
});

test("a task of one process can be answered, read and cancelled through another", async () => {
  const file = newFile();
  const endless = new Job("endless", "optional");
  const elicits = tool({
    name: "elicits",
    description: "Asks.",
    taskSupport: "required",
    run: async (_input, call) => (await call.elicit("who", "Who?", { type: "object", properties: {} })) ?? "nobody",
  });
  const runs = await open(file, [endless.tool, elicits]);
  const other = await open(file, []);
  const asking = await beginTask(runs.client, "elicits");
  const task = await untilStatus(other.client, asking, "input_required");
  expect(Object.keys(task["inputRequests"] as JsonObject)).toEqual(["who"]);
  const { id } = other.client.startRequest("subscriptions/listen", { notifications: { taskIds: [asking] } });
  await other.client.request("tasks/update", { taskId: asking, inputResponses: { who: { action: "decline" } } });
  expect(await untilStatus(other.client, asking, "completed")).toMatchObject({
    result: { content: [{ text: "nobody" }] },
  });
  const statuses = (): unknown[] =>
    other.client.received("notifications/tasks").map(({ params }) => (params as JsonObject)["status"]);
  await expect.poll(() => statuses().at(-1), { timeout: 5000 }).toBe("completed");
  expect(id).toBeGreaterThan(0);

  const cancelled = await beginTask(runs.client, "endless");
  await other.client.request("tasks/cancel", { taskId: cancelled });
  await expect.poll(() => endless.calls[0]?.signal.aborted, { timeout: 5000 }).toBe(true);
});
