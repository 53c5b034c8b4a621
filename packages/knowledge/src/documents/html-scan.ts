import type { TokenizerCallbacks } from "htmlparser2";
import { BlockBuilder } from "./block-builder.js";
import type { DecodedText } from "./decode.js";

/** Longer names are treated as malicious input. */
const MAX_NAME_LENGTH = 40;
const MAX_VALUE_LENGTH = 1000;

/** Builds blocks from HTML tokens. It keeps no element stack, so nesting depth is irrelevant. */
export class HtmlScan implements TokenizerCallbacks {
  readonly builder = new BlockBuilder();
  readonly about = new HtmlMetadata();
  readonly #source: DecodedText;
  readonly #left: ReadonlySet<string>;
  readonly #writer: HtmlWriter;
  #text: { readonly start: number; end: number } | undefined;
  #tag = "";
  #attributes: Record<string, string> = {};
  #attribute = "";
  /** The ignored element and its nesting depth. */
  #unread = { name: "", depth: 0 };
  #isTitle = false;
  #lists = 0;
  #tables = 0;
  #pres = 0;
  #cells = 0;
  #isHeading = false;

  constructor(source: DecodedText, left: ReadonlySet<string>) {
    this.#source = source;
    this.#left = left;
    this.#writer = new HtmlWriter(source, this.builder);
  }

  onopentagname(start: number, end: number): void {
    this.#flush();
    this.#tag = this.#nameAt(start, end);
    this.#attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.#attribute = METADATA_ELEMENTS.has(this.#tag) ? this.#nameAt(start, end) : "";
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute === "" || this.#attribute === "__proto__") return;
    const before = this.#attributes[this.#attribute] ?? "";
    if (before.length < MAX_VALUE_LENGTH)
      this.#attributes[this.#attribute] =
        before + this.#source.text.slice(start, Math.min(end, start + MAX_VALUE_LENGTH));
  }

