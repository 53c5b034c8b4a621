import type { JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";

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
  if (reply.kind === "silence") return "no answer";
  if (reply.kind === "end") return reply.reason;
  const code = codeOf(reply);
  if (code !== undefined) return `error ${code}`;
  return resultOf(reply) === undefined ? "an answer without result or error" : "a result";
}

/** The objects among some values. */
export function objectsIn(values: readonly unknown[]): JsonObject[] {
  return values.map(asObject).filter((value) => value !== undefined);
}

/** A value of a stranger as text: what should be a text may be anything. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
