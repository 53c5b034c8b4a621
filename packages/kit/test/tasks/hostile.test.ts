import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ContentBlock, content, createServer, type JsonObject, tool } from "@toolwright/engine";
import { MemoryTaskStore } from "@toolwright/engine/tasks";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { Deferred, settled, Wire } from "../../../engine/test/features/wire.js";
import { onRevisions, STATELESS } from "../../../engine/test/support/every-revision.js";
import { workingTask } from "../../../engine/test/tasks/records.js";
import {
  beginTask,
  CORE,
  Job,
  rejection,
  TASK_CLIENT,
  taskServer,
  untilStatus,
} from "../../../engine/test/tasks/task-server.js";
import { openTaskStore } from "../../src/storage/task-store.js";

const BIG: ContentBlock = { type: "text", text: "done", _meta: { size: 1n as unknown as number } };
const CYCLE: ContentBlock = { type: "text", text: "done" };
CYCLE["_meta"] = { self: CYCLE };

describe("A task whose result JSON cannot represent", () => {
  for (const [what, block] of [
    ["a number without end", BIG],
    ["a circle", CYCLE],
  ] as const) {
    onRevisions([CORE, STATELESS], `ends like the plain call does: ${what}`, async (open) => {
      const job = new Job("odd", "optional");
      const client = await open(taskServer([job.tool]), { capabilities: TASK_CLIENT });
      const taskId = await beginTask(client, "odd");
      job.end(content(block));
      const isCore = client.revision === CORE;
      const task = await untilStatus(client, taskId, isCore ? "failed" : "completed");
      const result = isCore ? await client.request("tasks/result", { taskId }) : (task["result"] as JsonObject);
      expect(result).toMatchObject({
        isError: true,
        content: [
          { type: "text", text: expect.stringMatching(/^The tool failed unexpectedly\. Reference: [\da-f]{8}$/) },
        ],
      });
    });
  }
});

describe("A listener", () => {
  test("that is cancelled before it was acknowledged receives nothing, and leaks nothing", async () => {
    let looks = 0;
    const memory = new MemoryTaskStore();
    const store = {
      create: memory.create.bind(memory),
      update: memory.update.bind(memory),
      list: memory.list.bind(memory),
      get(id: string) {
        looks += 1;
        return memory.get(id);
      },
    };
    const job = new Job("slow", "required");
    const server = taskServer([job.tool], { store });
    const client = await connectTestClient(server, { capabilities: TASK_CLIENT });
    const taskId = await beginTask(client, "slow");
    const wire = new Wire(server, STATELESS);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": STATELESS,
      "io.modelcontextprotocol/clientCapabilities": TASK_CLIENT,
    };
    for (let id = 1; id <= 50; id += 1) {
      wire.send({ id, method: "subscriptions/listen", params: { _meta, notifications: { taskIds: [taskId] } } });
      wire.send({ method: "notifications/cancelled", params: { requestId: id } });
    }
    await settled();
    expect(wire.received).toEqual([]);
    looks = 0;
    job.end("done");
    await settled();
    expect(looks).toBe(0);
  });
});

describe("A call that throws an object with throwing getters", () => {
  onRevisions([CORE, STATELESS], "is still answered", async (open) => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const run = async (): Promise<string> => {
      await settled();
      throw revoked.proxy as Error;
    };
    const server = createServer({
      name: "test",
      version: "1.0.0",
      tools: [tool({ name: "odd", description: "Fails.", run })],
      log: () => undefined,
    });
    const client = await open(server);
    expect(await rejection(client.request("tools/call", { name: "odd" }))).toMatchObject({ code: -32603 });
  });
});

describe("A store that ends the task of an exited process", () => {
  test("notifies all watchers, in its process and in one that resumes", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "tasks-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "tasks.db");
    let time = 0;
    const gone = await openTaskStore(file, { now: () => 0 });
    const store = await openTaskStore(file, { now: () => time });
    onTestFinished(() => store.close?.());
    onTestFinished(() => gone.close?.());
    await gone.create(workingTask("a"));
    const notified = [store, gone].map(
      (watched) =>
        new Promise<string>((resolve) => {
          onTestFinished(watched.watch?.(resolve) ?? (() => undefined));
        }),
    );
    time = 30_000;
    await store.get("a");
    time = 30_001;
    expect((await store.get("a"))?.status).toBe("failed");
    expect(await Promise.all(notified)).toEqual(["a", "a"]);
  });
});

describe("An expired task", () => {
  test("is not reported as working if the clock was set back", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const job = new Job("slow", "optional");
    const client = await connectTestClient(taskServer([job.tool]), { revision: CORE });
    const taskId = await beginTask(client, "slow", { task: { ttl: 5 } });
    vi.setSystemTime(500_000);
    const task = await untilStatus(client, taskId, "failed");
    expect(task["statusMessage"]).toBe("The task has expired.");
    expect(job.calls[0]?.signal.aborted).toBe(true);
  });
});

describe("A call that becomes a task while a response that it brought is validated", () => {
  onRevisions([STATELESS], "repeats the input request through the task if the response is invalid", async (open) => {
    const gate = new Deferred<boolean>();
    const form = z.object({ name: z.string().refine(() => gate.promise, "is taken") });
    const elicits = tool({
      name: "elicits",
      description: "Asks for a name.",
      taskSupport: "optional",
      run: async (_input, call) => JSON.stringify(await call.elicit("who", "Which name?", form)),
    });
    const client = await open(taskServer([elicits]), { capabilities: TASK_CLIENT });
    const taskId = await beginTask(client, "elicits", {
      inputResponses: { who: { action: "accept", content: { name: "ada" } } },
    });
    gate.resolve(false);
    const task = await untilStatus(client, taskId, "input_required");
    expect(Object.keys(task["inputRequests"] as JsonObject)).toEqual(["who"]);
    await client.request("tasks/cancel", { taskId });
  });
});

describe("A task whose first response exceeds the message limit", () => {
  test("is rejected with a message, and does not run", async () => {
    const job = new Job("slow", "optional");
    const server = taskServer([job.tool], {}, { limits: { messageBytes: 2000, tasksRunning: 1 } });
    await server.start();
    const wire = new Wire(server, CORE);
    wire.initialize();
    const id = "x".repeat(1800);
    wire.send({ id, method: "tools/call", params: { name: "slow", task: {} } });
    expect((await wire.waitFor({ id }))["error"]).toMatchObject({ code: -32603 });
    await settled();
    expect(job.calls).toEqual([]);
    wire.send({ id: 2, method: "tools/call", params: { name: "slow", task: {} } });
    expect((await wire.waitFor({ id: 2 }))["result"]).toMatchObject({ task: { status: "working" } });
    wire.expectLegal();
  });
});

describe("An ordinary call that cannot become a task because the response would be too large", () => {
  test("continues as an ordinary call", async () => {
    const job = new Job("slow", "optional");
    const server = taskServer(
      [job.tool],
      {},
      { limits: { messageBytes: 2000, tasksRunning: 1 }, protocol: { includeServerInfo: false } },
    );
    await server.start();
    const wire = new Wire(server, STATELESS);
    const id = "x".repeat(1780);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": STATELESS,
      "io.modelcontextprotocol/clientCapabilities": TASK_CLIENT,
    };
    wire.send({ id, method: "tools/call", params: { name: "slow", _meta } });
    await settled(20);
    job.end("done");
    expect((await wire.waitFor({ id }))["result"]).toMatchObject({ content: [{ text: "done" }] });
  });
});
