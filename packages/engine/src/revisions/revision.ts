import type { RpcError } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject, type JsonRpcRequest } from "../jsonrpc/messages.js";
import type { ContentBlock } from "../protocol/content.js";
import type { InputRequest, Outcome, TaskView } from "../protocol/outcome.js";
import type {
  Caller,
  Implementation,
  PromptDescription,
  ResourceDescription,
  ResourceTemplateDescription,
  ToolDescription,
} from "../protocol/types.js";

/** The methods of every revision. */
export const COMMON_METHODS: readonly string[] = [
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
];

/** One published revision of MCP. It reads and writes messages, has no state and does no I/O. */
export interface Revision {
  readonly version: string;
  /** Whether it starts with `initialize` and has sessions; otherwise every request is independent. */
  readonly handshake: boolean;
  /** Whether a message may be a JSON-RPC batch. */
  readonly batching: boolean;
  /** Whether the server may close an event stream and let the client reconnect; every stream then starts with an event id. */
  readonly polling: boolean;
  /** The methods of this revision; all others are not found. */
  readonly methods: ReadonlySet<string>;
  /** The id of an error response if the id of the request could not be read; undefined = the member is omitted. */
  readonly unknownId: null | undefined;
  /** Who decides that a call runs as a task: the client per call, the server if the client supports tasks, or none. */
  readonly taskInitiator: "client" | "server" | "none";
  /** Whether its specification treats invalid tool arguments as a JSON-RPC error. */
  readonly invalidArgumentsAreRpcErrors: boolean;
  /** Returns the caller: from the request itself, or from the session. Throws `RpcError`. */
  readCaller(request: JsonRpcRequest, sessionCaller: Caller | undefined): Caller;
  /** Encodes the `result` member. `serverInfo` is the JSON text of the `_meta` members that name the server. */
  writeResult(outcome: Outcome, serverInfo: string): string;
  writeImplementation(info: Implementation): JsonObject;
  /** The capabilities of the server as this revision declares them. */
  writeCapabilities(capabilities: JsonObject): JsonObject;
  writeTool(tool: ToolDescription): JsonObject;
  writeResource(resource: ResourceDescription | ResourceTemplateDescription): JsonObject;
  writePrompt(prompt: PromptDescription): JsonObject;
  writeBlocks(blocks: readonly ContentBlock[]): readonly ContentBlock[];
  /** The contents of a `resources/read` result. */
  writeResourceContents(contents: readonly JsonObject[]): readonly JsonObject[];
  /** The members of a task. */
  writeTask(task: TaskView): JsonObject;
  /** The structured content that this revision supports, as JSON text; undefined = none. */
  writeStructuredContent(json: string | undefined): string | undefined;
  /** The client capabilities that a request to the client needs. */
  requiredCapabilities(request: InputRequest): JsonObject;
  /** The params of a request to the client. Throws an `Error` with the reason if this revision does not support it. */
  writeInputRequest(request: InputRequest): JsonObject;
  writeProgress(params: JsonObject): JsonObject;
  writeError(error: RpcError): JsonObject;
  /** The HTTP status of an error response. */
  httpStatus(error: RpcError): number;
}

/** Returns the `_meta` member of a request, if it has one. */
export function getMeta(request: { readonly params?: Json }): JsonObject | undefined {
  const meta = (request.params as JsonObject | undefined)?.["_meta"];
  return isObject(meta) ? meta : undefined;
}

/** Encodes the members of a tool result as JSON text without braces. */
export function encodeToolMembers(revision: Revision, result: Extract<Outcome, { kind: "tool" }>["result"]): string {
  const { content, isError } = result;
  const blocks =
    typeof content === "string"
      ? `[{"type":"text","text":${JSON.stringify(content)}}]`
      : JSON.stringify(revision.writeBlocks(content));
  const members = `"content":${blocks},"isError":${isError}`;
  const structured = result.structured === undefined ? undefined : revision.writeStructuredContent(result.structured);
  return structured === undefined ? members : `${members},"structuredContent":${structured}`;
}

/** Returns the client capabilities that a request to the client needs, as the newest revision defines them. */
export function requiredCapabilities({ method, params }: InputRequest): JsonObject {
  switch (method) {
    case "elicitation/create":
      return { elicitation: params["mode"] === "url" ? { url: {} } : {} };
    case "sampling/createMessage": {
      const { tools, includeContext } = params;
      const isContextUsed = includeContext !== undefined && includeContext !== "none";
      return { sampling: { ...(tools !== undefined && { tools: {} }), ...(isContextUsed && { context: {} }) } };
    }
    case "roots/list":
      return { roots: {} };
  }
}

/** Removes the parts of capabilities, for revisions that do not have them. */
export function omitSubcapabilities(required: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(required).map((name) => [name, {}]));
}

/** Returns whether the declared client capabilities include the required ones. */
export function hasCapabilities(declared: JsonObject, required: JsonObject): boolean {
  return Object.entries(required).every(([name, parts]) => {
    const capability = declared[name];
    if (!isObject(capability)) return false;
    const subcapabilities = Object.keys(parts as JsonObject);
    // Form elicitation is the default, unless a client declares only URL elicitation.
    if (name === "elicitation" && subcapabilities.length === 0) return "form" in capability || !("url" in capability);
    return subcapabilities.every((part) => isObject(capability[part]));
  });
}
