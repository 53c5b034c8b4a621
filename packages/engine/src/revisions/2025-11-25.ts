import { ResourceNotFoundError, type RpcError } from "../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../jsonrpc/messages.js";
import type { Outcome, TaskView } from "../protocol/outcome.js";
import type { Caller } from "../protocol/types.js";
import { revision20260728 as newer } from "./2026-07-28.js";
import { TASKS_EXTENSION } from "./meta-keys.js";
import { COMMON_METHODS, encodeToolMembers, type Revision } from "./revision.js";

const UNKNOWN_CALLER: Caller = { info: undefined, capabilities: {}, logLevel: undefined };

/** The codes of errors with HTTP status 400. -32022 is only sent to clients of the stateless revision. */
const BAD_REQUEST_CODES: ReadonlySet<number> = new Set([-32700, -32600, -32022]);

/** The methods of every revision with a handshake. */
export const HANDSHAKE_METHODS: readonly string[] = [
  ...COMMON_METHODS,
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
];

/** The newest revision with a handshake: the session knows the caller, and results have no additional members. */
export const revision20251125: Revision = {
  ...newer,
  version: "2025-11-25",
  handshake: true,
  polling: true,
  methods: new Set([...HANDSHAKE_METHODS, "tasks/get", "tasks/result", "tasks/list", "tasks/cancel"]),
  taskInitiator: "client",

  readCaller: (_request, sessionCaller) => sessionCaller ?? UNKNOWN_CALLER,

  writeResult(outcome: Outcome): string {
    switch (outcome.kind) {
      case "text":
        return outcome.body;
      case "tool": {
        const { meta } = outcome.result;
        return `{${encodeToolMembers(this, outcome.result)}${meta === undefined ? "" : `,"_meta":${JSON.stringify(meta)}`}}`;
      }
      case "task":
        return JSON.stringify({ task: this.writeTask(outcome.task) });
      case "plain":
        return JSON.stringify(outcome.body);
      case "input_required":
        throw new TypeError("Revisions with a handshake have no input_required results");
    }
  },

  /** Tasks are part of the protocol here, and servers do not declare extensions yet. */
  writeCapabilities: ({ extensions, ...capabilities }) => ({
    ...capabilities,
    ...(isObject(extensions) &&
      TASKS_EXTENSION in extensions && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
  }),
  writeTool: (tool) => {
    // Only the stateless revision allows output schemas of other types than object.
    const { outputSchema, ...rest } = tool;
    return (outputSchema?.["type"] === "object" ? tool : rest) as unknown as JsonObject;
  },
  writeStructuredContent: (json) => (json?.startsWith("{") ? json : undefined),
  writeInputRequest: ({ params, pageId }) => (pageId === undefined ? params : { ...params, elicitationId: pageId }),
  writeTask: (task: TaskView) => {
    const { ttlMs, pollIntervalMs, ...rest } = newer.writeTask(task);
    return { ...rest, ttl: ttlMs ?? null, ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }) };
  },
  writeError: (error: RpcError) =>
    error instanceof ResourceNotFoundError ? { ...newer.writeError(error), code: -32002 } : newer.writeError(error),
  /** An unknown method is an answer like any other: a client would take 404 for the end of its session. */
  httpStatus: ({ httpStatus, code }) => httpStatus ?? (BAD_REQUEST_CODES.has(code) ? 400 : 200),
};
