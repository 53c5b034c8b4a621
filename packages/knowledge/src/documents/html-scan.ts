import type { TokenizerCallbacks } from "htmlparser2";
import { BlockBuilder } from "./block-builder.js";
import type { DecodedText } from "./decode.js";
import { HtmlAbout } from "./html-about.js";
import { APART, CELLS, headingLevel, LISTS, TELLING, UNREAD } from "./html-tags.js";
import { HtmlWriter } from "./html-writer.js";

/** Names are short; a longer one is an attack. */
const LONGEST_NAME = 40;
const LONGEST_VALUE = 1000;

/** Makes blocks of the tokens of an HTML file. It keeps no stack of elements, so depth costs nothing. */
export class HtmlScan implements TokenizerCallbacks {
  readonly builder = new BlockBuilder();
  readonly about = new HtmlAbout();
  readonly #source: DecodedText;
  readonly #left: ReadonlySet<string>;
  readonly #writer: HtmlWriter;
  #text: { readonly start: number; end: number } | undefined;
  #tag = "";
  #attributes: Record<string, string> = {};
  #attribute = "";
  /** The element whose text is left out, and how many of it are open. */
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
    this.#attribute = TELLING.has(this.#tag) ? this.#nameAt(start, end) : "";
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute === "" || this.#attribute === "__proto__") return;
    const before = this.#attributes[this.#attribute] ?? "";
    if (before.length < LONGEST_VALUE)
      this.#attributes[this.#attribute] = before + this.#source.text.slice(start, Math.min(end, start + LONGEST_VALUE));
  }

  onattribentity(code: number): void {
    if (this.#attribute === "" || this.#attribute === "__proto__") return;
    this.#attributes[this.#attribute] = (this.#attributes[this.#attribute] ?? "") + String.fromCodePoint(code);
  }

  onopentagend(): void {
    const name = this.#tag;
    if (name === "title" && this.about.title === "") this.#isTitle = true;
    if (TELLING.has(name)) this.about.learn(name, this.#attributes);
    // A head that is not closed ends where the body starts.
    if (this.#unread.name === "head" && (APART.has(name) || headingLevel(name) > 0)) this.#unread.depth = 0;
    if (this.#unread.depth > 0) {
      if (name === this.#unread.name) this.#unread.depth += 1;
    } else if (UNREAD.has(name) || this.#left.has(name)) this.#unread = { name, depth: 1 };
    else this.#open(name);
  }

  onselfclosingtag(): void {
    const name = this.#tag;
    if (TELLING.has(name)) this.about.learn(name, this.#attributes);
    if (this.#unread.depth === 0 && (name === "br" || name === "hr" || APART.has(name))) this.#open(name);
  }

  onclosetag(start: number, end: number): void {
    this.#flush();
    const name = this.#nameAt(start, end);
    if (name === "title") this.#isTitle = false;
    if (this.#unread.depth === 0) this.#close(name);
    else if (name === this.#unread.name) this.#unread.depth -= 1;
  }

  /** Text that goes on where the last one ended is one with it: some files come letter by letter. */
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
    return this.#source.text.slice(start, Math.min(end, start + LONGEST_NAME)).toLowerCase();
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
    } else if (LISTS.has(name)) {
      if (this.#lists === 0 && this.#tables === 0) this.#begin("list");
      this.#lists += 1;
    } else if (name === "li") this.#item();
    else if (name === "br") this.#newLine();
    else if (name === "tr") this.#row();
    else if (CELLS.has(name)) this.#cell();
    else if (APART.has(name)) this.#part();
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
    } else if (LISTS.has(name) && this.#lists > 0) {
      this.#lists -= 1;
      if (this.#lists === 0) this.#part();
    } else if (APART.has(name)) this.#part();
  }

  #begin(type: "heading" | "text" | "code" | "table" | "list", level = 0): void {
    this.#writer.dropSpace();
    this.builder.begin(type, level);
  }

  /** Something apart: a block of its own, or a line of a list; in a table it stays in its row. */
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
    // An empty cell counts: those after it keep their columns.
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
