import { truncate } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { Content, type ContentBlock, isBase64, text } from "../../protocol/content.js";
import type { ToolOutcome } from "../../protocol/outcome.js";
import type { Schema, ValidationResult } from "../../schema/schema.js";
import { annotations } from "../definitions/resource.js";

/** The `_meta` key that lists the corrections of the arguments. */
const CORRECTIONS_META_KEY = "toolwright/corrections";

/** The `_meta` key for the details of an error that cannot be structured content. */
const FAILURE_META_KEY = "toolwright/failure";

/** Converts the value that a tool returned: a string to text, any other value to structured content and JSON text. */
export function toToolResult(value: unknown): ToolOutcome {
  if (typeof value === "string") return { content: value, structured: undefined, isError: false, meta: undefined };
  if (value === undefined) return { content: [], structured: undefined, isError: false, meta: undefined };
  if (value instanceof Content) return toContentResult(value.blocks, value.structured);
  // An error that is returned instead of thrown would look like a success without content.
  if (value instanceof Error) throw value;
  return toStructuredResult(value);
}

/** How the JSON text of a result begins that a tool of the official SDK would return. */
export const SDK_RESULT = '{"content":[{"type":';

/** What a tool returned by mistake, as part of a warning; undefined for every other value. */
export function suspiciousValue(value: unknown): string | undefined {
  if (value === undefined) return "nothing; return a string or an object, so that the model learns what happened";
  if (value instanceof Map) return "a Map, which is {} in JSON; return Object.fromEntries(map)";
  if (value instanceof Set) return "a Set, which is {} in JSON; return [...set]";
  if (value instanceof Content) return undefined;
  if (isSdkResult(value))
    return "{ content: [...] }, which is sent as JSON text; return a string, or content(...) for several blocks, and throw a ToolError instead of isError";
  return lostObject(value, []);
}

/** Tells whether a value is the result of a tool as authors write it for the official SDK. */
const isSdkResult = (value: unknown): boolean =>
  isObject(value) && Array.isArray(value["content"]) && value["content"].every(isContentBlock);

/** Deeper values are not searched: the search would exceed the call stack. */
const MAX_SEARCH_DEPTH = 100;

