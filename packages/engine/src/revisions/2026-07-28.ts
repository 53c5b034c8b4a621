import { invalidParams, missingMember, type RpcError } from "../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { Request } from "../jsonrpc/messages.js";
import { type Caller, isLogLevel } from "../protocol/caller.js";
import { without } from "../protocol/description.js";
import type { Outcome, TaskView } from "../protocol/outcome.js";
import { CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY, VERSION_KEY } from "./meta-keys.js";
import { needsOf } from "./needs.js";
import { COMMON_METHODS, metaOf, type Revision, statusOf, toolMembers } from "./revision.js";

/** What a client must see before it reads the body: whether the server took the request for one of this revision at all. */
const STATUS: Readonly<Record<number, number>> = {
  [-32700]: 400,
  [-32600]: 400,
  [-32601]: 404,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** The stateless revision, and the canonical model of this engine: older revisions are written as differences to it. */
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
  unreadableId: undefined,
  taskChoice: "server",
  argumentsAreParams: false,

  readCaller(request: Request): Caller {
    const meta = metaOf(request);
    if (meta === undefined) throw missing("_meta");
    if (typeof meta[VERSION_KEY] !== "string") throw missing(VERSION_KEY);
    const capabilities = meta[CAPABILITIES_KEY];
    if (!isObject(capabilities)) throw missing(CAPABILITIES_KEY);
    const info = meta[CLIENT_KEY];
    if (info !== undefined && !isObject(info))
      throw invalidParams(`Invalid params: _meta["${CLIENT_KEY}"] must be an object`);
    const logLevel = meta[LOG_LEVEL_KEY];
    if (logLevel !== undefined && !isLogLevel(logLevel)) {
      throw invalidParams(`Invalid params: _meta["${LOG_LEVEL_KEY}"] is not a log level`);
    }
    return { info, capabilities, logLevel };
  },

  writeResult(outcome: Outcome, identity: string): string {
    switch (outcome.kind) {
      case "text":
        return outcome.body;
      case "tool": {
        const { meta } = outcome.result;
        const extra = meta === undefined ? "" : membersOf(meta);
        return `{"resultType":"complete",${toolMembers(this, outcome.result)}${writeMeta(identity, extra)}}`;
      }
      case "task":
        return `{"resultType":"task",${membersOf(this.writeTask(outcome.task))}${writeMeta(identity, "")}}`;
      case "plain": {
        const cache = outcome.cache ? `,"ttlMs":${outcome.cache.ttlMs},"cacheScope":"${outcome.cache.scope}"` : "";
        const { _meta } = outcome.body;
        const body = membersOf(_meta === undefined ? outcome.body : without(outcome.body, "_meta"));
        const extra = outcome.meta ?? (isObject(_meta) ? membersOf(_meta) : "");
        return `{"resultType":"complete"${body && `,${body}`}${cache}${writeMeta(identity, extra)}}`;
      }
      case "input_required": {
        const requests: JsonObject = {};
        for (const [name, question] of outcome.questions) {
          requests[name] = { method: question.method, params: this.writeQuestion(question) };
        }
        const body = JSON.stringify({ inputRequests: requests, requestState: outcome.state }).slice(1, -1);
        return `{"resultType":"input_required",${body}${writeMeta(identity, "")}}`;
      }
    }
  },

  writeImplementation: (info) => info as unknown as JsonObject,
  writeCapabilities: (capabilities) => capabilities,
  writeTool: (tool) => without(tool as unknown as JsonObject, "execution"),
  writeResource: (resource) => resource as unknown as JsonObject,
  writePrompt: (prompt) => prompt as unknown as JsonObject,
  writeBlocks: (blocks) => blocks,
  writeContents: (contents) => contents,
  writeTask: ({ id, status, message, createdAt, updatedAt, ttlMs, pollMs }: TaskView) => ({
    taskId: id,
    status,
    ...(message !== undefined && { statusMessage: message }),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs,
    pollIntervalMs: pollMs,
  }),
  writeStructured: (json) => json,
  needs: needsOf,
  writeQuestion: (question) => question.params,
  writeProgress: (params) => params,
  writeError: ({ code, message, data }: RpcError) => ({ code, message, ...(data && { data }) }),
  statusOf: (error) => statusOf(error) ?? STATUS[error.code] ?? 200,
};

function missing(what: string) {
  return missingMember(what === "_meta" ? "params._meta" : `params._meta["${what}"]`, what);
}

function membersOf(value: JsonObject): string {
  return JSON.stringify(value).slice(1, -1);
}

function writeMeta(identity: string, extra: string): string {
  if (!identity && !extra) return "";
  return `,"_meta":{${identity}${identity && extra && ","}${extra}}`;
}
