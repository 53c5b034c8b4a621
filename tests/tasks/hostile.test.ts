import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Block, content, createServer, type JsonObject, MemoryTaskStore, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { openTaskStore } from "../../packages/toolwright/src/storage/task-store.js";
import { Gate, settled, Wire } from "../features/wire.js";
import { onRevisions, STATELESS } from "../support/every-revision.js";
import { beginTask, CORE, FOLLOWS, Job, refusal, taskServer, untilStatus } from "./bench.js";
import { begun } from "./records.js";

const BIG: Block = { type: "text", text: "done", _meta: { size: 1n as unknown as number } };
const CYCLE: Block = { type: "text", text: "done" };
CYCLE["_meta"] = { self: CYCLE };

describe("A task whose tool returns what JSON cannot write", () => {
  for (const [what, block] of [
    ["a number without end", BIG],
    ["a circle", CYCLE],
  ] as const) {
    onRevisions([CORE, STATELESS], `ends like the plain call does: ${what}`, async (open) => {
      const job = new Job("odd", true);
      const client = await open(taskServer([job.tool]), { capabilities: FOLLOWS });
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
  test("that is cancelled before it was acknowledged hears nothing, and costs nothing later", async () => {
    let looks = 0;
    const memory = new MemoryTaskStore();
    const store = {
      create: memory.create.bind(memory),
      change: memory.change.bind(memory),
      list: memory.list.bind(memory),
      get(id: string) {
        looks += 1;
        return memory.get(id);
      },
    };
    const job = new Job("slow", "task-only");
    const server = taskServer([job.tool], { store });
    const client = await connect(server, { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "slow");
    const wire = new Wire(server, STATELESS);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": STATELESS,
      "io.modelcontextprotocol/clientCapabilities": FOLLOWS,
    };
    for (let id = 1; id <= 50; id += 1) {
      wire.say({ id, method: "subscriptions/listen", params: { _meta, notifications: { taskIds: [taskId] } } });
      wire.say({ method: "notifications/cancelled", params: { requestId: id } });
    }
    await settled();
    expect(wire.heard).toEqual([]);
    looks = 0;
    job.end("done");
    await settled();
    expect(looks).toBe(0);
  });
});

describe("A call that fails with something that cannot be looked at", () => {
  onRevisions([CORE, STATELESS], "is answered all the same", async (open) => {
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
    expect(await refusal(client.request("tools/call", { name: "odd" }))).toMatchObject({ code: -32603 });
  });
});

describe("A store that ends the task of a process that is gone", () => {
  test("tells all who watch: those who wait where it was written, and a holder that comes back", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "tasks-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "tasks.db");
    let time = 0;
    const gone = await openTaskStore(file, { now: () => 0 });
    const store = await openTaskStore(file, { now: () => time });
    onTestFinished(() => store.close?.());
    onTestFinished(() => gone.close?.());
    await gone.create(begun("a"));
    const heard = [store, gone].map(
      (watched) =>
        new Promise<string>((resolve) => {
          onTestFinished(watched.watch?.(resolve) ?? (() => undefined));
        }),
    );
    time = 30_000;
    await store.get("a");
    time = 30_001;
    expect((await store.get("a"))?.status).toBe("failed");
    expect(await Promise.all(heard)).toEqual(["a", "a"]);
  });
});

describe("A task whose time is over", () => {
  test("is not said to be working where the clock was set back meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const job = new Job("slow", true);
    const client = await connect(taskServer([job.tool]), { revision: CORE });
    const taskId = await beginTask(client, "slow", { task: { ttl: 5 } });
    vi.setSystemTime(500_000);
    const task = await untilStatus(client, taskId, "failed");
    expect(task["statusMessage"]).toBe("The task was kept for as long as it was to be.");
    expect(job.calls[0]?.signal.aborted).toBe(true);
  });
});

describe("A call that becomes a task while an answer that came with it is looked at", () => {
  onRevisions([STATELESS], "asks again through the task where the answer is none", async (open) => {
    const gate = new Gate<boolean>();
    const form = z.object({ name: z.string().refine(() => gate.opened, "is taken") });
    const ask = tool({
      name: "ask",
      description: "Asks for a name.",
      long: true,
      run: async (_input, call) => JSON.stringify(await call.ask("who", "Which name?", form)),
    });
    const client = await open(taskServer([ask]), { capabilities: FOLLOWS });
    const taskId = await beginTask(client, "ask", {
      inputResponses: { who: { action: "accept", content: { name: "ada" } } },
    });
    gate.open(false);
    const task = await untilStatus(client, taskId, "input_required");
    expect(Object.keys(task["inputRequests"] as JsonObject)).toEqual(["who"]);
    await client.request("tasks/cancel", { taskId });
  });
});

describe("A task whose first answer is too large to leave", () => {
  test("is refused in words, and runs on nowhere", async () => {
    const job = new Job("slow", true);
    const server = taskServer([job.tool], {}, { limits: { messageBytes: 2000, tasksRunning: 1 } });
    await server.start();
    const wire = new Wire(server, CORE);
    wire.initialize();
    const id = "x".repeat(1800);
    wire.say({ id, method: "tools/call", params: { name: "slow", task: {} } });
    expect((await wire.until({ id }))["error"]).toMatchObject({ code: -32603 });
    await settled();
    expect(job.calls).toEqual([]);
    wire.say({ id: 2, method: "tools/call", params: { name: "slow", task: {} } });
    expect((await wire.until({ id: 2 }))["result"]).toMatchObject({ task: { status: "working" } });
    wire.expectLegal();
  });
});

describe("A plain call that cannot become a task because the answer would be too large", () => {
  test("goes on as a plain call", async () => {
    const job = new Job("slow", true);
    const server = taskServer([job.tool], {}, { limits: { messageBytes: 2000, tasksRunning: 1 }, identify: false });
    await server.start();
    const wire = new Wire(server, STATELESS);
    const id = "x".repeat(1780);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": STATELESS,
      "io.modelcontextprotocol/clientCapabilities": FOLLOWS,
    };
    wire.say({ id, method: "tools/call", params: { name: "slow", _meta } });
    await settled(20);
    job.end("done");
    expect((await wire.until({ id }))["result"]).toMatchObject({ content: [{ text: "done" }] });
  });
});