/** Finds an object whose content JSON loses: it becomes `{}`, but is none. */
function lostObject(value: unknown, path: readonly string[]): string | undefined {
  if (typeof value === "function") return `a function in "${path.join(".")}", which JSON leaves out`;
  if (typeof value !== "object" || value === null || "toJSON" in value) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  const members = Object.entries(value);
  if (members.length === 0 && !isPlain && !Array.isArray(value)) {
    const location = path.length === 0 ? "" : ` in "${path.join(".")}"`;
    const advice = value instanceof Promise ? "await it" : "convert it first";
    return `${describeObject(value)}${location}, which is {} in JSON; ${advice}`;
  }
  if (path.length === MAX_SEARCH_DEPTH) return undefined;
  for (const [name, member] of members) {
    const lost = lostObject(member, [...path, name]);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

/** The name of the class of an object, with an article. */
function describeObject(value: object): string {
  const name = value.constructor?.name || Object.prototype.toString.call(value).slice(8, -1);
  return `${/^[AEIO]/i.test(name) ? "an" : "a"} ${name}`;
}

/** The same for a tool with an output schema. Throws `TypeError` if the value does not match it. */
export function toValidatedResult(value: unknown, output: Schema): ToolOutcome | Promise<ToolOutcome> {
  const result = value instanceof Content ? toToolResult(value) : toStructuredResult(value);
  const finish = (reading: ValidationResult): ToolOutcome => {
    if (!reading.ok)
      throw new TypeError(`The result does not match the tool's output schema: ${reading.issues.join("; ")}`);
    // A schema may remove, add or change members, so its output is what counts.
    const read = reading.value as Json | undefined;
    if (!(value instanceof Content)) return toStructuredResult(read);
    return JSON.stringify(read) === result.structured ? result : toContentResult(value.blocks, read);
  };
  // The value is validated as the client will read it, after the conversion to JSON.
  const reading = output.validate(result.structured === undefined ? undefined : JSON.parse(result.structured));
  return reading instanceof Promise ? reading.then(finish) : finish(reading);
}

/** Creates a result with structured content, repeated as text for clients that read only text. */
export function toStructuredResult(value: unknown): ToolOutcome {
  const json = toJson(value);
  if (value === undefined) throw new TypeError("A tool with an output schema must return a value");
  if (json === undefined) throw new TypeError(`A tool cannot return a ${typeof value}`);
  return { content: json, structured: json, isError: false, meta: undefined };
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw new TypeError(`The tool returned a value that JSON cannot represent: ${reason}`, { cause: error });
  }
}

/**
 * Creates a result with content blocks and structured content. Most clients accept only an object as structured content, so
 * any other value is repeated as text.
 */
function toContentResult(blocks: readonly ContentBlock[], structured: Json | undefined): ToolOutcome {
  const invalid = blocks.findIndex(
    (block) => !isContentBlock(block) || annotations(block["annotations"], "annotations") !== undefined,
  );
  if (invalid !== -1)
    throw new TypeError(`Content block ${invalid} is invalid: ${truncate(JSON.stringify(blocks[invalid]))}`);
  const json = structured === undefined ? undefined : JSON.stringify(structured);
  const needsText = json !== undefined && !isObject(structured) && !blocks.some((block) => block["text"] === json);
  return { content: needsText ? [...blocks, text(json)] : blocks, structured: json, isError: false, meta: undefined };
}

/** The string members that a content block of each type must have. */
const REQUIRED_TEXT_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
};

/** Tells whether a content block is valid. Clients reject a result with an invalid block as a whole. */
export function isContentBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { type, resource } = block;
  if (type === "resource") {
    if (!isObject(resource) || typeof resource["uri"] !== "string") return false;
    const { text: content, blob } = resource;
    return typeof content === "string" || (content === undefined && typeof blob === "string" && isBase64(blob));
  }
  const isKnown = typeof type === "string" && Object.hasOwn(REQUIRED_TEXT_MEMBERS, type);
  if (!isKnown || REQUIRED_TEXT_MEMBERS[type]?.some((member) => typeof block[member] !== "string")) return false;
  return (type !== "image" && type !== "audio") || isBase64(block["data"] as string);
}

/** Adds a notice about corrected arguments to a result, as text and in `_meta`. */
export function withCorrectionNotice(result: ToolOutcome, corrections: readonly string[]): ToolOutcome {
  const notice = text(`Note: the arguments were corrected: ${corrections.join("; ")}.`);
  const content: readonly ContentBlock[] = typeof result.content === "string" ? [text(result.content)] : result.content;
  return {
    ...result,
    content: [...content, notice],
    meta: { ...result.meta, [CORRECTIONS_META_KEY]: [...corrections] },
  };
}

/**
 * Creates an error result. The message is for the model, the details are for programs: they are the structured content,
 * except for a tool with an output schema, because clients validate structured content even in an error.
 */
export function errorResult(message: string, details: JsonObject, hasOutput: boolean): ToolOutcome {
  const hasDetails = Object.keys(details).length > 0;
  return {
    content: message,
    structured: hasDetails && !hasOutput ? JSON.stringify(details) : undefined,
    isError: true,
    meta: hasDetails && hasOutput ? { [FAILURE_META_KEY]: details } : undefined,
  };
}

/** The error code in the details of an error result, if there is one. */
export function getErrorCode({ structured, meta }: ToolOutcome): string | undefined {
  const details = structured === undefined ? meta?.[FAILURE_META_KEY] : (JSON.parse(structured) as Json);
  const code = isObject(details) ? details["code"] : undefined;
  return typeof code === "string" ? code : undefined;
}
