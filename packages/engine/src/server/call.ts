import type { JsonObject } from "../jsonrpc/messages.js";
import type { ContentBlock } from "../protocol/content.js";
import type { TraceContext } from "../protocol/request-meta.js";
import type { Caller, LogLevel } from "../protocol/types.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";

/** What `call.supports` can check: the method of the same name, sampling with tools, or pages of tools (MCP Apps). */
export type ClientFeature = "elicit" | "elicitUrl" | "sample" | "sampleWithTools" | "roots" | "apps";

/** A directory or file that the user works on. It is a hint, not a permission. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** One message of a conversation that the model continues. Create it with `user` or `assistant`, or as a literal. */
export interface SamplingMessage {
  readonly role: "user" | "assistant";
  /** Text, or text, image and audio blocks. */
  readonly content: string | ContentBlock | readonly ContentBlock[];
}

/** Which kind of model the client should choose. Priorities are between 0 and 1. The client decides. */
export interface ModelPreferences {
  /** Names of models or parts of them, in order of preference. */
  readonly hints?: readonly { readonly name?: string }[];
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/** A tool that the model may use during sampling. Any `Tool` fits, whether the server lists it or not. */
export interface SamplingTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input?: SchemaSource;
  readonly output?: SchemaSource;
  run(input: never, call: Call): unknown;
}

/** The request of `call.sample`: a prompt or a conversation, and options. */
export type SamplingRequest = SamplingOptions &
  (
    | { readonly prompt: string; readonly messages?: never }
    | { readonly messages: readonly SamplingMessage[]; readonly prompt?: never }
  );

/** Options of `call.sample`. The client may change all of them except the tools. */
export interface SamplingOptions {
  /** The maximum length of the response, in tokens; 1000 by default. */
  readonly maxTokens?: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: ModelPreferences;
  /** Which context of MCP servers the client should add. Few clients support it. */
  readonly includeContext?: "none" | "thisServer" | "allServers";
  /** Passed to the model's provider. */
  readonly metadata?: JsonObject;
  /** Tools that the model may use. The engine runs them one after the other; like the handler, they may run again. */
  readonly tools?: readonly SamplingTool[];
  /** `required`: the model must use a tool before it answers. */
  readonly toolChoice?: "auto" | "required" | "none";
  /** How often the model may use tools before it must answer; `limits.samplingRounds` by default. */
  readonly maxRounds?: number;
}

/** The response of the client's model. */
export interface SamplingResult {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
  /** The text of all content blocks. */
  readonly text: string;
  /** The model that the client chose. */
  readonly model: string;
  readonly stopReason: string | undefined;
}

/** The HTTP request of a call. */
export interface HttpContext {
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The second argument of a handler: who calls, and how to reach the client while the handler runs. It is the same for every protocol
 * revision and transport.
 *
 * @example
 * run: async ({ url }, { signal, progress }) => {
 *   const response = await fetch(url, { signal });
 *   progress(1, "Downloaded");
 *   return response.text();
 * };
 */
export interface Call {
  /** What the client says about itself; not verified. */
  readonly caller: Caller;
  /** The authenticated client; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** The scopes that were granted to the client; undefined if scopes are not used. */
  readonly scopes: ReadonlySet<string> | undefined;
  /**
   * The HTTP request of the call, or the one that opened its WebSocket; undefined for other transports. Its headers are not
   * verified, and credentials (`authorization`, `cookie`) are replaced by "[redacted]".
   */
  readonly http: HttpContext | undefined;
  /** Aborted when the call is cancelled, times out, or is still running when the server closes. */
  readonly signal: AbortSignal;
  /** The W3C trace context that the client sent, if any. */
  readonly trace: TraceContext | undefined;
  /**
   * Reports progress, if the client asked for it. Each value must be greater than the one before. Every report restarts the timeout.
   *
   * @example
   * ```ts
   * for (const [index, file] of files.entries()) {
   *   await convert(file);
   *   call.progress(index + 1, `Converted ${file}`, files.length);
   * }
   * ```
   */
  progress(this: void, value: number, message?: string, total?: number): void;
  /** Sends a log message to the client, if the level that the client has set allows it. */
  log(this: void, level: LogLevel, message: unknown, logger?: string): void;
  /** Tells whether the client supports a feature. The method of an unsupported feature rejects. */
  supports(this: void, feature: ClientFeature): boolean;
  /**
   * Asks the user to fill in a form. Returns the input, or undefined if the user declined. `name` identifies the request within the
   * call.
   *
   * With a stateless revision the handler runs again from the start for each response, and earlier requests return their responses at
   * once. Request input first, and act afterwards. The same applies to `elicitUrl`, `sample` and `roots`.
   *
   * @example
   * ```ts
   * const answer = await call.elicit("confirm", `Delete ${path}?`, {
   *   type: "object",
   *   properties: { confirm: { type: "boolean" } },
   *   required: ["confirm"],
   * });
   * if (answer?.confirm !== true) return "Nothing was deleted.";
   * await rm(path);
   * ```
   */
  elicit<const Form extends SchemaSource>(
    this: void,
    name: string,
    message: string,
    form: Form,
  ): Promise<InferInput<Form> | undefined>;
  /**
   * Asks the user to open a URL, for anything that must not pass through the client: secrets, payments, consent. Returns true if the
   * user agreed to open it, which does not mean that they completed anything there. `id` must be unique on this server; pass it to
   * `server.completeElicitation` when the user is done.
   */
  elicitUrl(
    this: void,
    name: string,
    message: string,
    url: string,
    options?: { readonly id?: string },
  ): Promise<boolean>;
  /**
   * Asks the client's model. The engine runs the tools that the model uses until it answers. `name` identifies the request within the
   * call.
   *
   * @example
   * ```ts
   * if (!call.supports("sample")) return text;
   * const { text: summary } = await call.sample("summary", { prompt: `Summarize:\n${text}`, maxTokens: 200 });
   * return summary;
   * ```
   */
  sample(this: void, name: string, request: SamplingRequest): Promise<SamplingResult>;
  /** Returns the directories and files that the user works on. They are hints, not access control. */
  roots(this: void): Promise<readonly Root[]>;
}
