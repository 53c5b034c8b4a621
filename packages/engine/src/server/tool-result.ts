import type { JsonObject } from "../jsonrpc/json.js";
import { type Block, Content, text } from "../protocol/content.js";
import type { ToolResult } from "../protocol/outcome.js";

/** The `_meta` key under which repairs of the arguments are told. */
const REPAIRS_KEY = "toolwright/repairs";

/** Turns what a tool returned into a result: text as text, anything else as structured content and its JSON text. */
export function toolResult(value: unknown): ToolResult {
  if (typeof value === "string") return { content: value, structured: undefined, isError: false, meta: undefined };
  if (value === undefined) return { content: [], structured: undefined, isError: false, meta: undefined };
  if (value instanceof Content) return contentResult(value);
  return structuredResult(value);
}

/** A result that is one value: structured content, repeated as text for clients that read only that. */
export function structuredResult(value: unknown): ToolResult {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`A tool cannot return a ${typeof value}`);
  return { content: json, structured: json, isError: false, meta: undefined };
}

function contentResult({ blocks, structured }: Content): ToolResult {
  const json = structured === undefined ? undefined : JSON.stringify(structured);
  return { content: blocks, structured: json, isError: false, meta: undefined };
}

/** The same result with a receipt: what was changed in the arguments, in one line and in `_meta`. */
export function withReceipt(result: ToolResult, repairs: readonly string[]): ToolResult {
  const noun = repairs.length === 1 ? "a correction" : "corrections";
  const receipt = text(`Note: the arguments were read with ${noun}: ${repairs.join("; ")}.`);
  const content: readonly Block[] = typeof result.content === "string" ? [text(result.content)] : result.content;
  return { ...result, content: [...content, receipt], meta: { [REPAIRS_KEY]: [...repairs] } };
}

/** A failure that the model sees; `details` are for programs. */
export function failureResult(message: string, details: JsonObject | undefined): ToolResult {
  return { content: message, structured: details && JSON.stringify(details), isError: true, meta: undefined };
}
