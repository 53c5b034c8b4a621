import { bufferSize } from "../large-buffer.js";
import { BlockBuilder } from "./block-builder.js";
import { tooManyCharacters } from "./decode.js";
import { type FileToRead, makeReading } from "./make-reading.js";
import { Uint32List } from "./numbers.js";
import { type Block, type Reading, type ReadLimits, UnreadableDocument } from "./reading.js";
import { writePageMap } from "./source-map.js";

const MAIN = /^word\/document\d*\.xml$/;
const NOTES = ["word/footnotes.xml", "word/endnotes.xml"];
const STYLES = "word/styles.xml";
const PROPERTIES = "docProps/core.xml";

/** Reads a Word document: paragraphs, headings by their styles, lists, tables, notes and properties. */
export async function readDocx({ name, bytes }: FileToRead, limits: ReadLimits): Promise<Reading> {
  const wanted = new Set([...NOTES, STYLES, PROPERTIES]);
  const files = await unzip(bytes, (file) => wanted.has(file) || MAIN.test(file), limits);
  const main = [...files.keys()].find((file) => MAIN.test(file));
  if (main === undefined) throw new UnreadableDocument("it is a ZIP archive without a Word document");
  const scan = new DocxScan(await readStyles(files.get(STYLES)));
  for (const file of [main, ...NOTES]) {
    const part = files.get(file);
    if (part !== undefined) await readXml(part, scan);
    scan.builder.end();
  }
  const text = scan.builder.toText();
  if (text.length > limits.characters) throw tooManyCharacters(text.length, limits);
  const metadata = await readProperties(files.get(PROPERTIES));
  return makeReading("docx", name, "utf-8", text, writePageMap(scan.paragraphs, new Uint32List()), {
    blocks: scan.builder.blocks,
    title: metadata["title"] || scan.title || scan.builder.headings.first,
    language: metadata["language"],
    metadata,
  });
}

const LEVEL = /^(?:heading|überschrift|titre|título|titolo|rubrik) ?([1-9])$/i;

/** Reads the paragraph styles of a document by id. */
async function readStyles(bytes: Buffer | undefined): Promise<ReadonlyMap<string, DocxStyle>> {
  const styles = new Map<string, DocxStyle>();
  let id = "";
  const note = (style: DocxStyle): void => void styles.set(id, { ...styles.get(id), ...style });
  if (bytes === undefined) return styles;
  await readXml(bytes, {
    open(element, attributes) {
      const value = attributes["val"] ?? "";
      if (element === "style") id = attributes["styleId"] ?? "";
      else if (id === "") return;
      else if (element === "outlineLvl" && Number(value) < 9) note({ level: Number(value) + 1 });
      else if (element === "numPr") note({ isList: true });
      else if (element === "name") {
        const level = Number(LEVEL.exec(value)?.[1] ?? 0);
        if (level > 0) note({ level });
        else if (/^title$/i.test(value)) note({ level: 1, isTitle: true });
        else if (/^list\b/i.test(value)) note({ isList: true });
        else if (/\bcode\b|preformatted|source|verbatim/i.test(value)) note({ isCode: true });
      }
    },
    close: (element) => void (element === "style" && (id = "")),
    text() {},
  });
  return styles;
}

const KEYS = new Set("title creator subject description keywords language created modified category".split(" "));

async function readProperties(bytes: Buffer | undefined): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  let key = "";
  if (bytes === undefined) return found;
  await readXml(bytes, {
    open: (element) => void (key = KEYS.has(element) ? element : ""),
    close: () => void (key = ""),
    text(text) {
      if (key !== "" && text.trim() !== "") found[key] = `${found[key] ?? ""}${text}`.slice(0, 2000);
    },
  });
  return found;
}

/** The meaning of a paragraph style. */
export interface DocxStyle {
  readonly level?: number;
  readonly isTitle?: true;
  readonly isList?: true;
  readonly isCode?: true;
}

/** Elements with duplicate or deleted text. */
const IGNORED_ELEMENTS = new Set(["Fallback", "del", "moveFrom", "instrText", "delText"]);

