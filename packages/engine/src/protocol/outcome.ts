import type { JsonObject } from "../jsonrpc/json.js";
import type { Block } from "./content.js";

/** The task failed: its message is for the model, which can only correct what it sees. */
export class ToolError extends Error {
  /** A stable name for programs, such as `TIMEOUT`. */
  readonly code: string | undefined;
  readonly details: JsonObject;

  constructor(message: string, options: { code?: string; details?: JsonObject; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.code = options.code;
    this.details = options.details ?? {};
  }
}

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
interface CacheHint {
  readonly ttlMs: number;
  readonly scope: "public" | "private";
}

/** What a question to the client looks like before any revision has written it down. */
export interface Question {
  readonly method: "elicitation/create";
  readonly params: JsonObject;
}

/** What a request came to, before a revision writes it down. */
export type Outcome =
  /** A JSON object that looks the same in every revision. */
  | { readonly kind: "plain"; readonly body: JsonObject; readonly cache?: CacheHint; readonly meta?: string }
  /** The text of a JSON object, written down once and kept. */
  | { readonly kind: "text"; readonly body: string }
  | { readonly kind: "tool"; readonly result: ToolResult }
  | { readonly kind: "input_required"; readonly questions: ReadonlyMap<string, Question>; readonly state: string };
