import { ResourceNotFound, type RpcError } from "../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { Caller } from "../protocol/caller.js";
import type { Outcome, TaskView } from "../protocol/outcome.js";
import { revision20260728 as newer } from "./2026-07-28.js";
import { TASKS_EXTENSION } from "./meta-keys.js";
import { COMMON_METHODS, type Revision, statusOf, toolMembers } from "./revision.js";

const NOBODY: Caller = { info: undefined, capabilities: {}, logLevel: undefined };

/** What is no request of a session at all; the last is said to clients of another era alone. */
const BAD_REQUESTS: ReadonlySet<number> = new Set([-32700, -32600, -32022]);

/** The methods of every revision that opens with a handshake. */
export const HANDSHAKE_METHODS: readonly string[] = [
  ...COMMON_METHODS,
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
];

/** The newest revision with a handshake: a session remembers who calls, and results carry nothing but themselves. */
export const revision20251125: Revision = {
  ...newer,
  version: "2025-11-25",
  handshake: true,
  polling: true,
  methods: new Set([...HANDSHAKE_METHODS, "tasks/get", "tasks/result", "tasks/list", "tasks/cancel"]),
  taskChoice: "client",

  readCaller: (_request, remembered) => remembered ?? NOBODY,

  writeResult(outcome: Outcome): string {
    switch (outcome.kind) {
      case "text":
        return outcome.body;
      case "tool": {
        const { meta } = outcome.result;
        return `{${toolMembers(this, outcome.result)}${meta === undefined ? "" : `,"_meta":${JSON.stringify(meta)}`}}`;
      }
      case "task":
        return JSON.stringify({ task: this.writeTask(outcome.task) });
      case "plain":
        return JSON.stringify(outcome.body);
      case "input_required":
        throw new TypeError("A handshake revision asks with a request of its own, never with a result");
    }
  },

  /** Tasks are part of the protocol here, and extensions are not declared by servers yet. */
  writeCapabilities: ({ extensions, ...capabilities }) => ({
    ...capabilities,
    ...(isObject(extensions) &&
      TASKS_EXTENSION in extensions && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
  }),
  writeTool: (tool) => {
    // A schema that is no object schema, and with it the value, does not exist before the stateless revision.
    const { outputSchema, ...rest } = tool;
    return (outputSchema?.["type"] === "object" ? tool : rest) as unknown as JsonObject;
  },
  writeStructured: (json) => (json?.startsWith("{") ? json : undefined),
  writeQuestion: ({ params, pageId }) => (pageId === undefined ? params : { ...params, elicitationId: pageId }),
  writeTask: (task: TaskView) => {
    const { ttlMs, pollIntervalMs, ...rest } = newer.writeTask(task);
    return { ...rest, ttl: ttlMs ?? null, ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }) };
  },
  writeError: (error: RpcError) =>
    error instanceof ResourceNotFound ? { ...newer.writeError(error), code: -32002 } : newer.writeError(error),
  /** An unknown method is an answer like any other: a client would take 404 for the end of its session. */
  statusOf: (error) => statusOf(error) ?? (BAD_REQUESTS.has(error.code) ? 400 : 200),
};
