import { InsufficientScope, MissingMember, NeedsStream, type RpcError, Stopping } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Request } from "../jsonrpc/messages.js";
import type { Caller } from "../protocol/caller.js";
import type { Block } from "../protocol/content.js";
import type {
  Implementation,
  PromptDescription,
  ResourceDescription,
  TemplateDescription,
  ToolDescription,
} from "../protocol/description.js";
import type { Outcome, Question, TaskView } from "../protocol/outcome.js";

/** The methods that every revision has. */
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

/** One published wire form of MCP. It reads and writes values, keeps nothing, and does no I/O. */
export interface Revision {
  readonly version: string;
  /** Opens with `initialize` and keeps a session; otherwise each request stands alone. */
  readonly handshake: boolean;
  readonly batching: boolean;
  /** A client can be sent away from a stream and come back for the rest, so each stream begins with an id for it. */
  readonly polling: boolean;
  /** The methods that this revision has; absent here = method not found. */
  readonly methods: ReadonlySet<string>;
  /** What stands for the id in an error when the request's own could not be read: null, or no member at all. */
  readonly unreadableId: null | undefined;
  /** Who decides that a call goes on as a task: the client with each call, the server where the client can follow, or nobody. */
  readonly taskChoice: "client" | "server" | "nobody";
  /** Its text counts wrong tool arguments as a fault of the protocol. */
  readonly argumentsAreParams: boolean;
  /** Who calls: from the request itself, or what the handshake left behind. Throws `RpcError`. */
  readCaller(request: Request, remembered: Caller | undefined): Caller;
  /** The text of the `result` member. `identity` is the members of `_meta` that name the server, as text. */
  writeResult(outcome: Outcome, identity: string): string;
  writeImplementation(info: Implementation): JsonObject;
  /** What the server offers, as this revision declares it. */
  writeCapabilities(capabilities: JsonObject): JsonObject;
  writeTool(tool: ToolDescription): JsonObject;
  writeResource(resource: ResourceDescription | TemplateDescription): JsonObject;
  writePrompt(prompt: PromptDescription): JsonObject;
  writeBlocks(blocks: readonly Block[]): readonly Block[];
  /** The contents of a resource that was read. */
  writeContents(contents: readonly JsonObject[]): readonly JsonObject[];
  /** The members of a task. */
  writeTask(task: TaskView): JsonObject;
  /** The structured content that this revision can carry, as JSON text; undefined = none. */
  writeStructured(json: string | undefined): string | undefined;
  /** The capabilities that a client must have declared to be asked this. */
  needs(question: Question): JsonObject;
  /** The params of a question to the client. Throws a plain `Error` that says why it cannot be asked here. */
  writeQuestion(question: Question): JsonObject;
  writeProgress(params: JsonObject): JsonObject;
  writeError(error: RpcError): JsonObject;
  /** The HTTP status of an answer that is this error. */
  statusOf(error: RpcError): number;
}

/** The `_meta` member of a request, where it has one. */
export function metaOf(request: { readonly params?: Json }): JsonObject | undefined {
  const meta = (request.params as JsonObject | undefined)?.["_meta"];
  return isObject(meta) ? meta : undefined;
}

/** The members of a tool result as text, without the braces around them. */
export function toolMembers(revision: Revision, result: Extract<Outcome, { kind: "tool" }>["result"]): string {
  const { content, isError } = result;
  const structured = revision.writeStructured(result.structured);
  const blocks =
    typeof content === "string"
      ? `[{"type":"text","text":${JSON.stringify(content)}}]`
      : JSON.stringify(revision.writeBlocks(content));
  const members = `"content":${blocks},"isError":${isError}`;
  return structured === undefined ? members : `${members},"structuredContent":${structured}`;
}

/** The HTTP status of an error that means the same in every revision; undefined = it depends. */
export function statusOf(error: RpcError): number | undefined {
  if (error instanceof MissingMember) return 400;
  if (error instanceof InsufficientScope) return 403;
  if (error instanceof Stopping) return 503;
  return error instanceof NeedsStream ? 406 : undefined;
}
