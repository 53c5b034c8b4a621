import { invalidParams, invalidRequest, parseError, withId } from "./errors.js";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** Returns whether a value is an object, as opposed to an array, null or a scalar. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Copies an object without some of its members. */
export function omit(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** A request id. Integers beyond 2^53 are bigints, so that responses repeat all their digits. */
export type RequestId = string | number | bigint;

/** A message that expects a response. */
export interface JsonRpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A message that expects no response. */
export interface JsonRpcNotification {
  readonly id?: undefined;
  readonly method: string;
  readonly params?: Json;
}

/** A response to a request that we sent. */
export interface JsonRpcResponse {
  readonly id: RequestId;
  readonly method?: undefined;
  readonly result?: Json;
  readonly error?: Json;
}

/** A parsed JSON-RPC message. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/** The maximum nesting of JSON: more than any tool needs, and not enough to overflow the stack. */
const MAX_DEPTH = 256;

/** V8 takes a second for a few million small values, so those of a text are as many as this for each member it may have. */
const VALUES_PER_MEMBER = 5;

/**
 * Parses JSON. Throws `RpcError` for text that is not JSON, is nested too deeply, or has more members than `maxMembers`, or five times
 * as many values.
 */
export function parseJson(text: string, maxMembers = Number.POSITIVE_INFINITY): Json {
  // Each level takes an opening and a closing character, so short texts are never too deep.
  if (text.length > 2 * MAX_DEPTH && exceedsDepth(text, MAX_DEPTH))
    throw parseError(`nested deeper than ${MAX_DEPTH} levels`, { limit: "jsonDepth" });
  // The shortest member is `"":1`, and the shortest value takes a digit and a comma.
  if (text.length >= 4 * maxMembers) {
    if (exceedsCount(text, ":", maxMembers))
      throw parseError(`more than ${maxMembers} members`, { limit: "jsonMembers" });
    const maxValues = VALUES_PER_MEMBER * maxMembers;
    if (exceedsCount(text, ",[{", maxValues))
      throw parseError(`more than ${maxValues} values`, { limit: "jsonValues" });
  }
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    // V8's message quotes the payload, which must not leave the server; only the position does.
    const position = /position (\d+)/.exec(String(cause))?.[1];
    if (position === undefined) throw parseError("the text ends too early or is not JSON");
    throw parseError(`unexpected character at position ${position}`);
  }
}

/** The text that a value was parsed from, or a function that returns it. Only needed for ids that `JSON.parse` rounds. */
export type SourceText = string | (() => string);

const ID_PATH: readonly string[] = ["id"];

/** Checks that a value is a JSON-RPC message. Throws `RpcError` if it is not. */
export function parseMessage(value: Json, source: SourceText): JsonRpcMessage {
  if (!isObject(value)) throw invalidRequest("a message is a JSON object");
  const { method } = value;
  // Never respond to a response, not even to one with an invalid id: two peers could go on forever.
  if (method === undefined && value["jsonrpc"] === "2.0" && ("result" in value || "error" in value)) {
    return value as unknown as JsonRpcMessage;
  }
  const { id: rawId } = value;
  const isExact = rawId === undefined || typeof rawId === "string" || Number.isSafeInteger(rawId);
  const id = isExact ? (rawId as string | number | undefined) : readExactInteger(rawId, source, ID_PATH);
  if (id === undefined && rawId !== undefined) throw invalidRequest('"id" must be a string or an integer');
  if (value["jsonrpc"] !== "2.0") throw invalidRequest('"jsonrpc" must be "2.0"', id);
  if (typeof method !== "string") throw invalidRequest('"method" must be a string', id);
  if (id === undefined) return value as unknown as JsonRpcMessage;
  if (value["params"] !== undefined && !isObject(value["params"])) {
    throw withId(invalidParams('Invalid params: "params" must be an object'), id);
  }
  if (typeof id === "bigint") (value as { id: unknown }).id = id;
  return value as unknown as JsonRpcMessage;
}

/** Returns the integer at `path` with all its digits; undefined = it is not an integer. */
export function readExactInteger(
  value: Json,
  source: SourceText,
  path: readonly string[],
): number | bigint | undefined {
  if (!Number.isInteger(value)) return undefined;
  if (Number.isSafeInteger(value)) return value as number;
  const digits = numberText(typeof source === "string" ? source : source(), path);
  return digits !== undefined && /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
}

/** Encodes an id as JSON. */
export function encodeId(id: RequestId): string {
  return typeof id === "string" ? JSON.stringify(id) : String(id);
}

