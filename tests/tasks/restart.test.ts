import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { JsonObject, Tool } from "@toolwright/engine";
import { tool } from "@toolwright/engine";
import { connect, type TestClient } from "@toolwright/engine/testing";
import { expect, onTestFinished, test } from "vitest";
import { openTaskStore } from "../../packages/toolwright/src/storage/task-store.js";
import { beginTask, CORE, FOLLOWS, getTask, Job, taskServer, untilStatus } from "./bench.js";

function newFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, "tasks.db");
}

/** A server of its own on a shared file, and its client. */
async function open(file: string, tools: readonly Tool[], revision?: string) {
  const server = taskServer(tools, { store: await openTaskStore(file) });
  const client: TestClient = await connect(server, {
    capabilities: FOLLOWS,
    principal: "ada",
    ...(revision !== undefined && { revision }),
  });
  const close = (): Promise<void> => server.close();
  onTestFinished(close);
  return { client, close };
}

test("a finished result is there after a restart, in either design; a task that was cut off says so", async () => {
  const [file, job, endless] = [newFile(), new Job("dig", true), new Job("endless", true)];
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
    error: { message: "The server was stopped before the task had ended. It may have done a part of its work." },
  });
  const older = await open(file, [], CORE);
  expect(await older.client.request("tasks/result", { taskId })).toMatchObject({ structuredContent: { gold: 3 } });
});

test("a task that one process runs can be answered, followed and cancelled through another", async () => {
  const file = newFile();
  const endless = new Job("endless", true);
  const asks = tool({
    name: "asks",
    description: "Asks.",
    long: "task-only",
    run: async (_input, call) => (await call.ask("who", "Who?", { type: "object", properties: {} })) ?? "nobody",
  });
  const runs = await open(file, [endless.tool, asks]);
  const other = await open(file, []);
  const asking = await beginTask(runs.client, "asks");
  const task = await untilStatus(other.client, asking, "input_required");
  expect(Object.keys(task["inputRequests"] as JsonObject)).toEqual(["who"]);
  const { id } = other.client.start("subscriptions/listen", { notifications: { taskIds: [asking] } });
  await other.client.request("tasks/update", { taskId: asking, inputResponses: { who: { action: "decline" } } });
  expect(await untilStatus(other.client, asking, "completed")).toMatchObject({
    result: { content: [{ text: "nobody" }] },
  });
  const told = (): unknown[] =>
    other.client.heard("notifications/tasks").map(({ params }) => (params as JsonObject)["status"]);
  await expect.poll(() => told().at(-1), { timeout: 5000 }).toBe("completed");
  expect(id).toBeGreaterThan(0);

  const cancelled = await beginTask(runs.client, "endless");
  await other.client.request("tasks/cancel", { taskId: cancelled });
  await expect.poll(() => endless.calls[0]?.signal.aborted, { timeout: 5000 }).toBe(true);
});
