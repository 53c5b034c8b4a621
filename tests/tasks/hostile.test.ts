import { type Block, content, createServer, type JsonObject, MemoryTaskStore, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { settled, Wire } from "../features/wire.js";
import { onRevisions, STATELESS } from "../support/every-revision.js";
import { beginTask, CORE, FOLLOWS, Job, refusal, taskServer, untilStatus } from "./bench.js";

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
