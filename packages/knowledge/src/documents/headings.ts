import type { Block } from "./reading.js";

/** Longer ones are no headings, but paragraphs that look so. */
const LONGEST = 200;

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
    const short = title.length > LONGEST ? `${title.slice(0, LONGEST).trimEnd()}…` : title;
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
    .slice(0, LONGEST * 2)
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
