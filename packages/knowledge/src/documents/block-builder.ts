import type { Block } from "./reading.js";
import { ByteMap } from "./source-map.js";

interface Open {
  readonly type: Block["type"];
  readonly level: number;
  readonly start: number;
  readonly part: number;
}

/** Builds a text and its blocks from pieces, and the map from it to the bytes that the pieces came from, where they have some. */
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

  /** How long the text is. */
  get length(): number {
    return this.#length;
  }

  /** Whether nothing is on the line yet. */
  get isAtStart(): boolean {
    return this.#isAtStart;
  }

  /** Whether the block has text already. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Adds text that stands for these bytes. */
  append(text: string, byteStart = 0, byteEnd = 0): void {
    this.#start();
    this.#push(text, byteStart, byteEnd);
    this.#byte = byteEnd;
    this.#isAtStart = text.endsWith("\n");
    this.#textEnd = this.#length;
    this.#textParts = this.#parts.length;
  }

  /** Adds what the source does not have: marks and line ends. It counts for nothing where no text follows it. */
  insert(text: string): void {
    this.#start();
    this.#push(text, this.#byte, this.#byte);
    this.#isAtStart = text.endsWith("\n");
  }

  /** Goes to a new line within the block. */
  newLine(): void {
    if (this.#open !== undefined && !this.#isAtStart) this.insert("\n");
  }

  /** Ends the block; what comes next is of a type. */
  begin(type: Block["type"], level = 0): void {
    this.end();
    this.#wanted = { type, level };
  }

  /** Ends the block. */
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

/** Longer ones are no headings, but paragraphs that look so. */
const MAX_LENGTH = 200;

/** The headings above a place in a document. */
export class Headings {
  #path: readonly { readonly level: number; readonly title: string }[] = [];
  #above: readonly string[] = [];
  #first: string | undefined;

  /** The first heading of the document. */
  get first(): string | undefined {
    return this.#first;
  }

  /** The headings above what comes next, the highest first. */
  get above(): readonly string[] {
    return this.#above;
  }

  /** Takes a heading, and makes its block. */
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

/** The words of a heading in Markdown, without its marks. */
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
