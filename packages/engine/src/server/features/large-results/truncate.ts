import { isObject, type JsonObject } from "../../../jsonrpc/messages.js";
import { type ContentBlock, resourceLink, text } from "../../../protocol/content.js";
import type { ToolOutcome } from "../../../protocol/outcome.js";
import { errorResult } from "../tool-result.js";
import { type JsonSummary, summarizeJson } from "./json-structure.js";
import { READ_RESULT_TOOL } from "./options.js";
import { exampleArguments } from "./read-tool.js";
import { expiryDate, type ResultStore, type StoredResult } from "./result-store.js";
import { countLines, readText, trimToLineEnd } from "./text-range.js";

/** The longest encoding of a character: `\u0000`, once in the text and once in the structured content. */
const MAX_ENCODED_BYTES_PER_CHARACTER = 12;
const BLOCK_OVERHEAD = 256;

/** The `_meta` key that describes what was truncated. */
const RESULT_META_KEY = "toolwright/result";

/** Further blocks are joined, because each takes space in the response even if it is empty. */
const MAX_BLOCKS = 1000;

/** Precedes the description of a truncated result that had to be marked as an error. */
const NOT_A_FAILURE_NOTICE =
  "Nothing failed: the tool succeeded and need not be called again. Its result is marked as an error only because it is too " +
  "large to show, and structured content cannot be shown in part.\n\n";

type BinaryPayload = { readonly kind: string; readonly base64: string; readonly mimeType: string };

/** The text of a block, or its binary data. A resource link counts as the text of its JSON. */
function getPayload(block: ContentBlock): string | BinaryPayload {
  const { type, data, resource, mimeType } = block;
  if (type === "text") return block["text"] as string;
  if (type === "image" || type === "audio") return { kind: type, base64: data as string, mimeType: mimeType as string };
  if (!isObject(resource)) return JSON.stringify(block);
  if (typeof resource["text"] === "string") return resource["text"];
  const known = resource["mimeType"];
  return {
    kind: "file",
    base64: resource["blob"] as string,
    mimeType: typeof known === "string" ? known : "application/octet-stream",
  };
}

const payloadBytes = (payload: string | BinaryPayload): number =>
  typeof payload === "string" ? Buffer.byteLength(payload) : Buffer.byteLength(payload.base64, "base64");

/** The bytes of a result as a model reads it, and at most as a message. Text that repeats the structured content counts once. */
export function measureResult({ content, structured }: ToolOutcome): { bytes: number; maxEncodedBytes: number } {
  let bytes = structured === undefined || structured === content ? 0 : Buffer.byteLength(structured);
  let characters = bytes;
  const payloads = typeof content === "string" ? [content] : content.map(getPayload);
  for (const payload of payloads) {
    const size = payloadBytes(payload);
    bytes += size;
    characters += typeof payload === "string" ? size : payload.base64.length;
  }
  return { bytes, maxEncodedBytes: characters * MAX_ENCODED_BYTES_PER_CHARACTER + payloads.length * BLOCK_OVERHEAD };
}

/** What truncating a result depends on. */
interface TruncationContext {
  readonly tool: string;
  readonly principal: string | undefined;
  readonly store: ResultStore;
  /** How much of the result is shown. */
  readonly excerptBytes: number;
  readonly messageBytes: number;
}

/** Truncates one result: what fits is shown, the rest is replaced by an excerpt, a description and a link. */
export class Truncation {
  readonly #context: TruncationContext;
  readonly #blocks: ContentBlock[] = [];
  readonly #references: JsonObject[] = [];
  #remainingBytes: number;
  /** Precedes the first truncated text. */
  #notice = "";

  constructor(context: TruncationContext) {
    this.#context = context;
    this.#remainingBytes = context.excerptBytes;
  }

