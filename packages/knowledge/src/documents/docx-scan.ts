import { BlockBuilder } from "./block-builder.js";
import { Numbers } from "./numbers.js";
import type { Block } from "./reading.js";
import type { XmlEvents } from "./xml.js";

/** What a style makes of a paragraph. */
export interface DocxStyle {
  readonly level?: number;
  readonly isTitle?: true;
  readonly isList?: true;
  readonly isCode?: true;
}

/** Elements that say the same again, or what was deleted. */
const UNREAD = new Set(["Fallback", "del", "moveFrom", "instrText", "delText"]);

/** Makes blocks of the parts of a Word document. */
export class DocxScan implements XmlEvents {
  readonly builder = new BlockBuilder();
  /** Where each paragraph starts in the text, the empty ones too. */
  readonly paragraphs = new Numbers();
  title = "";
  readonly #styles: ReadonlyMap<string, DocxStyle>;
  #unread = 0;
  #isText = false;
  #tables = 0;
  #cells = 0;
  #isCellEmpty = true;
  #type: Block["type"] | undefined;
  #style: DocxStyle = {};
  #listLevel = 0;
  #hasText = false;

  constructor(styles: ReadonlyMap<string, DocxStyle>) {
    this.#styles = styles;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (UNREAD.has(name)) this.#unread += 1;
    if (this.#unread > 0) return;
    if (name === "p") this.#startParagraph();
    else if (name === "pStyle") this.#style = this.#styles.get(attributes["val"] ?? "") ?? styleById(attributes["val"]);
    else if (name === "numPr" && this.#style.level === undefined) this.#style = { ...this.#style, isList: true };
    else if (name === "ilvl") this.#listLevel = Math.min(9, Number(attributes["val"]) || 0);
    else if (name === "outlineLvl" && Number(attributes["val"]) < 9)
      this.#style = { ...this.#style, level: Number(attributes["val"]) + 1 };
    else if (name === "t") this.#isText = true;
    else if (name === "tab") this.#write("\t");
    else if (name === "br" || name === "cr") this.builder.newLine();
    else if (name === "tbl") this.#startTable();
    else if (name === "tr" && this.#tables === 1) this.#startRow();
    else if (name === "tc" && this.#tables === 1) this.#startCell();
  }

  close(name: string): void {
    if (UNREAD.has(name)) this.#unread = Math.max(0, this.#unread - 1);
    if (name === "t") this.#isText = false;
    else if (name === "tbl" && this.#tables > 0 && (this.#tables -= 1) === 0) {
      this.builder.end();
      this.#type = undefined;
    }
  }

  text(text: string): void {
    if (this.#isText && this.#unread === 0 && text !== "") this.#write(text.replaceAll(/[\r\n]+/g, " "));
  }

  #startParagraph(): void {
    this.paragraphs.push(this.builder.length);
    this.#style = {};
    this.#listLevel = 0;
    this.#hasText = false;
  }

  #startTable(): void {
    this.#tables += 1;
    if (this.#tables > 1) return;
    this.builder.begin("table");
    this.#type = "table";
  }

  #startRow(): void {
    this.#cells = 0;
    this.builder.newLine();
  }

  #startCell(): void {
    // An empty cell counts: those after it keep their columns.
    if (this.#cells > 0) this.builder.insert(" | ");
    this.#cells += 1;
    this.#isCellEmpty = true;
  }

  #write(text: string): void {
    if (!this.#hasText) {
      if (text.trim() === "") return;
      this.#startBlock();
    }
    this.#hasText = true;
    this.builder.append(text);
    if (this.#style.isTitle && this.#tables === 0 && this.title.length < 300) this.title += text;
  }

  /** The first text of a paragraph: its properties are known by now. */
  #startBlock(): void {
    if (this.#tables > 0) {
      if (!this.#isCellEmpty) this.builder.insert(" ");
      this.#isCellEmpty = false;
      return;
    }
    const { level, isList, isCode } = this.#style;
    const type = level !== undefined ? "heading" : isList ? "list" : isCode ? "code" : "text";
    // Items of a list and lines of code are paragraphs, but belong together.
    if (type === this.#type && (type === "list" || type === "code")) this.builder.newLine();
    else this.builder.begin(type, level);
    this.#type = type;
    if (type === "list") this.builder.insert(`${"  ".repeat(this.#listLevel)}- `);
  }
}

/** Where a document has no list of styles, their ids tell. */
function styleById(id = ""): DocxStyle {
  const level = Number(/^Heading([1-9])$/.exec(id)?.[1] ?? 0);
  return level > 0 ? { level } : id === "Title" ? { level: 1, isTitle: true } : {};
}