/** Encodes a successful response; `result` is JSON text. */
export function encodeResult(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${typeof id === "string" ? encodeId(id) : id},"result":${result}}`;
}

/** Encodes an error response; `id` is null or undefined if the id of the request could not be read. */
export function encodeError(id: RequestId | null | undefined, error: JsonObject): string {
  const member = id === undefined ? "" : `"id":${id === null ? "null" : encodeId(id)},`;
  return `{"jsonrpc":"2.0",${member}"error":${JSON.stringify(error)}}`;
}

/** Encodes a notification; `params` is JSON text. */
export function encodeNotification(method: string, params: string | undefined): string {
  return `{"jsonrpc":"2.0","method":"${method}"${params === undefined ? "" : `,"params":${params}`}}`;
}

/** Encodes a request; `params` is JSON text. */
export function encodeRequest(id: RequestId, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"method":"${method}","params":${params}}`;
}

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Returns the first position at or after `at` that is not whitespace. */
export function skipWhitespace(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= SPACE) next += 1;
  return next;
}

/** Returns the position of the closing quote of the string that starts at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** Returns the position after the value that starts at `start`, in valid JSON. Runs in linear time. */
export function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (depth === 0) return at + 1;
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      // Nothing is open, so this closes the container of the value.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === COMMA || code <= SPACE)) {
      return at;
    }
  }
  return text.length;
}

/**
 * Returns whether JSON text is nested deeper than `limit`, before it is parsed. Deep nesting costs V8 seconds and later
 * overflows the stack of every recursive function.
 */
export function exceedsDepth(text: string, limit: number): boolean {
  return hasMoreBracketsThan(text, limit) && measureDepth(text, limit) > limit;
}

/** Counts brackets with `indexOf`, which skips long strings at memory speed. */
function hasMoreBracketsThan(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

/** Returns whether JSON text has more of some characters than `limit` outside of strings: a colon for each member, a comma for each value. */
function exceedsCount(text: string, characters: string, limit: number): boolean {
  let found = 0;
  for (const character of characters)
    for (let at = text.indexOf(character); at !== -1 && found <= limit; at = text.indexOf(character, at + 1))
      found += 1;
  if (found <= limit) return false;
  const codes = new Set(Array.from(characters, (character) => character.charCodeAt(0)));
  let count = 0;
  for (let at = 0; at < text.length && count <= limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (codes.has(code)) count += 1;
  }
  return count > limit;
}

function measureDepth(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      depth -= 1;
    }
  }
  return deepest;
}

/**
 * Returns the text of the number at `path`, a list of keys, in valid JSON. `JSON.parse` rounds integers beyond 2^53; this
 * returns all digits. Of duplicate keys the last one counts, as in `JSON.parse`.
 */
export function numberText(text: string, path: readonly string[]): string | undefined {
  let start: number | undefined = skipWhitespace(text, 0);
  for (const key of path) {
    start = findMember(text, start, key);
    if (start === undefined) return undefined;
  }
  return text.slice(start, endOfValue(text, start));
}

/** Returns where the value of a member starts, in the object that starts at `start`. */
function findMember(text: string, start: number, key: string): number | undefined {
  if (text[start] !== "{") return undefined;
  let found: number | undefined;
  let isName = false;
  let isMatch = false;
  for (const [at, end] of childPositions(text, start)) {
    isName = !isName;
    const name = text.slice(at, end);
    // Only a name with escapes is decoded: a hostile message may have many names.
    if (isName) isMatch = name === JSON.stringify(key) || (name.includes("\\") && JSON.parse(name) === key);
    else if (isMatch) found = at;
  }
  return found;
}

/** Returns the text of each element of an array, in valid JSON. */
export function arrayElementTexts(text: string): string[] {
  return Array.from(childPositions(text, skipWhitespace(text, 0)), ([at, end]) => text.slice(at, end));
}

/** Yields where each element of an array starts and ends; in an object, each name and each value. */
function* childPositions(text: string, start: number): Generator<readonly [at: number, end: number]> {
  let at = skipWhitespace(text, start + 1);
  while (at < text.length && text[at] !== "]" && text[at] !== "}") {
    const end = endOfValue(text, at);
    yield [at, end];
    at = skipWhitespace(text, end);
    if (text[at] === "," || text[at] === ":") at = skipWhitespace(text, at + 1);
  }
}

/** Writes a value as canonical JSON (RFC 8785): equal values give equal text, whatever the order of their members. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "undefined";
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join()}}`;
}
