import { invalidParams, MissingMemberError, type RpcError } from "../jsonrpc/errors.js";
import { isObject, type JsonObject, type JsonRpcRequest, omit } from "../jsonrpc/messages.js";
import type { Outcome, TaskView } from "../protocol/outcome.js";
import { type Caller, isLogLevel } from "../protocol/types.js";
import { CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, LOG_LEVEL_KEY, PROTOCOL_VERSION_KEY } from "./meta-keys.js";
import { COMMON_METHODS, encodeToolMembers, getMeta, type Revision, requiredCapabilities } from "./revision.js";

/** The HTTP status by error code: tells clients before they read the body whether the server supports this revision. */
const HTTP_STATUS: Readonly<Record<number, number>> = {
  [-32700]: 400,
  [-32600]: 400,
  [-32601]: 404,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** The stateless revision, and the canonical form of this engine: older revisions are written as differences to newer ones. */
export const revision20260728: Revision = {
  version: "2026-07-28",
  handshake: false,
  batching: false,
  polling: false,
  methods: new Set([
    ...COMMON_METHODS,
    "server/discover",
    "subscriptions/listen",
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
  ]),
  unknownId: undefined,
  taskInitiator: "server",
  invalidArgumentsAreRpcErrors: false,

  readCaller(request: JsonRpcRequest): Caller {
    const meta = getMeta(request);
    if (meta === undefined) throw missingMeta("_meta");
    if (typeof meta[PROTOCOL_VERSION_KEY] !== "string") throw missingMeta(PROTOCOL_VERSION_KEY);
    const capabilities = meta[CLIENT_CAPABILITIES_KEY];
    if (!isObject(capabilities)) throw missingMeta(CLIENT_CAPABILITIES_KEY);
    const info = meta[CLIENT_INFO_KEY];
    if (info !== undefined && !isObject(info))
      throw invalidParams(`Invalid params: _meta["${CLIENT_INFO_KEY}"] must be an object`);
    const logLevel = meta[LOG_LEVEL_KEY];
    if (logLevel !== undefined && !isLogLevel(logLevel))
      throw invalidParams(`Invalid params: _meta["${LOG_LEVEL_KEY}"] is not a log level`);
    return { info, capabilities, logLevel };
  },

  writeResult(outcome: Outcome, serverInfo: string): string {
    switch (outcome.kind) {
      case "text":
        return outcome.body;
      case "tool": {
        const { meta } = outcome.result;
        const extra = meta === undefined ? "" : encodeMembers(meta);
        return `{"resultType":"complete",${encodeToolMembers(this, outcome.result)}${encodeMeta(serverInfo, extra)}}`;
      }
      case "task":
        return `{"resultType":"task",${encodeMembers(this.writeTask(outcome.task))}${encodeMeta(serverInfo, "")}}`;
      case "plain": {
        const cache = outcome.cache ? `,"ttlMs":${outcome.cache.ttlMs},"cacheScope":"${outcome.cache.scope}"` : "";
        const { _meta } = outcome.body;
        const body = encodeMembers(_meta === undefined ? outcome.body : omit(outcome.body, "_meta"));
        const extra = outcome.meta ?? (isObject(_meta) ? encodeMembers(_meta) : "");
        return `{"resultType":"complete"${body && `,${body}`}${cache}${encodeMeta(serverInfo, extra)}}`;
      }
      case "input_required": {
        const requests: JsonObject = {};
        for (const [name, request] of outcome.inputRequests)
          requests[name] = { method: request.method, params: this.writeInputRequest(request) };
        const body = JSON.stringify({ inputRequests: requests, requestState: outcome.state }).slice(1, -1);
        return `{"resultType":"input_required",${body}${encodeMeta(serverInfo, "")}}`;
      }
    }
  },

  writeImplementation: (info) => info as unknown as JsonObject,
  writeCapabilities: (capabilities) => capabilities,
  writeTool: (tool) => omit(tool as unknown as JsonObject, "execution"),
  writeResource: (resource) => resource as unknown as JsonObject,
  writePrompt: (prompt) => prompt as unknown as JsonObject,
  writeBlocks: (blocks) => blocks,
  writeResourceContents: (contents) => contents,
  writeTask: ({ id, status, message, createdAt, updatedAt, ttlMs, pollMs }: TaskView) => ({
    taskId: id,
    status,
    ...(message !== undefined && { statusMessage: message }),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs,
    pollIntervalMs: pollMs,
  }),
  writeStructuredContent: (json) => json,
  requiredCapabilities,
  writeInputRequest: ({ params }) => params,
  writeProgress: (params) => params,
  writeError: ({ code, message, data }: RpcError) => ({ code, message, ...(data && { data }) }),
  httpStatus: ({ httpStatus, code }) => httpStatus ?? HTTP_STATUS[code] ?? 200,
};

function missingMeta(key: string) {
  return new MissingMemberError(key === "_meta" ? "params._meta" : `params._meta["${key}"]`, key);
}

function encodeMembers(value: JsonObject): string {
  return JSON.stringify(value).slice(1, -1);
}

function encodeMeta(serverInfo: string, extra: string): string {
  if (!serverInfo && !extra) return "";
  return `,"_meta":{${serverInfo}${serverInfo && extra && ","}${extra}}`;
}
