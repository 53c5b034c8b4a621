import { truncate } from "../../../jsonrpc/errors.js";
import { isObject, type Json } from "../../../jsonrpc/messages.js";
import { ToolError } from "../../../protocol/outcome.js";

/** Larger texts are not recognized as JSON: parsing them would block the event loop. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;
const MAX_DESCRIBED_KEYS = 24;
const MAX_KEY_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 2000;
/** How many nested objects are described; arrays do not count. */
const MAX_OBJECT_DEPTH = 2;
const MAX_DEPTH = 8;

/** A short description of a JSON text. */
export interface JsonSummary {
  readonly description: string;
  /** A JSON pointer to a value in it. */
  readonly examplePointer: string;
}

/** Describes the structure of a JSON text, two objects deep. Returns undefined if the text is not JSON or too large. */
export function summarizeJson(text: string): JsonSummary | undefined {
  if (Buffer.byteLength(text) > MAX_JSON_BYTES) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return {
      description: truncate(describe(value), MAX_DESCRIPTION_LENGTH),
      examplePointer: findExamplePointer(value),
    };
  } catch {
    return undefined;
  }
}

function describe(value: Json, depth = 0, objectDepth = 0): string {
  if (typeof value === "string") return `string of ${value.length} characters`;
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  if (Array.isArray(value)) {
    if (value.length === 0) return "empty array";
    const first = depth < MAX_DEPTH ? `, the first: ${describe(value[0] as Json, depth + 1, objectDepth)}` : "";
    return `array of ${value.length}${first}`;
  }
  const names = Object.keys(value);
  if (names.length === 0) return "empty object";
  if (objectDepth === MAX_OBJECT_DEPTH) return `object with ${names.length} ${names.length === 1 ? "key" : "keys"}`;
  const members = names
    .slice(0, MAX_DESCRIBED_KEYS)
    .map(
      (name) =>
        `${quoteKey(name)}: ${describe((value as Record<string, Json>)[name] as Json, depth + 1, objectDepth + 1)}`,
    );
  const omitted = names.length - members.length;
  return `object {${members.join(", ")}${omitted > 0 ? `, and ${omitted} more keys` : ""}}`;
}

const quoteKey = (name: string): string => JSON.stringify(truncate(name, MAX_KEY_LENGTH));

/** A JSON pointer to the first element of an array, or to the first member. */
function findExamplePointer(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? "" : "/0";
  if (!isObject(value)) return "";
  const members = Object.entries(value).filter(([name]) => name.length <= MAX_KEY_LENGTH);
  const list = members.find(([, member]) => Array.isArray(member) && member.length > 0);
  if (list !== undefined) return `/${escapePointerToken(list[0])}/0`;
  return members[0] === undefined ? "" : `/${escapePointerToken(members[0][0])}`;
}

/** Escapes a key for a JSON pointer (RFC 6901). */
const escapePointerToken = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

const MAX_LISTED_KEYS = 20;

const invalidPointer = (message: string): ToolError => new ToolError(message, { code: "INVALID_ARGUMENTS" });

/** The position of a value in a JSON text, in characters. */
export interface JsonLocation {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value that a JSON pointer (RFC 6901) refers to in a valid JSON text. The value is not parsed, so that numbers keep
 * all their digits. Throws `ToolError` that says what exists instead.
 */
export function resolveJsonPointer(text: string, pointer: string): JsonLocation {
  const start = skipWhitespace(text, 0);
  let location: JsonLocation = { start, end: findValueEnd(text, start) };
  let path = "";
  for (const token of parseJsonPointer(pointer)) {
    location = findMember(text, location, token, path);
    path += `/${escapePointerToken(token)}`;
  }
  return location;
}

function parseJsonPointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer))
    throw invalidPointer(
      `The pointer ${JSON.stringify(pointer)} is invalid. A JSON pointer is "" or starts with "/", such as "/items/0"; ` +
        'in a key, "~" is written "~0" and "/" is written "~1".',
    );
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function findMember(text: string, { start, end }: JsonLocation, name: string, path: string): JsonLocation {
  for (const member of readMembers(text, start)) if (member.name === name) return member;
  const subject = path === "" ? "The root" : `The value at ${JSON.stringify(path)}`;
  const value = JSON.parse(text.slice(start, end)) as Json;
  if (Array.isArray(value))
    throw invalidPointer(`${subject} is an array of ${value.length}; there is no ${quoteKey(name)} in it.`);
  if (!isObject(value)) throw invalidPointer(`${subject} has no members. Use ${JSON.stringify(path)}.`);
  const keys = Object.keys(value);
  const listed = keys.slice(0, MAX_LISTED_KEYS).map(quoteKey).join(", ") || "none";
  const more = keys.length > MAX_LISTED_KEYS ? `, and ${keys.length - MAX_LISTED_KEYS} more` : "";
  throw invalidPointer(`${subject} has no key ${quoteKey(name)}. Its keys: ${listed}${more}.`);
}

/** Yields the members of an object or array by key or index, from its start on. Other values have none. */
function* readMembers(text: string, start: number): Generator<JsonLocation & { readonly name: string }> {
  const isObjectStart = text[start] === "{";
  if (!isObjectStart && text[start] !== "[") return;
  let index = skipWhitespace(text, start + 1);
  for (let position = 0; text[index] !== "}" && text[index] !== "]"; position += 1) {
    let name = String(position);
    if (isObjectStart) {
      const end = findStringEnd(text, index);
      name = JSON.parse(text.slice(index, end)) as string;
      const colon = skipWhitespace(text, end);
      index = skipWhitespace(text, colon + 1);
    }
    const end = findValueEnd(text, index);
    yield { name, start: index, end };
    index = skipWhitespace(text, end);
    if (text[index] === ",") index = skipWhitespace(text, index + 1);
  }
}

function findValueEnd(text: string, start: number): number {
  if (text[start] === '"') return findStringEnd(text, start);
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === '"') index = findStringEnd(text, index) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (depth === 0 && ",]} \t\r\n".includes(character)) return index;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return text.length;
}

function findStringEnd(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

function skipWhitespace(text: string, start: number): number {
  let index = start;
  while (" \t\r\n".includes(text[index] ?? "x")) index += 1;
  return index;
}
