import { shortened } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { type Block, Content, isBase64, text } from "../protocol/content.js";
import type { ToolResult } from "../protocol/outcome.js";
import { annotationsFault } from "./resource.js";

/** The `_meta` key under which repairs of the arguments are told. */
const REPAIRS_KEY = "toolwright/repairs";

/** The `_meta` key under which the details of a failure are told where they cannot be structured content. */
const FAILURE_KEY = "toolwright/failure";

/** Turns what a tool returned into a result: text as text, anything else as structured content and its JSON text. */
export function toolResult(value: unknown): ToolResult {
  if (typeof value === "string") return { content: value, structured: undefined, isError: false, meta: undefined };
  if (value === undefined) return { content: [], structured: undefined, isError: false, meta: undefined };
  if (value instanceof Content) return contentResult(value.blocks, value.structured);
  // Returned in place of thrown, an error would look like a success without content.
  if (value instanceof Error) throw value;
  return structuredResult(value);
}

/** A result that is one value: structured content, repeated as text for clients that read only that. */
export function structuredResult(value: unknown): ToolResult {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`A tool cannot return a ${typeof value}`);
  return { content: json, structured: json, isError: false, meta: undefined };
}

/** A result of blocks, and of structured content: one that is no object is repeated as text, for most clients take no other. */
export function contentResult(blocks: readonly Block[], structured: Json | undefined): ToolResult {
  const wrong = blocks.findIndex((block) => !isBlock(block) || annotationsFault(block["annotations"]) !== undefined);
  if (wrong !== -1)
    throw new TypeError(`Block ${wrong} of the content is none: ${shortened(JSON.stringify(blocks[wrong]))}`);
  const json = structured === undefined ? undefined : JSON.stringify(structured);
  const isMissing = json !== undefined && !isObject(structured) && !blocks.some((block) => block["text"] === json);
  return { content: isMissing ? [...blocks, text(json)] : blocks, structured: json, isError: false, meta: undefined };
}

/** The members that each kind of block must have, as text. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
};

/** A block that is not as the protocol has it would cost the client the whole result. */
export function isBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { type, resource } = block;
  if (type === "resource") {
    if (!isObject(resource) || typeof resource["uri"] !== "string") return false;
    const { text: words, blob } = resource;
    return typeof words === "string" || (words === undefined && typeof blob === "string" && isBase64(blob));
  }
  const texts = typeof type === "string" && Object.hasOwn(TEXTS, type) ? TEXTS[type] : undefined;
  if (texts === undefined || texts.some((member) => typeof block[member] !== "string")) return false;
  return (type !== "image" && type !== "audio") || isBase64(block["data"] as string);
}

/** The same result with a receipt: what was changed in the arguments, in one line and in `_meta`. */
export function withReceipt(result: ToolResult, repairs: readonly string[]): ToolResult {
  const noun = repairs.length === 1 ? "a correction" : "corrections";
  const receipt = text(`Note: the arguments were read with ${noun}: ${repairs.join("; ")}.`);
  const content: readonly Block[] = typeof result.content === "string" ? [text(result.content)] : result.content;
  return { ...result, content: [...content, receipt], meta: { ...result.meta, [REPAIRS_KEY]: [...repairs] } };
}

/**
 * A failure that the model sees; `details` are for programs. They are the structured content, except for a tool with an
 * output schema: clients hold structured content against it even in a failure, and the model would never see the words.
 */
export function failureResult(message: string, details: JsonObject, hasOutput: boolean): ToolResult {
  const isTold = Object.keys(details).length > 0;
  return {
    content: message,
    structured: isTold && !hasOutput ? JSON.stringify(details) : undefined,
    isError: true,
    meta: isTold && hasOutput ? { [FAILURE_KEY]: details } : undefined,
  };
}

/** The stable name of a failure that `failureResult` has told; undefined where it has none. */
export function failureCode({ structured, meta }: ToolResult): string | undefined {
  const details = structured === undefined ? meta?.[FAILURE_KEY] : (JSON.parse(structured) as Json);
  const code = isObject(details) ? details["code"] : undefined;
  return typeof code === "string" ? code : undefined;
}
