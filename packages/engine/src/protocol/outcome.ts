import { brand } from "../jsonrpc/brand.js";
import type { JsonObject } from "../jsonrpc/json.js";
import type { Block } from "./content.js";

const NO_PATHS: readonly string[] = [];

/** The task failed: its message is for the model, which can only correct what it sees. */
export class ToolError extends Error {
  /** A stable name for programs, such as `TIMEOUT`. */
  readonly code: string | undefined;
  readonly details: JsonObject;
  /** Folders of the host that the client may hear of; other paths are shortened on their way to it. */
  readonly paths: readonly string[];

  constructor(
    message: string,
    options: { code?: string; details?: JsonObject; paths?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.code = options.code;
    this.details = options.details ?? {};
    this.paths = options.paths ?? NO_PATHS;
  }
}
brand(ToolError, "ToolError");

/** What a failure tells programs: its stable name, where it has one, and its details. */
export const toldOf = ({ code, details }: ToolError): JsonObject => ({
  ...(code !== undefined && { code }),
  ...details,
});

/** What a tool call came to, free of any revision. */
export interface ToolResult {
  /** Blocks, or the one text that most results are. */
  readonly content: string | readonly Block[];
  /** The JSON text of the structured content; undefined = there is none. */
  readonly structured: string | undefined;
  readonly isError: boolean;
  readonly meta: JsonObject | undefined;
}

/** How long and by whom a result may be kept. */
export interface CacheHint {
  /** How long it stays true, in milliseconds; 0 = ask again each time. */
  readonly ttlMs: number;
  /** `public` only for what is the same for every caller. */
  readonly scope: "public" | "private";
}

/** What holds where nothing else is said: kept by nobody. */
export const NOT_KEPT: CacheHint = Object.freeze({ ttlMs: 0, scope: "private" });

/** What a question to the client looks like before any revision has written it down. */
export interface Question {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: JsonObject;
  /** Names a page that a person is asked to open, for revisions in which it has a name. */
  readonly pageId?: string;
}

/** How far a task has come. The last three are final. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task as it is shown to a client, before any revision has written it down. */
export interface TaskView {
  readonly id: string;
  readonly status: TaskStatus;
  readonly message?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How long after its creation it is kept; null = for ever. */
  readonly ttlMs: number | null;
  readonly pollMs: number;
}

/** The text of a JSON object, written down once and kept. */
export interface KeptText {
  readonly kind: "text";
  readonly body: string;
  /** How many more bytes than characters it has; undefined = nobody has counted. */
  readonly excess?: number;
}

/** What a request came to, before a revision writes it down. */
export type Outcome =
  /** A JSON object that looks the same in every revision. */
  | { readonly kind: "plain"; readonly body: JsonObject; readonly cache?: CacheHint; readonly meta?: string }
  | KeptText
  | { readonly kind: "tool"; readonly result: ToolResult }
  /** The call goes on as a task, and this is its first state. */
  | { readonly kind: "task"; readonly task: TaskView }
  | { readonly kind: "input_required"; readonly questions: ReadonlyMap<string, Question>; readonly state: string };