  /** The truncated result. If the client validates structured content, it is complete or the result is an error. */
  truncate({ content, structured }: ToolOutcome, validatesOutput: boolean): ToolOutcome {
    const isRepeated = content === structured;
    const isShown = structured !== undefined && !isRepeated && this.#reserve(Buffer.byteLength(structured));
    const isError = validatesOutput && structured !== undefined && !isShown;
    if (isError) this.#notice = NOT_A_FAILURE_NOTICE;
    if (typeof content === "string") this.#addText([content], "The result");
    else this.#addBlocks(content);
    if (structured !== undefined && !isRepeated && !isShown) this.#addText([structured], "The structured content");
    const [first, ...also] = this.#references;
    const meta = { [RESULT_META_KEY]: { ...first, ...(also.length > 0 && { also }) } };
    if (!isError) return { content: this.#blocks, structured: isShown ? structured : undefined, isError: false, meta };
    const error = errorResult("", { code: "RESULT_CUT" }, true);
    return { ...error, content: this.#blocks, meta: { ...error.meta, ...meta } };
  }

  /** Tells whether this many bytes can still be shown, and counts them if so. */
  #reserve(bytes: number): boolean {
    if (bytes > this.#remainingBytes) return false;
    this.#remainingBytes -= bytes;
    return true;
  }

  #addBlocks(content: readonly ContentBlock[]): void {
    const truncated: string[] = [];
    for (const block of content) {
      const payload = getPayload(block);
      // Text after a truncated text is joined to it, to keep the order.
      const isInOrder = (typeof payload !== "string" || truncated.length === 0) && this.#blocks.length < MAX_BLOCKS;
      if (isInOrder && this.#reserve(payloadBytes(payload))) this.#blocks.push(block);
      else if (typeof payload === "string") truncated.push(payload);
      else this.#addBinary(payload);
    }
    if (truncated.length > 0) this.#addText(truncated, "The text");
  }

  #addText(texts: readonly string[], subject: string): void {
    const { store, principal } = this.#context;
    const joined = texts.join("\n");
    const summary = /^\s*[[{]/.test(joined) ? summarizeJson(joined) : undefined;
    const mimeType = summary === undefined ? "text/plain" : "application/json";
    const bytes = Buffer.from(joined);
    const lines = countLines(bytes);
    const stored = store.add({ principal, bytes, mimeType, lines });
    const excerpt = this.#remainingBytes < 1 ? "" : trimToLineEnd(readText(bytes, 0, this.#remainingBytes).text);
    this.#remainingBytes = 0;
    const shown = excerpt === "" ? "Nothing is shown" : `The first ${Buffer.byteLength(excerpt)} bytes are shown`;
    const size = lines > 1 ? `${bytes.length} bytes in ${lines} lines` : `${bytes.length} bytes`;
    const description = [
      `${subject} is too large to show: ${size}. ${shown}.`,
      ...(texts.length > 1 ? [`It consists of ${texts.length} blocks, joined with newlines.`] : []),
      ...(summary === undefined ? [] : [`Structure: ${summary.description}.`]),
      ...(stored === undefined
        ? ["The rest was not stored, because there is not enough space. Request less at once."]
        : describeAccess(stored, excerpt, summary)),
    ].join("\n");
    const separator = excerpt === "" ? "" : excerpt.endsWith("\n") ? "\n" : "\n\n";
    // One block: some clients show a model only the first, and it must not take the excerpt for the whole result.
    this.#blocks.push(text(this.#notice + excerpt + separator + description));
    this.#notice = "";
    this.#addReference({ bytes: bytes.length, lines }, stored);
  }

  #addBinary({ base64, mimeType, kind }: BinaryPayload): void {
    const { store, principal, messageBytes } = this.#context;
    const bytes = Buffer.from(base64, "base64");
    // It can only be read as a resource, in one message.
    const isReadable = base64.length < messageBytes;
    const stored = isReadable ? store.add({ principal, bytes, mimeType, lines: undefined }) : undefined;
    const access =
      stored === undefined
        ? "It was not stored, because it is too large. Request a smaller one."
        : `It can be read as the resource ${stored.handle} until ${expiryDate(stored)}.`;
    const size = `${mimeType}, ${bytes.length} bytes`;
    this.#blocks.push(text(`The ${kind} (${size}) is too large to show and was omitted. ${access}`));
    this.#addReference({ bytes: bytes.length }, stored);
  }

  #addReference(size: { bytes: number; lines?: number }, stored: StoredResult | undefined): void {
    if (stored === undefined) {
      this.#references.push(size);
      return;
    }
    const { handle, mimeType } = stored;
    this.#references.push({ handle, ...size, expiresAt: expiryDate(stored) });
    this.#blocks.push(resourceLink(handle, `result of ${this.#context.tool}`, { mimeType, size: size.bytes }));
  }
}

function describeAccess(result: StoredResult, excerpt: string, summary: JsonSummary | undefined): string[] {
  const next = excerpt.endsWith("\n")
    ? { from_line: excerpt.split("\n").length }
    : { from_byte: Buffer.byteLength(excerpt) };
  const sentences = [
    `All of it is stored as ${result.handle} until ${expiryDate(result)}. Read more with the tool ${READ_RESULT_TOOL}, for example:`,
    `- the next part: ${exampleArguments(result, next)}`,
    `- a search: ${exampleArguments(result, { search: "text" })}`,
  ];
  if (summary !== undefined)
    sentences.push(`- one value: ${exampleArguments(result, { pointer: summary.examplePointer })}`);
  return sentences;
}
