import type { JsonObject } from "../../jsonrpc/json.js";
import { type Block, resourceLink, text } from "../../protocol/content.js";
import type { ToolResult } from "../../protocol/outcome.js";
import { failureResult } from "../tool-result.js";
import { memoryBody, type Passage, readText, upToLineEnd } from "./body.js";
import { createId, handleOf, type Kept } from "./kept.js";
import { countLines } from "./lines.js";
import { type Held, heldBy, sizeOf } from "./measure.js";
import { shapeOf } from "./shape.js";
import { describeBinary, describeCut, NOT_A_FAILURE } from "./words.js";

/** The `_meta` key under which programs find what was cut. */
const RESULT_KEY = "toolwright/result";

/** More are put together, for each takes room on the wire even where it holds nothing. */
const MOST_BLOCKS = 1000;

/** What cutting needs to know of where it happens. */
export interface Place {
  readonly tool: string;
  readonly principal: string | undefined;
  readonly headBytes: number;
  readonly messageBytes: number;
  readonly expiresAt: number;
  /** Keeps what was cut; false where there is no room. */
  keep(kept: Kept, buffer: Buffer): Promise<boolean>;
}

/** Cuts one result: what fits is shown as it is, of the rest a head, its shape and a handle. */
export class Cut {
  readonly #place: Place;
  readonly #blocks: Block[] = [];
  readonly #told: JsonObject[] = [];
  /** Words that stand before the first text that is cut. */
  #lead = "";
  #room: number;

  constructor(place: Place) {
    this.#place = place;
    this.#room = place.headBytes;
  }

  /** `isBound` = the client holds structured content against a schema, so that it is there whole or the call has failed. */
  async result({ content, structured }: ToolResult, isBound: boolean): Promise<ToolResult> {
    const isSame = content === structured;
    const isShown = structured !== undefined && !isSame && this.#takes(Buffer.byteLength(structured));
    const isFailure = isBound && structured !== undefined && !isShown;
    if (isFailure) this.#lead = `${NOT_A_FAILURE}\n\n`;
    if (typeof content === "string") await this.#cutText([content], "The result", isSame);
    else await this.#cutBlocks(content);
    if (structured !== undefined && !isSame && !isShown)
      await this.#cutText([structured], "The structured content", true);
    const [first, ...also] = this.#told;
    const meta: JsonObject = { [RESULT_KEY]: { ...first, ...(also.length > 0 && { also }) } };
    if (!isFailure)
      return { content: this.#blocks, structured: isShown ? structured : undefined, isError: false, meta };
    const failure = failureResult("", { code: "RESULT_CUT" }, true);
    return { ...failure, content: this.#blocks, meta: { ...failure.meta, ...meta } };
  }

  async #cutBlocks(content: readonly Block[]): Promise<void> {
    const over: string[] = [];
    for (const block of content) {
      const held = heldBy(block);
      // Once a text is cut, those that follow are read after it.
      const isInOrder = (held.kind === "binary" || over.length === 0) && this.#blocks.length < MOST_BLOCKS;
      if (isInOrder && this.#takes(sizeOf(held))) this.#blocks.push(block);
      else if (held.kind === "text") over.push(held.text);
      else await this.#cutBinary(held);
    }
    if (over.length > 0) await this.#cutText(over, "The text", false);
  }

  async #cutText(texts: readonly string[], what: string, isJson: boolean): Promise<void> {
    const buffer = Buffer.from(texts.length === 1 ? (texts[0] as string) : texts.join("\n"));
    const body = memoryBody(buffer);
    const lines = await countLines(body);
    const shape = isJson || looksLikeJson(buffer) ? await shapeOf(body) : undefined;
    const mimeType = shape === undefined ? "text/plain" : "application/json";
    const kept = this.#describe({ bytes: buffer.length, mimeType, lines, isJson: shape !== undefined });
    const isKept = await this.#place.keep(kept, buffer);
    const nothing: Passage = { text: "", from: 0, to: 0 };
    const head = this.#room < 1 ? nothing : upToLineEnd(await readText(body, 0, this.#room));
    this.#room = 0;
    const words = describeCut({ kept, isKept, head, shape, blocks: texts.length, what });
    const shown = head.to === 0 ? "" : `${head.text}${head.text.endsWith("\n") ? "" : "\n"}\n`;
    // In one block: some clients show a model the first one only, and it must not take the head for the whole.
    this.#blocks.push(text(this.#lead + shown + words));
    this.#lead = "";
    this.#tell(kept, isKept);
  }

  async #cutBinary({ base64, mimeType, word }: Extract<Held, { kind: "binary" }>): Promise<void> {
    const isReadable = base64.length < this.#place.messageBytes;
    const buffer = Buffer.from(isReadable ? base64 : "", "base64");
    const bytes = Buffer.byteLength(base64, "base64");
    const kept = this.#describe({ bytes, mimeType, lines: undefined, isJson: false });
    const isKept = isReadable && (await this.#place.keep(kept, buffer));
    this.#blocks.push(text(describeBinary(kept, word, isKept ? "budget" : isReadable ? "room" : "message")));
    this.#tell(kept, isKept);
  }

  /** Whether something of this size may still be shown. */
  #takes(bytes: number): boolean {
    if (bytes > this.#room) return false;
    this.#room -= bytes;
    return true;
  }

  #describe(of: Pick<Kept, "bytes" | "mimeType" | "lines" | "isJson">): Kept {
    const { tool, principal, expiresAt } = this.#place;
    return { id: createId(), principal, tool, expiresAt, ...of };
  }

  #tell(kept: Kept, isKept: boolean): void {
    const { bytes, lines, mimeType: type, expiresAt, tool } = kept;
    const size: JsonObject = { bytes, ...(lines !== undefined && { lines: lines.count }) };
    if (!isKept) {
      this.#told.push(size);
      return;
    }
    const handle = handleOf(kept);
    this.#blocks.push(resourceLink(handle, `result of ${tool}`, { mimeType: type, size: bytes }));
    this.#told.push({ handle, ...size, expiresAt: new Date(expiresAt).toISOString() });
  }
}

/** A text that begins like an object or a list is worth a closer look. */
function looksLikeJson(buffer: Buffer): boolean {
  return /^\s*[[{]/.test(buffer.toString("latin1", 0, 64));
}
