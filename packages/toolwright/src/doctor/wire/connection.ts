import type { JsonObject } from "@toolwright/engine";
import { createRedaction } from "@toolwright/engine/observability";
import { isObject } from "@toolwright/kit/json";
import type { ProtocolRevision } from "./protocol.js";

/** A conversation in one revision over any transport. */
export interface Conversation {
  readonly revision: ProtocolRevision;
  /** The reply to `initialize`, or to `server/discover` in the stateless revision. */
  readonly opening: Reply;
  ask(method: string, params?: Readonly<Record<string, unknown>>, id?: number | string): Promise<Reply>;
  notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Every message from the server. */
  received(): readonly JsonObject[];
  /** Responses whose ids match no request, for the report. */
  unmatchedResponses(): readonly string[];
  close(): Promise<void>;
}

/** What happened after a request: a response, silence, or the end of the process or connection. */
export interface Reply {
  readonly kind: "answer" | "silence" | "end";
  /** The response; an empty object if there is none. */
  readonly message: JsonObject;
  /** How the server exited, or why there is no response. */
  readonly reason: string;
  /** The HTTP status. */
  readonly status?: number;
  /** The messages, for the report. */
  readonly evidence: readonly string[];
}

/** The result of a response; undefined if it is an error or not an object. */
export function resultOf({ message }: Reply): JsonObject | undefined {
  return asObject(message["result"]);
}

/** The code of an error; undefined if there is none. */
export function codeOf({ message }: Reply): number | undefined {
  const code = asObject(message["error"])?.["code"];
  return typeof code === "number" ? code : undefined;
}

/** A JSON object, or undefined for every other value. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Describes a reply in a few words. */
export function describeReply(reply: Reply): string {
  if (reply.kind === "silence") return "no response";
  if (reply.kind === "end") return reply.reason;
  const code = codeOf(reply);
  if (code !== undefined) return `error ${code}`;
  return resultOf(reply) === undefined ? "a response without result or error" : "a result";
}

/** The objects among some values. */
export function objectsIn(values: readonly unknown[]): JsonObject[] {
  return values.map(asObject).filter((value) => value !== undefined);
}

/** A value as text: what should be a string may be anything. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** How much of a message is shown, and how many messages a finding has. */
const MAX_FRAME_LENGTH = 360;
const MAX_FRAMES = 8;

const redaction = createRedaction();

/** Shortens a text of a server, and removes secrets. */
export function shorten(text: string, most = MAX_FRAME_LENGTH): string {
  // Cut first: a message can have megabytes, and searching for secrets is slow.
  const head = redaction.text(text.slice(0, most * 4)).trim();
  return text.length <= most && head.length <= most ? head : `${head.slice(0, most)}… (${text.length} characters)`;
}

/** A message that was sent. */
export const sentFrame = (text: string): string => `→ ${shorten(text)}`;

/** A message that was received. */
export const receivedFrame = (text: string): string => `← ${shorten(text)}`;

/** A comment between the messages. */
export const comment = (text: string): string => `· ${shorten(text)}`;

/** Limits the number of messages. */
export function limitFrames(frames: readonly string[]): readonly string[] {
  if (frames.length <= MAX_FRAMES) return frames;
  return [...frames.slice(0, MAX_FRAMES - 1), `· … ${frames.length - MAX_FRAMES + 1} more`];
}
