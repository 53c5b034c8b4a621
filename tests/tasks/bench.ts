import {
  type Call,
  createServer,
  type JsonObject,
  type LogEntry,
  type Server,
  type ServerOptions,
  type TaskOptions,
  type Tool,
  type ToolValue,
  tool,
} from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";
import { expect } from "vitest";
import { Gate } from "../features/wire.js";

export const CORE = "2025-11-25";
export const EXTENSION = "io.modelcontextprotocol/tasks";
export const RELATED = "io.modelcontextprotocol/related-task";

/** What a stateless client declares that follows tasks and can be asked. */
export const FOLLOWS: JsonObject = { elicitation: {}, extensions: { [EXTENSION]: {} } };

/** A server with tasks that become tasks almost at once. */
export function taskServer(
  tools: readonly Tool[],
  tasks: TaskOptions = {},
  options: Partial<ServerOptions> = {},
  entries: LogEntry[] = [],
): Server {
  return createServer({
    name: "test",
    version: "1.0.0",
    tools,
    tasks: { graceMs: 1, pollMs: 100, ...tasks },
    log: (entry) => void entries.push(entry),
    ...options,
  });
}

/** A tool that ends as the test wants, when the test wants. */
export class Job {
  readonly #gate = new Gate<() => ToolValue>();
  readonly tool: Tool;
  /** The calls that have begun. */
  readonly calls: Call[] = [];

  constructor(name: string, long?: true | "task-only") {
    this.tool = tool({
      name,
      description: "Takes its time.",
      ...(long !== undefined && { long }),
      run: async (_input, call) => {
        this.calls.push(call);
        return (await this.#gate.opened)();
      },
    });
  }

  end(value: ToolValue): void {
    this.#gate.open(() => value);
  }

  fail(error: Error): void {
    this.#gate.open(() => {
      throw error;
    });
  }
}

/** Begins a call as a task, and gives its id. */
export async function beginTask(client: TestClient, name: string, more: JsonObject = {}): Promise<string> {
  const isCore = client.revision === CORE;
  const result = await client.request("tools/call", {
    name,
    arguments: {},
    ...(isCore && { task: {} }),
    ...more,
  });
  const id = (isCore ? (result["task"] as JsonObject) : result)["taskId"];
  expect(id, JSON.stringify(result)).toMatch(/^[\w-]{22}$/);
  return id as string;
}

export const getTask = (client: TestClient, taskId: string): Promise<JsonObject> =>
  client.request("tasks/get", { taskId });

/** Asks after a task until it has this state. */
export async function untilStatus(client: TestClient, taskId: string, status: string): Promise<JsonObject> {
  for (;;) {
    const task = await getTask(client, taskId);
    if (task["status"] === status) return task;
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
}

/** The code and the words of a refusal. */
export async function refusal(
  request: Promise<JsonObject>,
): Promise<{ code: number; message: string; data?: unknown }> {
  try {
    await request;
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data?: unknown };
    return { code, message, data };
  }
  return expect.fail("the request was served");
}

/** A time in ISO 8601. */
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
