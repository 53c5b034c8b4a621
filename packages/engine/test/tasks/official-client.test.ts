import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type JsonObject, type Server, ToolError, tool } from "@toolwright/engine";
import { type MemoryConnection, openMemoryConnection } from "@toolwright/engine/transport";
import { expect, test } from "vitest";
import { RELATED, taskServer } from "./task-server.js";

/** A connection of the official client inside this process. */
class MemoryTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  readonly #server: Server;
  #connection: MemoryConnection | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  async start(): Promise<void> {
    this.#connection = await openMemoryConnection(this.#server, (text) => this.onmessage?.(JSON.parse(text)));
  }

  send(message: unknown): Promise<void> {
    this.#connection?.send(JSON.stringify(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#connection?.close();
    this.onclose?.();
    return Promise.resolve();
  }
}

test("the official client follows a task with input requests and progress, and one that fails [TSK-03 TSK-07 TSK-12 PROG-05]", async () => {
  const elicits = tool({
    name: "elicits",
    description: "Asks.",
    taskSupport: "required",
    run: async (_input, call) => {
      call.progress(1, "half");
      return (
        (await call.elicit("who", "Who?", { type: "object", properties: { name: { type: "string" } } })) ?? "nobody"
      );
    },
  });
  const fails = tool({
    name: "fails",
    description: "Fails.",
    taskSupport: "required",
    run: () => {
      throw new ToolError("Nothing but sand.");
    },
  });
  const client = new Client({ name: "official", version: "1" }, { capabilities: { elicitation: {} } });
  const tied: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    tied.push(params._meta?.[RELATED]);
    return { action: "accept", content: { name: "Ada" } };
  });
  await client.connect(new MemoryTransport(taskServer([elicits, fails])));
  await client.listTools();
  const follow = async (name: string) => {
    const steps: JsonObject[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void steps.push({ type: message ?? "" });
    const stream = client.experimental.tasks.callToolStream({ name, arguments: {} }, CallToolResultSchema, {
      onprogress,
    });
    for await (const step of stream) steps.push(step as unknown as JsonObject);
    return steps;
  };
  const steps = await follow("elicits");
  const [created] = steps.filter(({ type }) => type === "taskCreated") as unknown as { task: { taskId: string } }[];
  expect(steps.some(({ type }) => type === "half")).toBe(true);
  expect(tied).toEqual([{ taskId: created?.task.taskId }]);
  expect(steps.at(-1)).toMatchObject({ type: "result", result: { structuredContent: { name: "Ada" } } });
  expect((await follow("fails")).at(-2)).toMatchObject({
    task: { status: "failed", statusMessage: "Nothing but sand." },
  });
  expect((await client.experimental.tasks.listTasks()).tasks).toHaveLength(2);
  await client.close();
});
