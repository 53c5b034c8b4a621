import {
  type Call,
  createServer,
  type JsonObject,
  type LogEntry,
  type Server,
  type ServerOptions,
  type Tool,
  type ToolValue,
  tool,
} from "@toolwright/engine";
import type { TaskOptions } from "@toolwright/engine/tasks";
import type { TestClient } from "@toolwright/engine/testing";
import { expect } from "vitest";
import { Deferred } from "../features/wire.js";

export const CORE = "2025-11-25";
export const EXTENSION = "io.modelcontextprotocol/tasks";
export const RELATED = "io.modelcontextprotocol/related-task";

/** The capabilities of a stateless client that supports tasks and elicitation. */
export const TASK_CLIENT: JsonObject = { elicitation: {}, extensions: { [EXTENSION]: {} } };

/** A server whose calls become tasks after a millisecond. */
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

/** A tool that ends when the test says so. */
export class Job {
  readonly #gate = new Deferred<() => ToolValue>();
  readonly tool: Tool;
  /** The calls that have started. */
  readonly calls: Call[] = [];

  constructor(name: string, long?: "optional" | "required") {
    this.tool = tool({
      name,
      description: "Takes its time.",
      ...(long !== undefined && { taskSupport: long }),
      run: async (_input, call) => {
        this.calls.push(call);
        return (await this.#gate.promise)();
      },
    });
  }

  end(value: ToolValue): void {
    this.#gate.resolve(() => value);
  }

  fail(error: Error): void {
    this.#gate.resolve(() => {
      throw error;
    });
  }
}

/** Starts a call as a task, and returns its id. */
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

/** Polls a task until it has this status. */
export async function untilStatus(client: TestClient, taskId: string, status: string): Promise<JsonObject> {
  for (;;) {
    const task = await getTask(client, taskId);
    if (task["status"] === status) return task;
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
}

/** The error of a rejected request. */
export async function rejection(
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
