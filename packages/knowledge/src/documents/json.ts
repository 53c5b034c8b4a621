import type { Block } from "./reading.js";

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
/** Smaller values share a block with their siblings or their parent. */
const SMALL = 1200;
/** Deeper values are not split. */
const MAX_DEPTH = 6;

/** A shared constant, so that top-level values compare as equal. */
const NONE: readonly string[] = [];

/** An object or array that is still open. */
interface Container {
  readonly start: number;
  /** The number of blocks before it. */
  readonly blocks: number;
  readonly headings: readonly string[];
  key: string | undefined;
}

/** Splits JSON or JSON Lines into blocks of members and items. Invalid JSON is split by its brackets. */
export function readJson(text: string): Block[] {
  const scan = new JsonScan(text);
  scan.run();
  return scan.finish();
}

class JsonScan {
  readonly #text: string;
  readonly #blocks: Block[] = [];
  readonly #open: Container[] = [];
  #depth = 0;
  /** The end of the last block, where the next one starts. Blocks are contiguous. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    const text = this.#text;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.#skipString(at);
      else if (code === 123 || code === 91) this.#enter(at);
      else if (code === 125 || code === 93) this.#leave(at + 1);
      else if (code === COMMA && this.#depth <= this.#open.length) this.#cut(at + 1);
      else if (code === 10 && this.#depth === 0) this.#cut(at);
    }
  }

  finish(): Block[] {
    const end = this.#text.trimEnd().length;
    const last = this.#blocks.at(-1);
    if (end > this.#end) {
      const rest = end - this.#end;
      if (last !== undefined && rest < 32) this.#blocks[this.#blocks.length - 1] = { ...last, end };
      else this.#blocks.push({ type: "code", start: this.#end, end, headings: NONE });
    }
    return this.#blocks;
  }

  /** Returns the end of a string, which may be a key. */
  #skipString(start: number): number {
    const text = this.#text;
    let at = start + 1;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) break;
    }
    const container = this.#open.at(-1);
    if (container !== undefined && this.#depth === this.#open.length) {
      let after = at + 1;
      while (text.charCodeAt(after) === 32) after += 1;
      if (text.charCodeAt(after) === COLON) container.key = text.slice(start + 1, Math.min(at, start + 101));
    }
    return at;
  }

  #enter(at: number): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH || this.#open.length < this.#depth - 1) return;
    const above = this.#open.at(-1);
    const headings = above?.key === undefined ? (above?.headings ?? NONE) : [...above.headings, above.key];
    this.#open.push({ start: at, blocks: this.#blocks.length, headings, key: undefined });
  }

  #leave(end: number): void {
    const container = this.#depth === this.#open.length ? this.#open.pop() : undefined;
    this.#depth = Math.max(0, this.#depth - 1);
    if (container === undefined) return;
    if (end - container.start > SMALL) return this.#add(end, container.headings);
    // A small container needs no separate blocks for its members.
    const first = this.#blocks[container.blocks];
    if (first !== undefined) this.#end = first.start;
    this.#blocks.length = Math.min(this.#blocks.length, container.blocks);
  }

  #cut(end: number): void {
    this.#add(end, this.#open.at(-1)?.headings ?? NONE);
  }

  #add(end: number, headings: readonly string[]): void {
    const start = this.#end;
    if (end <= start || this.#text.slice(start, Math.min(end, start + 64)).trim() === "") return;
    const last = this.#blocks.at(-1);
    const from = this.#open.at(-1)?.blocks ?? 0;
    const isJoined =
      last !== undefined && this.#blocks.length > from && last.headings === headings && end - last.start <= SMALL / 4;
    if (isJoined) this.#blocks[this.#blocks.length - 1] = { ...last, end };
    else this.#blocks.push({ type: "code", start: skipBlank(this.#text, start), end, headings });
    this.#end = end;
  }
}

function skipBlank(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
}