/** Builds blocks from the XML parts of a Word document. */
export class DocxScan implements XmlEvents {
  readonly builder = new BlockBuilder();
  /** The offsets of all paragraphs in the text, including empty ones. */
  readonly paragraphs = new Uint32List();
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
    if (IGNORED_ELEMENTS.has(name)) this.#unread += 1;
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
    if (IGNORED_ELEMENTS.has(name)) this.#unread = Math.max(0, this.#unread - 1);
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
    // Empty cells count, so that later cells keep their column.
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

  /** Starts a block at the first text of a paragraph, when its properties are known. */
  #startBlock(): void {
    if (this.#tables > 0) {
      if (!this.#isCellEmpty) this.builder.insert(" ");
      this.#isCellEmpty = false;
      return;
    }
    const { level, isList, isCode } = this.#style;
    const type = level !== undefined ? "heading" : isList ? "list" : isCode ? "code" : "text";
    // Adjacent list items or code lines form one block.
    if (type === this.#type && (type === "list" || type === "code")) this.builder.newLine();
    else this.builder.begin(type, level);
    this.#type = type;
    if (type === "list") this.builder.insert(`${"  ".repeat(this.#listLevel)}- `);
  }
}

/** Derives a style from its id in documents without a style list. */
function styleById(id = ""): DocxStyle {
  const level = Number(/^Heading([1-9])$/.exec(id)?.[1] ?? 0);
  return level > 0 ? { level } : id === "Title" ? { level: 1, isTitle: true } : {};
}

/** Events of the XML parser. Names have no namespace prefix. */
export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

const MAX_LENGTH = 1000;

/** Parses XML without expanding declared entities, which prevents entity bombs. */
export async function readXml(bytes: Buffer, events: XmlEvents): Promise<void> {
  const { Tokenizer } = await import("htmlparser2");
  const source = decodeXml(bytes);
  let [tag, attribute, value] = ["", "", ""];
  let attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  const nameAt = (start: number, end: number): string => {
    const name = source.slice(start, Math.min(end, start + MAX_LENGTH));
    return name.slice(name.indexOf(":") + 1);
  };
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = nameAt(start, end);
        attributes = Object.create(null) as Record<string, string>;
      },
      onattribname(start, end) {
        attribute = nameAt(start, end);
        value = "";
      },
      onattribdata(start, end) {
        if (value.length < MAX_LENGTH) value += source.slice(start, Math.min(end, start + MAX_LENGTH));
      },
      onattribentity: (code) => void (value += String.fromCodePoint(code)),
      onattribend: () => void (attributes[attribute] = value),
      onopentagend: () => events.open(tag, attributes),
      onselfclosingtag() {
        events.open(tag, attributes);
        events.close(tag);
      },
      onclosetag: (start, end) => events.close(nameAt(start, end)),
      ontext: (start, end) => events.text(source.slice(start, end)),
      ontextentity: (code) => events.text(String.fromCodePoint(code)),
      oncdata: (start, end) => events.text(source.slice(start, end)),
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
}

function decodeXml(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Archives with more entries are rejected. */
const MAX_ENTRIES = 20_000;

/** Unpacks the wanted files of a ZIP archive, and checks the declared sizes. */
export async function unzip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  { unpackedBytes }: ReadLimits,
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  try {
    const { fromBufferPromise } = await import("yauzl");
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const archive = await fromBufferPromise(buffer, { lazyEntries: true });
    let [entries, left] = [0, unpackedBytes];
    for await (const entry of archive.eachEntry()) {
      if ((entries += 1) > MAX_ENTRIES) throw new UnreadableDocument(`it contains more than ${MAX_ENTRIES} files`);
      if (!isWanted(entry.fileName) || found.has(entry.fileName)) continue;
      if (entry.isEncrypted()) throw new UnreadableDocument("it is encrypted with a password");
      // The reader fails if the actual size differs from this.
      const size = entry.uncompressedSize;
      if ((left -= size) < 0) throw new UnreadableDocument(`it unpacks to more than ${unpackedBytes} bytes`);
      const unpacked = Buffer.allocUnsafeSlow(bufferSize(size)).subarray(0, size);
      let length = 0;
      for await (const part of await archive.openReadStreamPromise(entry))
        length += (part as Buffer).copy(unpacked, length);
      found.set(entry.fileName, unpacked);
    }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    throw new UnreadableDocument(
      `it is a broken ZIP archive: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return found;
}
