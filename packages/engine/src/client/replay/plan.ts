import type { Json, JsonObject } from "../../jsonrpc/json.js";

/** What a request came to, as it was recorded. */
type RecordedOutcome =
  | { readonly result: JsonObject }
  | { readonly error: JsonObject }
  /** The answer was too long to keep. */
  | { readonly cut: number };

/** Something that the server wanted to know, and what it was told. */
export interface Asked {
  readonly name: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Undefined = it was never answered. */
  answer: { readonly result: JsonObject } | { readonly error: JsonObject } | undefined;
  isUsed: boolean;
}

/** One request with everything that belongs to it: the rounds of its questions, the task that it became, its end. */
export interface Step {
  readonly conversation: Conversation;
  readonly session: number;
  readonly method: string;
  /** The tool, prompt or URI that it is about. */
  readonly name: string | undefined;
  /** As its author meant them: without what belongs to a revision or to a round. */
  readonly params: JsonObject;
  readonly wantsProgress: boolean;
  readonly asked: Asked[];
  outcome: RecordedOutcome | undefined;
  /** How many reports of progress had come when it was cancelled; undefined = it was not. */
  cancelledAfter: number | undefined;
  /** It went on as a task. */
  isTask: boolean;
  reports: number;
}

/** All that one client said to the server. */
export interface Conversation {
  /** The revision that was spoken; undefined = its beginning is not in the recording. */
  revision: string | undefined;
  readonly handshake: boolean;
  /** What the client could do; undefined = its beginning is not in the recording. */
  capabilities: JsonObject | undefined;
  info: JsonObject | undefined;
  /** The handshake, where it was recorded. */
  opening: Step | undefined;
  readonly steps: Step[];
}

/** What is done, one after the other, when a recording is played. */
export type Deed =
  | { readonly kind: "open"; readonly conversation: Conversation }
  | { readonly kind: "send" | "settle" | "cancel"; readonly step: Step }
  | {
      readonly kind: "notify";
      readonly conversation: Conversation;
      readonly method: string;
      readonly params: JsonObject | undefined;
    };

/** How a recording is to be played. */
export interface Plan {
  readonly deeds: readonly Deed[];
  readonly steps: readonly Step[];
  /** What was sent and cannot be sent again. */
  readonly unplayable: readonly { readonly session: number; readonly what: string; readonly reason: string }[];
}

/** What a request is about, for people. */
export function nameOf(method: string, params: JsonObject): string | undefined {
  const value: Json | undefined = params[method === "tools/call" || method === "prompts/get" ? "name" : "uri"];
  return typeof value === "string" ? value : undefined;
}
