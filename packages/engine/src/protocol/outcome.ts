import { brandClass } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/messages.js";
import type { ContentBlock } from "./content.js";

/**
 * A tool fails with this error to tell the model what went wrong; its message is sent as it is. Any other error is logged, and the model
 * sees only a reference to the log entry.
 *
 * @example
 * ```ts
 * throw new ToolError(`There is no city "${city}". Call list_cities for the known ones.`, { code: "UNKNOWN_CITY" });
 * ```
 */
export class ToolError extends Error {
  /** A stable name that programs can test, such as `TIMEOUT`. */
  readonly code: string | undefined;
  readonly details: JsonObject;

  constructor(message: string, options: { code?: string; details?: JsonObject; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.code = options.code;
    this.details = options.details ?? {};
  }
}
brandClass(ToolError, "ToolError");

/** Returns the code and details of a `ToolError` as an object. */
export const toErrorData = ({ code, details }: ToolError): JsonObject => ({
  ...(code !== undefined && { code }),
  ...details,
});

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
