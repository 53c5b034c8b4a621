import { nestsDeeperThan } from "./depth.js";
import { numberSource } from "./digits.js";
import { invalidParams, invalidRequest, parseError, withId } from "./errors.js";
import { isObject, type Json, type JsonObject } from "./json.js";
import type { Id, Message } from "./messages.js";

/** How deep JSON may nest: more than any tool needs, less than what harms. */
const MAX_DEPTH = 256;

/** JSON text → value. Throws `RpcError` for text that is not JSON or nests too deep. */
export function parse(text: string): Json {
  if (nestsDeeperThan(text, MAX_DEPTH))
    throw parseError(`nested deeper than ${MAX_DEPTH} levels`, { limit: "jsonDepth" });
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw parseError(whereItBroke(cause));
  }
}

/** V8's message quotes the payload; only the position may leave the server. */
function whereItBroke(cause: unknown): string {
  const position = /position (\d+)/.exec(String(cause))?.[1];
  return position === undefined
    ? "the text ends too early or is not JSON"
    : `unexpected character at position ${position}`;
}

/** The text that a value was read from, or how to get it: it is wanted only for ids whose digits JSON.parse cannot hold. */
export type Source = string | (() => string);

const ID: readonly string[] = ["id"];

/** Value → message. Throws `RpcError` for what is no message. */
export function readMessage(value: Json, source: Source): Message {
  if (!isObject(value)) throw invalidRequest("a message is a JSON object");
  const { method } = value;
  // An answer never gets an answer, not even one whose id cannot be read: two ends could go on so for ever.
  if (method === undefined && value["jsonrpc"] === "2.0" && ("result" in value || "error" in value)) {
    return value as unknown as Message;
  }
  const id = value["id"] === undefined ? undefined : readId(value["id"], source);
  if (value["jsonrpc"] !== "2.0") throw invalidRequest('"jsonrpc" must be "2.0"', id);
  if (typeof method !== "string") throw invalidRequest('"method" must be a string', id);
  if (id === undefined) return value as unknown as Message;
  if (value["params"] !== undefined && !isObject(value["params"])) {
    throw withId(invalidParams('Invalid params: "params" must be an object'), id);
  }
  if (typeof id === "bigint") (value as { id: unknown }).id = id;
  return value as unknown as Message;
}

function readId(id: Json, source: Source): Id {
  if (typeof id === "string" || Number.isSafeInteger(id)) return id as string | number;
  const exact = exactInteger(id, source, ID);
  if (exact === undefined) throw invalidRequest('"id" must be a string or an integer');
  return exact;
}

/** The integer at `path` with all its digits, or undefined where no plain integer stands there. */
export function exactInteger(value: Json, source: Source, path: readonly string[]): number | bigint | undefined {
  if (!Number.isInteger(value)) return undefined;
  if (Number.isSafeInteger(value)) return value as number;
  const digits = numberSource(typeof source === "string" ? source : source(), path);
  return digits !== undefined && /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
}

/** An id as JSON. */
export function encodeId(id: Id): string {
  return typeof id === "string" ? JSON.stringify(id) : String(id);
}

/** The answer to a request; `result` is JSON text. */
export function encodeResult(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"result":${result}}`;
}

/** A refusal; `id` is null or left out where the request's own could not be read. */
export function encodeError(id: Id | null | undefined, error: JsonObject): string {
  const member = id === undefined ? "" : `"id":${id === null ? "null" : encodeId(id)},`;
  return `{"jsonrpc":"2.0",${member}"error":${JSON.stringify(error)}}`;
}

/** A message that wants no answer; `params` is JSON text. */
export function encodeNotification(method: string, params: string | undefined): string {
  return `{"jsonrpc":"2.0","method":"${method}"${params === undefined ? "" : `,"params":${params}`}}`;
}

/** A request of ours to the client; `params` is JSON text. */
export function encodeRequest(id: Id, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"method":"${method}","params":${params}}`;
}
