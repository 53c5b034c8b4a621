import type { JsonObject } from "@toolwright/engine";
import { createRedaction } from "@toolwright/engine/observability";
import { isObject } from "@toolwright/kit/json";
import type { Era } from "./protocol.js";

/** A conversation in one revision, whatever carries it. */
export interface Talk {
  readonly era: Era;
  /** What the server said to `initialize`; of a revision whose requests stand alone, to `server/discover`. */
  readonly opening: Reply;
  ask(method: string, params?: Readonly<Record<string, unknown>>, id?: number | string): Promise<Reply>;
  notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Every message that the server has sent. */
  heard(): readonly JsonObject[];
  /** Answers with ids that nobody has asked with, for people. */
  unmatched(): readonly string[];
  close(): Promise<void>;
}

/** What became of something that was sent: an answer, silence, or the end of the server or of the connection. */
export interface Reply {
  readonly kind: "answer" | "silence" | "end";
  /** The answer; an empty object where there is none. */
  readonly message: JsonObject;
  /** How the server ended, or why nothing came. */
  readonly reason: string;
  /** The status of an answer over HTTP. */
  readonly status?: number;
  /** What went over the wire, for people. */
  readonly evidence: readonly string[];
}

/** The result of an answer; undefined where it is an error or no object. */
export function resultOf({ message }: Reply): JsonObject | undefined {
  return asObject(message["result"]);
}

/** The code of an error; undefined where there is none. */
export function codeOf({ message }: Reply): number | undefined {
  const code = asObject(message["error"])?.["code"];
  return typeof code === "number" ? code : undefined;
}

/** A JSON object, or undefined for every other value. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** What came, in a few words. */
export function sayReply(reply: Reply): string {
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

/** A value of a stranger as text: what should be a text may be anything. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** How much of one frame is shown, and how many frames a finding has. */
const MOST_SIGNS = 360;
const MOST_FRAMES = 8;

const redaction = createRedaction();

/** A text of a server, short and without secrets. */
export function shorten(text: string, most = MOST_SIGNS): string {
  // What is cut off first need not be searched for secrets: a message can have megabytes.
  const head = redaction.text(text.slice(0, most * 4)).trim();
  return text.length <= most && head.length <= most ? head : `${head.slice(0, most)}… (${text.length} characters)`;
}

/** A frame that was sent. */
export const sent = (text: string): string => `→ ${shorten(text)}`;

/** A frame that came. */
export const came = (text: string): string => `← ${shorten(text)}`;

/** Something about the wire that is no frame. */
export const remark = (text: string): string => `· ${shorten(text)}`;

/** As many frames as a reader takes in. */
export function few(frames: readonly string[]): readonly string[] {
  if (frames.length <= MOST_FRAMES) return frames;
  return [...frames.slice(0, MOST_FRAMES - 1), `· … ${frames.length - MOST_FRAMES + 1} more`];
}
