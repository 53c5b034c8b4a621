import type { Block } from "./reading.js";
import { ByteMap } from "./source-map.js";

interface Open {
  readonly type: Block["type"];
  readonly level: number;
  readonly start: number;
  readonly part: number;
}

/** Builds a text with its blocks, and the map from the text to source bytes. */
export class BlockBuilder {
  readonly bytes = new ByteMap();
  readonly blocks: Block[] = [];
  readonly headings = new Headings();
  readonly #parts: string[] = [];
  #length = 0;
  #textEnd = 0;
  #textParts = 0;
  #byte = 0;
  #isAtStart = true;
  #wanted: { readonly type: Block["type"]; readonly level: number } = { type: "text", level: 0 };
  #open: Open | undefined;

  /** The length of the text. */
  get length(): number {
    return this.#length;
  }

  /** Whether the current line is empty. */
  get isAtStart(): boolean {
    return this.#isAtStart;
  }

  /** Whether the current block has text. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Adds text that comes from the given range of source bytes. */
  append(text: string, byteStart = 0, byteEnd = 0): void {
    this.#start();
    this.#push(text, byteStart, byteEnd);
    this.#byte = byteEnd;
    this.#isAtStart = text.endsWith("\n");
    this.#textEnd = this.#length;
    this.#textParts = this.#parts.length;
  }

  /** Adds text that is not in the source, such as markers and line ends. It is dropped unless source text follows. */
  insert(text: string): void {
    this.#start();
    this.#push(text, this.#byte, this.#byte);
    this.#isAtStart = text.endsWith("\n");
  }

  /** Starts a new line within the block. */
  newLine(): void {
    if (this.#open !== undefined && !this.#isAtStart) this.insert("\n");
  }

  /** Ends the block, and starts one of this type. */
  begin(type: Block["type"], level = 0): void {
    this.end();
    this.#wanted = { type, level };
  }

  end(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#isAtStart = true;
    const { type, start, level } = open;
    if (this.#textEnd <= start) return;
    const end = this.#textEnd;
    if (type !== "heading") this.blocks.push({ type, start, end, headings: this.headings.above });
    else {
      const title = this.#parts.slice(open.part, this.#textParts).join("").replaceAll(/\s+/g, " ").trim();
      this.blocks.push(this.headings.enter(level, title, start, end));
    }
  }

  toText(): string {
    return this.#parts.join("");
  }

  #start(): void {
    if (this.#open !== undefined) return;
    if (this.#length > 0) this.#push("\n\n", this.#byte, this.#byte);
    this.#open = { ...this.#wanted, start: this.#length, part: this.#parts.length };
    this.#isAtStart = true;
  }

  #push(text: string, byteStart: number, byteEnd: number): void {
    this.bytes.add(text.length, byteStart, byteEnd);
    this.#parts.push(text);
    this.#length += text.length;
  }
}

/** Longer text is treated as a paragraph. */
const MAX_LENGTH = 200;

/** Tracks the current headings while a document is read. */
export class Headings {
  #path: readonly { readonly level: number; readonly title: string }[] = [];
  #above: readonly string[] = [];
  #first: string | undefined;

  get first(): string | undefined {
    return this.#first;
  }

  /** The headings that apply to the next block, outermost first. */
  get above(): readonly string[] {
    return this.#above;
  }

  /** Adds a heading and returns its block. */
  enter(level: number, title: string, start: number, end: number): Block {
    const short = title.length > MAX_LENGTH ? `${title.slice(0, MAX_LENGTH).trimEnd()}…` : title;
    if (short !== "") this.#first ??= short;
    const path = this.#path.filter((one) => one.level < level);
    const block: Block = { type: "heading", start, end, level, headings: path.map((one) => one.title) };
    this.#path = short === "" ? path : [...path, { level, title: short }];
    this.#above = this.#path.map((one) => one.title);
    return block;
  }
}

/** The text of a Markdown heading without markup. */
export function plainHeading(source: string): string {
  let text = source
    .slice(0, MAX_LENGTH * 2)
    .trim()
    .replace(/^#{1,6}(?=\s|$)/, "")
    .trim();
  const marks = /(?:^|[ \t])#+$/.exec(text);
  if (marks !== null) text = text.slice(0, marks.index).trim();
  return text
    .replaceAll(/\s?\{#[\w-]{1,80}\}$/g, "")
    .replaceAll(/!?\[([^[\]]{0,200})\]\([^()\s]{0,400}\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
