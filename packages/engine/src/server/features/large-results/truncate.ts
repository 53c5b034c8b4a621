import { isObject, type JsonObject } from "../../../jsonrpc/messages.js";
import { type ContentBlock, resourceLink, text } from "../../../protocol/content.js";
import type { ToolOutcome } from "../../../protocol/outcome.js";
import { errorResult } from "../tool-result.js";
import { type JsonSummary, summarizeJson } from "./json-structure.js";
import { READ_RESULT_TOOL } from "./options.js";
import { exampleArguments } from "./read-tool.js";
import { createResultId, type ResultStore, resultUri, type StoredResult } from "./result-store.js";
import { countLines, readText, type TextRange, trimToLineEnd } from "./text-range.js";

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

/** The bytes of a result as a model reads it. Text that repeats the structured content counts once. */
export function resultBytes({ content, structured }: ToolOutcome): number {
  const structuredBytes = structured === undefined || structured === content ? 0 : Buffer.byteLength(structured);
  if (typeof content === "string") return structuredBytes + Buffer.byteLength(content);
  return content.reduce((bytes, block) => bytes + payloadBytes(getPayload(block)), structuredBytes);
}

/** A quick upper bound: tells whether a result may exceed its budget or the message size. */
export function mayExceed({ content, structured }: ToolOutcome, budgetBytes: number, messageBytes: number): boolean {
  let characters = structured === undefined || structured === content ? 0 : structured.length;
  let blocks = 1;
  if (typeof content === "string") characters += content.length;
  else {
    blocks = content.length;
    for (const block of content) {
      const payload = getPayload(block);
      characters += typeof payload === "string" ? payload.length : payload.base64.length;
    }
  }
  return (
    characters * 3 > budgetBytes ||
    characters * MAX_ENCODED_BYTES_PER_CHARACTER + blocks * BLOCK_OVERHEAD > messageBytes
  );
}

/** What truncating a result depends on. */
interface TruncationContext {
  readonly tool: string;
  readonly principal: string | undefined;
  /** How much of the result is shown. */
  readonly excerptBytes: number;
  readonly messageBytes: number;
  readonly expiresAt: number;
  /** The client validates structured content, so it is complete or the result is an error. */
  readonly validatesOutput: boolean;
  readonly store: ResultStore;
}

/** Truncates a result: what fits is shown, the rest is replaced by an excerpt, a description and a link. */
export function truncateResult(result: ToolOutcome, context: TruncationContext): ToolOutcome {
  const { content, structured } = result;
  const truncation = new Truncation(context);
  const isRepeated = content === structured;
  const isShown = structured !== undefined && !isRepeated && truncation.reserve(Buffer.byteLength(structured));
  const isError = context.validatesOutput && structured !== undefined && !isShown;
  if (isError) truncation.notice = NOT_A_FAILURE_NOTICE;
  if (typeof content === "string") truncation.addText([content], "The result");
  else truncation.addBlocks(content);
  if (structured !== undefined && !isRepeated && !isShown) truncation.addText([structured], "The structured content");
  const { blocks, meta } = truncation;
  if (!isError) return { content: blocks, structured: isShown ? structured : undefined, isError: false, meta };
  const error = errorResult("", { code: "RESULT_CUT" }, true);
  return { ...error, content: blocks, meta: { ...error.meta, ...meta } };
}

/** Collects the content of a truncated result. */
class Truncation {
  readonly blocks: ContentBlock[] = [];
  /** Precedes the first truncated text. */
  notice = "";
  readonly #context: TruncationContext;
  readonly #references: JsonObject[] = [];
  #remainingBytes: number;

  constructor(context: TruncationContext) {
    this.#context = context;
    this.#remainingBytes = context.excerptBytes;
  }

  get meta(): JsonObject {
    const [first, ...also] = this.#references;
    return { [RESULT_META_KEY]: { ...first, ...(also.length > 0 && { also }) } };
  }