  onattribentity(code: number): void {
    if (this.#attribute === "" || this.#attribute === "__proto__") return;
    this.#attributes[this.#attribute] = (this.#attributes[this.#attribute] ?? "") + String.fromCodePoint(code);
  }

  onopentagend(): void {
    const name = this.#tag;
    if (name === "title" && this.about.title === "") this.#isTitle = true;
    if (METADATA_ELEMENTS.has(name)) this.about.readAttributes(name, this.#attributes);
    // An unclosed head ends at the first element of the body.
    if (this.#unread.name === "head" && (BLOCK_ELEMENTS.has(name) || headingLevel(name) > 0)) this.#unread.depth = 0;
    if (this.#unread.depth > 0) {
      if (name === this.#unread.name) this.#unread.depth += 1;
    } else if (IGNORED_ELEMENTS.has(name) || this.#left.has(name)) this.#unread = { name, depth: 1 };
    else this.#open(name);
  }

  onselfclosingtag(): void {
    const name = this.#tag;
    if (METADATA_ELEMENTS.has(name)) this.about.readAttributes(name, this.#attributes);
    if (this.#unread.depth === 0 && (name === "br" || name === "hr" || BLOCK_ELEMENTS.has(name))) this.#open(name);
  }

  onclosetag(start: number, end: number): void {
    this.#flush();
    const name = this.#nameAt(start, end);
    if (name === "title") this.#isTitle = false;
    if (this.#unread.depth === 0) this.#close(name);
    else if (name === this.#unread.name) this.#unread.depth -= 1;
  }

  /** Joins adjacent text tokens: some files have one token per character. */
  ontext(start: number, end: number): void {
    if (this.#text?.end === start) this.#text.end = end;
    else {
      this.#flush();
      this.#text = { start, end };
    }
  }

  #flush(): void {
    const text = this.#text;
    this.#text = undefined;
    if (text !== undefined) this.#take(text.start, text.end);
  }

  #take(start: number, end: number): void {
    if (this.#isTitle) this.about.addTitle(this.#source.text.slice(start, end));
    else if (this.#unread.depth > 0) return;
    else if (this.#pres > 0) this.#writer.write(start, end);
    else this.#writer.writeProse(start, end);
  }

  ontextentity(code: number, end: number): void {
    this.#flush();
    const character = String.fromCodePoint(code);
    if (this.#isTitle) return this.about.addTitle(character);
    if (this.#unread.depth > 0) return;
    const start = Math.max(0, this.#source.text.lastIndexOf("&", end - 1));
    if (character.trim() === "" && this.#pres === 0) this.#writer.space(start, end);
    else this.#writer.writeAs(character, start, end);
  }

  oncdata(start: number, end: number): void {
    this.ontext(start, end);
  }

  onattribend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    this.#flush();
    this.builder.end();
  }

  #nameAt(start: number, end: number): string {
    return this.#source.text.slice(start, Math.min(end, start + MAX_NAME_LENGTH)).toLowerCase();
  }

  #open(name: string): void {
    const level = headingLevel(name);
    if (level > 0) {
      this.#isHeading = true;
      this.#begin("heading", level);
    } else if (name === "pre") {
      this.#pres += 1;
      this.#begin("code");
    } else if (name === "table") {
      if (this.#tables === 0) this.#begin("table");
      this.#tables += 1;
    } else if (LIST_ELEMENTS.has(name)) {
      if (this.#lists === 0 && this.#tables === 0) this.#begin("list");
      this.#lists += 1;
    } else if (name === "li") this.#item();
    else if (name === "br") this.#newLine();
    else if (name === "tr") this.#row();
    else if (CELL_ELEMENTS.has(name)) this.#cell();
    else if (BLOCK_ELEMENTS.has(name)) this.#part();
  }

  #close(name: string): void {
    if (headingLevel(name) > 0) {
      this.#isHeading = false;
      this.#part();
    } else if (name === "pre" && this.#pres > 0) {
      this.#pres -= 1;
      if (this.#pres === 0) this.#begin(this.#tables > 0 ? "table" : this.#lists > 0 ? "list" : "text");
    } else if (name === "table" && this.#tables > 0) {
      this.#tables -= 1;
      if (this.#tables === 0) this.#part();
    } else if (LIST_ELEMENTS.has(name) && this.#lists > 0) {
      this.#lists -= 1;
      if (this.#lists === 0) this.#part();
    } else if (BLOCK_ELEMENTS.has(name)) this.#part();
  }

  #begin(type: "heading" | "text" | "code" | "table" | "list", level = 0): void {
    this.#writer.dropSpace();
    this.builder.begin(type, level);
  }

  /** Starts a new block, or a new line in a list. Within a table it stays in the row. */
  #part(): void {
    if (this.#isHeading || this.#pres > 0) return;
    if (this.#tables > 0) this.#writer.space(0, 0);
    else if (this.#lists > 0) {
      if (!this.builder.isOpen) this.#begin("list");
      else if (!this.#writer.isAtItem) this.#newLine();
    } else this.#begin("text");
  }

  #item(): void {
    if (this.#tables > 0 || this.#isHeading || this.#pres > 0) return;
    if (this.#lists === 0) return this.#part();
    this.#newLine();
    this.builder.insert(`${"  ".repeat(Math.min(this.#lists, 9) - 1)}- `);
    this.#writer.isAtItem = true;
  }

  #row(): void {
    this.#cells = 0;
    this.#newLine();
  }

  #cell(): void {
    if (this.#tables === 0) return this.#part();
    // Empty cells count, so that later cells keep their column.
    if (this.#cells > 0) this.builder.insert(" | ");
    this.#cells += 1;
    this.#writer.dropSpace();
    this.#writer.isAtItem = true;
  }

  #newLine(): void {
    this.#writer.dropSpace();
    this.builder.newLine();
  }
}

/** Elements whose content is not visible text. */
const IGNORED_ELEMENTS = new Set("script style noscript template svg math iframe object canvas head select".split(" "));

/** Navigation elements, which are omitted if the document has other text. */
export const NAVIGATION_ELEMENTS = new Set(["nav"]);

/** Block-level elements. */
const BLOCK_ELEMENTS = new Set(
  (
    "p div section article main header footer aside nav blockquote figure figcaption address dl dt dd form fieldset " +
    "details summary hr body center"
  ).split(" "),
);

const LIST_ELEMENTS = new Set(["ul", "ol", "menu", "dir"]);
const CELL_ELEMENTS = new Set(["td", "th"]);

/** The level of a heading element; 0 if it is not a heading. */
function headingLevel(name: string): number {
  const level = name.length === 2 && name.startsWith("h") ? name.charCodeAt(1) - 48 : 0;
  return level >= 1 && level <= 6 ? level : 0;
}

/** Elements whose attributes are metadata. */
const METADATA_ELEMENTS = new Set(["meta", "html", "link", "a"]);

/** Writes HTML text into blocks with whitespace collapsed as in a browser. */
export class HtmlWriter {
  /** Whether the current item or cell is still empty. */
  isAtItem = false;
  readonly #source: DecodedText;
  readonly #builder: BlockBuilder;
  #space: { readonly start: number; readonly end: number } | undefined;

  constructor(source: DecodedText, builder: BlockBuilder) {
    this.#source = source;
    this.#builder = builder;
  }

  /** Adds a space before the next text on the line, mapped to this source range if that is not empty. */
  space(start: number, end: number): void {
    this.#space ??= { start, end };
  }

  dropSpace(): void {
    this.#space = undefined;
  }

  /** Writes text with collapsed whitespace. */
  writeProse(start: number, end: number): void {
    const { text } = this.#source;
    let from = start;
    for (let at = start; at < end; ) {
      if (!isBlank(text.charCodeAt(at))) {
        at += 1;
        continue;
      }
      let after = at + 1;
      while (after < end && isBlank(text.charCodeAt(after))) after += 1;
      const isPlain = after === at + 1 && text.charCodeAt(at) === 32 && at > from && after < end;
      if (!isPlain) {
        if (at > from) this.write(from, at);
        this.#space ??= { start: at, end: after };
        from = after;
      }
      at = after;
    }
    if (end > from) this.write(from, end);
  }

  /** Writes text unchanged. */
  write(start: number, end: number): void {
    const { text, bytes } = this.#source;
    const [first, last] = [bytes.startOf(start), bytes.endOf(end)];
    if (last - first === end - start) return this.writeAs(text.slice(start, end), start, end);
    for (let at = start; at < end; ) {
      const next = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
      this.writeAs(text.slice(at, next), at, next);
      at = next;
    }
  }

  /** Writes `text` in place of a source range. */
  writeAs(text: string, start: number, end: number): void {
    const { bytes } = this.#source;
    const space = this.#space;
    this.#space = undefined;
    if (space !== undefined && !this.#builder.isAtStart && !this.isAtItem) {
      if (space.end === 0) this.#builder.insert(" ");
      else this.#builder.append(" ", bytes.startOf(space.start), bytes.endOf(space.end));
    }
    this.isAtItem = false;
    this.#builder.append(text, bytes.startOf(start), bytes.endOf(end));
  }
}

const isBlank = (code: number): boolean => code <= 32 || code === 0xa0;

const MAX_TITLE_LENGTH = 1000;
const MAX_ENTRIES = 100;

/** The metadata of an HTML file. */
class HtmlMetadata {
  readonly metadata: Record<string, string> = {};
  title = "";
  language: string | undefined;
  license: string | undefined;

  addTitle(text: string): void {
    if (this.title.length < MAX_TITLE_LENGTH) this.title += text;
  }

  /** Reads metadata from the attributes of an element. */
  readAttributes(element: string, attributes: Readonly<Partial<Record<string, string>>>): void {
    const { lang, rel, href, content, name, property } = attributes;
    if (element === "html") this.language = lang;
    else if (element === "meta") {
      const key = (name ?? property)?.toLowerCase();
      if (key !== undefined && content !== undefined && Object.keys(this.metadata).length < MAX_ENTRIES)
        this.metadata[key] = content;
    } else if (rel?.toLowerCase() === "license") this.license ??= href;
  }
}
