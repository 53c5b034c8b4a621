import type { JsonObject } from "../jsonrpc/json.js";
import type { Caller, LogLevel } from "../protocol/caller.js";
import type { Block } from "../protocol/content.js";
import type { Trace } from "../protocol/trace.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";

/**
 * What `call.can` knows of: each can be asked for with the method of this name; `show` is the page that a tool names in its
 * `ui`.
 */
export type Possibility = "ask" | "visit" | "sample" | "sampleWithTools" | "roots" | "show";

/** A folder or file that the client's user works on. It guides; it is no permission, and says nothing of what may be read. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** One message of a conversation that a model is to go on with; those of `user` and `assistant` fit. */
export interface SampleMessage {
  readonly role: "user" | "assistant";
  /** Text, or blocks of text, image and sound. */
  readonly content: string | Block | readonly Block[];
}

/** What kind of model the client should choose, each wish from 0 to 1; the client has the last word. */
export interface ModelPreferences {
  /** Names or parts of names, the best first. */
  readonly hints?: readonly { readonly name?: string }[];
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/** A tool that a model may use while it is sampled: any `Tool` of yours, offered by the server or not. */
export interface SampleTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input?: SchemaSource;
  readonly output?: SchemaSource;
  run(input: never, call: Call): unknown;
}

/** What `call.sample` asks of the client's model. */
export type SampleRequest = SampleOptions &
  (
    | { readonly prompt: string; readonly messages?: never }
    | { readonly messages: readonly SampleMessage[]; readonly prompt?: never }
  );

/** How the client's model is to be used; all but the tools are wishes that the client may change. */
export interface SampleOptions {
  /** The longest answer, in tokens; 1000 by default. */
  readonly maxTokens?: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: ModelPreferences;
  /** What else the client should show to the model; avoid it, for few clients do. */
  readonly includeContext?: "none" | "thisServer" | "allServers";
  /** Passed on to whoever offers the model. */
  readonly metadata?: JsonObject;
  /** Run by the engine when the model uses them, one after the other. Like the handler itself they may run again. */
  readonly tools?: readonly SampleTool[];
  /** `required`: the model has to use a tool before it answers. */
  readonly toolChoice?: "auto" | "required" | "none";
  /** How often the model may use tools before it has to answer; `limits.samplingRounds` by default. */
  readonly rounds?: number;
}

/** What the client's model said. */
export interface Sample {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
  /** All text of the content. */
  readonly text: string;
  /** The model that the client chose. */
  readonly model: string;
  readonly stopReason: string | undefined;
}

/** The HTTP around a call. */
export interface HttpContext {
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One call, as the author of a tool sees it. It has no revision, transport or session: none of them can be depended on. */
export interface Call {
  /** Who calls, as the client says of itself. */
  readonly caller: Caller;
  /** Who calls, as the transport has verified it; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** What whoever calls may do, as the transport has verified it; undefined where nothing is limited. */
  readonly scopes: ReadonlySet<string> | undefined;
  /**
   * The HTTP that the call came with, or its WebSocket began with; undefined elsewhere. None of it is verified; what says who
   * somebody is (`authorization`, `cookie`) is "[redacted]".
   */
  readonly http: HttpContext | undefined;
  /** Aborted when the call is cancelled, runs out of time, or is still running when the server has to end. */
  readonly signal: AbortSignal;
  /** Where the call stands in a distributed trace, if the client says so in the form of W3C Trace Context. */
  readonly trace: Trace | undefined;
  /** Reports progress, where the client wants to hear of it. Values must grow; each report restarts the timeout. */
  progress(this: void, value: number, message?: string, total?: number): void;
  /** Sends a log line, where the client's level allows. */
  log(this: void, level: LogLevel, message: unknown, logger?: string): void;
  /** Whether the client can be asked for something, so that a handler may choose another way. */
  can(this: void, what: Possibility): boolean;
  /**
   * Asks the person at the other end to fill in a form, and gives what they entered; undefined when they declined. The tool
   * may run again from the top for each answer, so: ask first, act after. This holds for all that follow.
   */
  ask<const Form extends SchemaSource>(
    this: void,
    name: string,
    message: string,
    form: Form,
  ): Promise<InferInput<Form> | undefined>;
  /**
   * Asks the person to open a page, for what must not pass through the client: secrets, payments, consent. True = they agreed
   * to open it, which says nothing of what they did there. `id`, unique on this server, is the name under which
   * `server.visitDone` tells the client that all is done.
   */
  visit(this: void, name: string, message: string, url: string, options?: { readonly id?: string }): Promise<boolean>;
  /** Asks the client's model. Tools that it may use are run by the engine until it answers. */
  sample(this: void, name: string, request: SampleRequest): Promise<Sample>;
  /** The folders and files that the client's user works on. They guide; they are no access control. */
  roots(this: void): Promise<readonly Root[]>;
}