  /** Tells whether this many bytes can still be shown, and counts them if so. */
  reserve(bytes: number): boolean {
    if (bytes > this.#remainingBytes) return false;
    this.#remainingBytes -= bytes;
    return true;
  }

  addBlocks(content: readonly ContentBlock[]): void {
    const truncated: string[] = [];
    for (const block of content) {
      const payload = getPayload(block);
      // Text after a truncated text is joined to it, to keep the order.
      const isInOrder = (typeof payload !== "string" || truncated.length === 0) && this.blocks.length < MAX_BLOCKS;
      if (isInOrder && this.reserve(payloadBytes(payload))) this.blocks.push(block);
      else if (typeof payload === "string") truncated.push(payload);
      else this.#addBinary(payload);
    }
    if (truncated.length > 0) this.addText(truncated, "The text");
  }

  addText(texts: readonly string[], subject: string): void {
    const joined = texts.join("\n");
    const summary = /^\s*[[{]/.test(joined) ? summarizeJson(joined) : undefined;
    const bytes = Buffer.from(joined);
    const mimeType = summary === undefined ? "text/plain" : "application/json";
    const result = this.#createResult({ bytes, mimeType, lines: countLines(bytes), isJson: summary !== undefined });
    const isStored = this.#context.store.add(result);
    const excerpt =
      this.#remainingBytes < 1
        ? { text: "", start: 0, end: 0 }
        : trimToLineEnd(readText(bytes, 0, this.#remainingBytes));
    this.#remainingBytes = 0;
    const separator = excerpt.end === 0 ? "" : excerpt.text.endsWith("\n") ? "\n" : "\n\n";
    const description = [
      describeSize(subject, result, excerpt),
      ...(texts.length > 1 ? [`It consists of ${texts.length} blocks, joined with newlines.`] : []),
      ...(summary === undefined ? [] : [`Structure: ${summary.description}.`]),
      ...(isStored
        ? describeAccess(result, excerpt, summary)
        : ["The rest was not stored, because there is not enough space. Request less at once."]),
    ].join("\n");
    // One block: some clients show a model only the first, and it must not take the excerpt for the whole result.
    this.blocks.push(text(this.notice + excerpt.text + separator + description));
    this.notice = "";
    this.#addReference(result, isStored);
  }

  #addBinary({ base64, mimeType, kind }: BinaryPayload): void {
    const bytes = Buffer.from(base64, "base64");
    const result = this.#createResult({ bytes, mimeType, lines: undefined, isJson: false });
    // It can only be read as a resource, in one message.
    const isStored = base64.length < this.#context.messageBytes && this.#context.store.add(result);
    const access = isStored
      ? `It can be read as the resource ${resultUri(result)} until ${toIsoString(result)}.`
      : "It was not stored, because it is too large. Request a smaller one.";
    const size = `${mimeType}, ${bytes.length} bytes`;
    this.blocks.push(text(`The ${kind} (${size}) is too large to show and was omitted. ${access}`));
    this.#addReference(result, isStored);
  }

  #createResult(properties: Pick<StoredResult, "bytes" | "mimeType" | "lines" | "isJson">): StoredResult {
    const { tool, principal, expiresAt } = this.#context;
    return { id: createResultId(), principal, tool, expiresAt, ...properties };
  }

  #addReference(result: StoredResult, isStored: boolean): void {
    const { bytes, lines, mimeType, tool } = result;
    const size: JsonObject = { bytes: bytes.length, ...(lines !== undefined && { lines }) };
    if (isStored) {
      const handle = resultUri(result);
      this.blocks.push(resourceLink(handle, `result of ${tool}`, { mimeType, size: bytes.length }));
      this.#references.push({ handle, ...size, expiresAt: toIsoString(result) });
    } else this.#references.push(size);
  }
}

const toIsoString = ({ expiresAt }: StoredResult): string => new Date(expiresAt).toISOString();

function describeSize(subject: string, { bytes, lines = 0 }: StoredResult, excerpt: TextRange): string {
  const size = lines > 1 ? `${bytes.length} bytes in ${lines} lines` : `${bytes.length} bytes`;
  const shown = excerpt.end === 0 ? "Nothing is shown" : `The first ${excerpt.end} bytes are shown`;
  return `${subject} is too large to show: ${size}. ${shown}.`;
}

function describeAccess(result: StoredResult, excerpt: TextRange, summary: JsonSummary | undefined): string[] {
  const completeLines = excerpt.text.endsWith("\n") ? excerpt.text.split("\n").length - 1 : 0;
  const next = completeLines > 0 ? { from_line: completeLines + 1 } : { from_byte: excerpt.end };
  const sentences = [
    `All of it is stored as ${resultUri(result)} until ${toIsoString(result)}. Read more with the tool ${READ_RESULT_TOOL}, for example:`,
    `- the next part: ${exampleArguments(result, next)}`,
    `- a search: ${exampleArguments(result, { search: "text" })}`,
  ];
  if (summary !== undefined)
    sentences.push(`- one value: ${exampleArguments(result, { pointer: summary.examplePointer })}`);
  return sentences;
}
