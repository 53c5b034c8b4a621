import type { Block, Reading } from "../documents/reading.js";
import { countQuarters, cutAt, overlapStart, toQuarters, toTokens } from "./cut.js";
import { type Chunk, type ChunkOptions, cutTable, type Passage, toChunk } from "./passage.js";

export type { Chunk, ChunkOptions } from "./passage.js";

/** Splits a document into passages. Keeps headings with the text that follows, and code blocks and tables whole if they fit. */
export function cutDocument(reading: Pick<Reading, "kind" | "text" | "blocks">, options: ChunkOptions): Passage[] {
  const packer = new Packer(reading, options);
  for (const block of reading.blocks) packer.add(block);
  return packer.finish();
}

/** Like `cutDocument`, but includes the contents. */
export function chunk(reading: Pick<Reading, "kind" | "text" | "blocks">, options: ChunkOptions): Chunk[] {
  return cutDocument(reading, options).map((passage) => toChunk(reading.text, passage));
}

/** The passage that is being filled. */
interface Open {
  start: number;
  end: number;
  quarters: number;
  /** The end of the last block that is not a heading; -1 if there are only headings so far. */
  bodyEnd: number;
  /** The start of trailing headings without a body; -1 if there are none. */
  tailStart: number;
  type: Passage["type"];
  headings: readonly string[];
  last: Block;
}

/** Packs blocks into passages. */
class Packer {
  readonly passages: Passage[] = [];
  readonly #text: string;
  readonly #isCsv: boolean;
  readonly #isNamed: boolean;
  readonly #size: number;
  readonly #overlap: number;
  readonly #minimum: number;
  #open: Open | undefined;

  constructor({ text, kind }: Pick<Reading, "kind" | "text">, { size, overlap }: ChunkOptions) {
    this.#text = text;
    this.#isCsv = kind === "csv";
    this.#isNamed = kind === "code" || kind === "json";
    this.#size = toQuarters(Math.max(8, size));
    this.#overlap = Math.min(toQuarters(Math.max(0, overlap)), this.#size / 4);
    // A section below this size is merged with the next one, because it would say too little on its own.
    this.#minimum = this.#size / (this.#isNamed ? 4 : 8);
  }

  add(block: Block): void {
    const open = this.#open;
    if (open !== undefined && open.quarters >= this.#minimum && this.#startsSection(block, open)) this.#flush();
    const quarters = countQuarters(this.#text, block.start, block.end);
    if (this.#fits(block, quarters)) return this.#append(block, quarters);
    this.#makeRoom(quarters, block);
    if (this.#fits(block, quarters)) return this.#append(block, quarters);
    const isWhole = quarters <= this.#size && (block.type === "code" || block.type === "table");
    const isCrowded = (this.#open?.quarters ?? 0) > this.#size / 2;
    if (isWhole || isCrowded) this.#flush();
    if (isWhole) this.#append(block, quarters);
    else if (block.type === "table") this.#cutTable(block);
    else this.#cut(block);
  }

  finish(): Passage[] {
    this.#flush();
    return this.passages;
  }

  #startsSection(block: Block, open: Open): boolean {
    if (this.#isNamed) return block.headings !== open.last.headings;
    return block.type === "heading" && open.bodyEnd !== -1;
  }

  #fits(block: Block, quarters: number): boolean {
    const open = this.#open;
    return (open === undefined ? 0 : open.quarters + block.start - open.end) + quarters <= this.#size;
  }

  #append(block: Block, quarters: number, start = block.start): void {
    const open = this.#open;
    const isHeading = block.type === "heading";
    if (open === undefined) {
      this.#open = {
        start,
        end: block.end,
        quarters,
        bodyEnd: isHeading ? -1 : block.end,
        tailStart: isHeading ? start : -1,
        type: block.type === "heading" ? "header" : block.type,
        headings: block.headings,
        last: block,
      };
      return;
    }
    open.quarters += quarters + Math.max(0, start - open.end);
    open.end = block.end;
    if (isHeading) {
      if (open.tailStart === -1) open.tailStart = start;
    } else {
      open.headings = open.bodyEnd === -1 ? block.headings : common(open.headings, block.headings);
      open.type = open.type === "header" || open.type === block.type ? block.type : "text";
      open.bodyEnd = block.end;
      open.tailStart = -1;
    }
    open.last = block;
  }

  /** Ends the passage before a block that does not fit. Trailing headings, or an overlap, move to the next passage. */
  #makeRoom(quarters: number, block: Block): void {
    const open = this.#open;
    if (open === undefined || open.bodyEnd === -1) return;
    const { tailStart, last, bodyEnd, start } = open;
    this.#flush(bodyEnd);
    if (tailStart !== -1) {
      this.#append({ ...last, start: tailStart }, countQuarters(this.#text, tailStart, last.end));
      return;
    }
    const isProse = (last.type === "text" || last.type === "list") && (block.type === "text" || block.type === "list");
    if (!isProse || quarters > this.#size) return;
    const from = overlapStart(this.#text, start, bodyEnd, this.#overlap, false);
    const kept = countQuarters(this.#text, from, bodyEnd);
    if (from < bodyEnd && kept + block.start - bodyEnd + quarters <= this.#size)
      this.#append({ ...last, start: from }, kept, from);
  }

  /** Splits a block that is larger than a passage at sentences or lines. The last part stays open. */
  #cut(block: Block): void {
    const isCode = block.type === "code";
    let from = block.start;
    let done = block.start;
    for (;;) {
      const room = this.#open === undefined ? this.#size : this.#size - this.#open.quarters - (from - this.#open.end);
      let end = cutAt(this.#text, from, block.end, room, isCode);
      if (end <= done && from < done) {
        from = done;
        end = cutAt(this.#text, from, block.end, room, isCode);
      }
      this.#append({ ...block, start: from, end }, countQuarters(this.#text, from, end));
      if (end >= block.end) return;
      this.#flush();
      done = end;
      from = overlapStart(this.#text, from, end, this.#overlap, isCode);
    }
  }

  #cutTable(block: Block): void {
    const open = this.#open;
    const firstQuarters = open === undefined ? this.#size : this.#size - open.quarters - (block.start - open.end);
    const { head, parts } = cutTable(this.#text, block, { isCsv: this.#isCsv, quarters: this.#size, firstQuarters });
    for (const [index, { start, end }] of parts.entries()) {
      this.#append({ ...block, start, end }, countQuarters(this.#text, start, end));
      this.#flush(undefined, index === 0 ? "" : head);
    }
  }

  /** Emits the open passage up to an offset, with an optional table header. */
  #flush(until?: number, head = ""): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const start = skipBlankLines(this.#text, open.start, until ?? open.end);
    const end = trimEnd(this.#text, start, until ?? open.end);
    if (end <= start) return;
    const quarters =
      countQuarters(this.#text, start, end) + (head === "" ? 0 : countQuarters(head, 0, head.length) + 1);
    this.passages.push({
      ordinal: this.passages.length,
      start,
      end,
      type: open.type,
      headings: open.headings,
      tokens: toTokens(quarters),
      ...(head !== "" && { head }),
    });
  }
}

function common(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one === other) return one;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length === one.length ? one : one.slice(0, length);
}

function skipBlankLines(text: string, start: number, end: number): number {
  let line = start;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) line = at + 1;
    else if (code > 32) return line;
  }
  return end;
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) <= 32) at -= 1;
  return at;
}
