import { brandClass } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/messages.js";
import type { ContentBlock } from "./content.js";

/** What to do about a `ToolError`. Every interface words it for its reader: a model is told a tool call, a terminal shows a command. */
export interface ErrorHint {
  /** What to do, as an imperative without a full stop: `"list the known cities"`. */
  readonly action: string;
  /** The tool that does it. */
  readonly tool?: string;
  /** The arguments of that tool. */
  readonly arguments?: JsonObject;
}

/** The members of a `ToolError` other than its message. */
export interface ToolErrorOptions {
  /** A stable name that programs can test, such as `NOT_FOUND`. */
  readonly code?: string;
  /** What to do about it. */
  readonly hint?: ErrorHint;
  /** Additional values for programs. */
  readonly details?: JsonObject;
  readonly cause?: unknown;
}

/**
 * A tool fails with this error to tell the model what went wrong; its message is sent as it is, followed by the hint. Any other error is
 * logged, and the model sees only a reference to the log entry.
 *
 * @example
 * ```ts
 * throw new ToolError(`There is no city "${city}".`, {
 *   code: "UNKNOWN_CITY",
 *   hint: { action: "list the known cities", tool: "list_cities" },
 * });
 * ```
 */
export class ToolError extends Error {
  /** A stable name that programs can test, such as `TIMEOUT`. */
  readonly code: string | undefined;
  /** What to do about it. */
  readonly hint: ErrorHint | undefined;
  readonly details: JsonObject;

  constructor(message: string, { code, hint, details = {}, cause }: ToolErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ToolError";
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}
brandClass(ToolError, "ToolError");

/** Returns the code, details and hint of a `ToolError` as an object. */
export const toErrorData = ({ code, details, hint }: ToolError): JsonObject => ({
  ...(code !== undefined && { code }),
  ...details,
  ...(hint !== undefined && { hint: { ...hint } }),
});

/** The message of a `ToolError` for a model, with its hint as a sentence: `To list the known cities, call list_cities with {…}.` */
export function toModelMessage({ message, hint }: ToolError): string {
  // Some code puts other values into `message`.
  const text = typeof message === "string" ? message : (JSON.stringify(message) ?? "");
  if (hint === undefined) return text;
  const sentence = /[.!?:]\s*$/.test(text) ? text.trimEnd() : `${text}.`;
  return `${sentence} ${toModelHint(hint)}`;
}

/** A hint as a sentence for a model. */
export function toModelHint({ action, tool, arguments: args }: ErrorHint): string {
  if (tool === undefined) return `${action.charAt(0).toUpperCase()}${action.slice(1)}.`;
  return `To ${action}, call ${tool}${args === undefined ? "" : ` with ${toJson(args)}`}.`;
}

/** A hint whose arguments JSON cannot represent must not hide the error. */
function toJson(value: JsonObject): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "the values above";
  }
}

/** The result of a tool call, before a revision encodes it. */
export interface ToolOutcome {
  /** Content blocks, or a string for the common case of one text block. */
  readonly content: string | readonly ContentBlock[];
  /** The structured content as JSON text; undefined = none. */
  readonly structured: string | undefined;
  readonly isError: boolean;
  readonly meta: JsonObject | undefined;
}

/** How long and by whom a result may be cached. */
export interface CacheHint {
  /** How long the result is fresh, in milliseconds; 0 = do not cache. */
  readonly ttlMs: number;
  /** `public` only if the result is the same for every caller. */
  readonly scope: "public" | "private";
}

/** The default: not cached. */
export const NO_CACHE: CacheHint = Object.freeze({ ttlMs: 0, scope: "private" });

/** A request to the client for input, before a revision encodes it. */
export interface InputRequest {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: JsonObject;
  /** The id of a URL elicitation, for revisions that have one. */
  readonly pageId?: string;
}

/** The status of a task. The last three are final. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task as clients see it, before a revision encodes it. */
export interface TaskView {
  readonly id: string;
  readonly status: TaskStatus;
  readonly message?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How long after its creation it is kept; null = forever. */
  readonly ttlMs: number | null;
  readonly pollMs: number;
}

/** A result that is already encoded as JSON text. */
export interface EncodedResult {
  readonly kind: "text";
  readonly body: string;
  /** How many more bytes than characters the text has; undefined = unknown. */
  readonly extraBytes?: number;
}

/** The outcome of a request, before a revision encodes it. */
export type Outcome =
  /** A JSON object that is the same in every revision. */
  | { readonly kind: "plain"; readonly body: JsonObject; readonly cache?: CacheHint; readonly meta?: string }
  | EncodedResult
  | { readonly kind: "tool"; readonly result: ToolOutcome }
  /** The call continues as a task; this is its initial state. */
  | { readonly kind: "task"; readonly task: TaskView }
  | {
      readonly kind: "input_required";
      readonly inputRequests: ReadonlyMap<string, InputRequest>;
      readonly state: string;
    };
