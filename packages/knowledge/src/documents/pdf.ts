import { pipeline, Readable } from "node:stream";
import { createInflate } from "node:zlib";
import { BlockBuilder } from "./block-builder.js";
import { tooManyCharacters } from "./decode.js";
import { type FileToRead, makeReading } from "./make-reading.js";
import { Uint32List } from "./numbers.js";
import { type Reading, type ReadLimits, UnreadableDocument } from "./reading.js";
import { writePageMap } from "./source-map.js";

/** Reads the text of a PDF page by page. Headings are recognised by font height. */
export async function readPdf({ name, bytes, isOwned }: FileToRead, limits: ReadLimits): Promise<Reading> {
  await refusePdfBombs(bytes, limits);
  const pdf = await openPdf(
    isOwned ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : new Uint8Array(bytes),
  );
  try {
    if (pdf.numPages > limits.pages)
      throw new UnreadableDocument(`it has ${pdf.numPages} pages; the maximum is ${limits.pages}`);
    const pages = new PageText();
    const vectorErrors: string[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      pages.add(await readPage(pdf, number, vectorErrors));
      if (pages.builder.length > limits.characters) throw tooManyCharacters(pages.builder.length, limits);
    }
    const { builder } = pages;
    builder.end();
    if (builder.blocks.length === 0) throw new UnreadableDocument(emptyReason(pdf.numPages, vectorErrors));
    const metadata = await readInfo(pdf);
    return makeReading("pdf", name, "utf-8", builder.toText(), writePageMap(pages.lines, pages.starts), {
      blocks: builder.blocks,
      title: metadata["title"] ?? builder.headings.first,
      language: metadata["language"],
      metadata,
    });
  } finally {
    await pdf.destroy();
  }
}

type Pdf = Awaited<ReturnType<typeof import("unpdf")["getDocumentProxy"]>>;

/** Opens a PDF. The bytes are transferred. */
async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const { getDocumentProxy } = await import("unpdf");
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, maxImageSize: 1, stopAtErrors: false });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    if (name === "PasswordException") throw new UnreadableDocument("it is encrypted with a password");
    throw new UnreadableDocument(`it is a broken PDF: ${message}`);
  }
}

/** Reads the lines of a page. A broken page has none and adds an error, so that other pages are still read. */
async function readPage(pdf: Pdf, number: number, vectorErrors: string[]): Promise<readonly PdfLine[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return toLines(items.filter((item): item is PdfItem & typeof item => "str" in item));
  } catch (error) {
    vectorErrors.push(error instanceof Error ? error.message : String(error));
    return [];
  }
}

function emptyReason(pages: number, vectorErrors: readonly string[]): string {
  const [first] = vectorErrors;
  if (first === undefined) return "it contains no text; if its pages are images, run text recognition (OCR) first";
  return `it is a broken PDF: ${vectorErrors.length} of ${pages} pages cannot be read (${first}), and the others have no text`;
}

const INFO = {
  Title: "title",
  Author: "author",
  Subject: "subject",
  Keywords: "keywords",
  Language: "language",
} as const;

/** Placeholders that programs write as title or author. */
const PLACEHOLDER = /^\(?(?:untitled|unspecified|anonymous|unknown)\)?$/i;

async function readInfo(pdf: Pdf): Promise<Record<string, string>> {
  const found = await pdf.getMetadata().catch(() => undefined);
  const info = (found?.info ?? {}) as Readonly<Record<string, unknown>>;
  const texts = Object.entries(INFO).flatMap(([from, to]) => {
    const value = info[from];
    const hasValue = typeof value === "string" && value.trim() !== "" && !PLACEHOLDER.test(value.trim());
    return hasValue ? [[to, value.trim().slice(0, 2000)] as const] : [];
  });
  const times = Object.entries(TIMES).flatMap(([from, to]) => {
    const value = info[from];
    const time = typeof value === "string" ? toIsoTime(value) : undefined;
    return time === undefined ? [] : [[to, time] as const];
  });
  return Object.fromEntries([...texts, ...times]);
}

const TIMES = { CreationDate: "created", ModDate: "modified" } as const;
const PDF_TIME = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?)?/;

/** Converts "D:20260102030405+01'00'" to "2026-01-02T03:04:05+01:00"; undefined if it is not a date. */
function toIsoTime(text: string): string | undefined {
  const [, year, month, day, hour, minute, second = "00", utc, zone, minutes = "00"] = PDF_TIME.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = [year, month, day].filter((part) => part !== undefined).join("-");
  if (day === undefined || hour === undefined) return date;
  return `${date}T${hour}:${minute}:${second}${utc ?? (zone === undefined ? "" : `${zone}:${minutes}`)}`;
}

/** Collects the text of pages, with the offsets of pages and lines. */
class PageText {
  readonly builder = new BlockBuilder();
  readonly starts = new Uint32List();
  readonly lines = new Uint32List();

  add(lines: readonly PdfLine[]): void {
    this.builder.begin("text");
    this.starts.push(this.builder.length);
    const body = bodyHeight(lines);
    let last: PdfLine | undefined;
    let lastLevel = 0;
    for (const line of lines) {
      const level = levelOf(line, body);
      if (level > 0 && level === lastLevel) this.builder.newLine();
      else if (level > 0) this.builder.begin("heading", level);
      else if (lastLevel > 0 || (last !== undefined && isApart(last, line))) this.builder.begin("text");
      else this.builder.newLine();
      this.lines.push(this.builder.length);
      this.builder.append(line.text);
      [last, lastLevel] = [line, level];
    }
  }
}

/** A text item of the PDF parser. */
export interface PdfItem {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  readonly transform: readonly number[];
}

/** A line of a page: its text, font height, and distance from the bottom of the page. */
export interface PdfLine {
  readonly text: string;
  readonly height: number;
  readonly foot: number;
}

/** Joins the text items of a page into lines. */
export function toLines(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let [text, height, foot] = ["", 0, 0];
  const close = (): void => {
    const plain = text.replaceAll(/[\s\0]+/g, " ").trim();
    if (plain !== "") lines.push({ text: plain, height, foot });
    [text, height] = ["", 0];
  };
  for (const item of items) {
    if (item.str.trim() !== "") {
      if (text === "") foot = item.transform[5] ?? 0;
      height = Math.max(height, item.height);
    }
    text += item.str;
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

/** The most common font height of a page. */
export function bodyHeight(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const { height, text } of lines)
    counts.set(Math.round(height), (counts.get(Math.round(height)) ?? 0) + text.length);
  let [best, limit] = [0, 0];
  for (const [height, count] of counts) if (count > limit) [best, limit] = [height, count];
  return best;
}

const MAX_HEADING_LENGTH = 150;

/** The level of a heading by its height relative to the body text; 0 if it is not a heading. */
export function levelOf({ text, height }: PdfLine, body: number): number {
  if (body === 0 || text.length > MAX_HEADING_LENGTH || !/\p{L}/u.test(text)) return 0;
  const ratio = height / body;
  return ratio >= 1.7 ? 1 : ratio >= 1.35 ? 2 : ratio >= 1.15 ? 3 : 0;
}

/** Whether the gap between two lines separates paragraphs. */
export function isApart(above: PdfLine, below: PdfLine): boolean {
  const step = above.foot - below.foot;
  return step < 0 || step > 1.7 * Math.max(above.height, below.height);
}

/** The maximum size of the dictionary before a stream. */
const MAX_DICTIONARY_LENGTH = 2048;
/** The maximum compression ratio of deflate. */
const MAX_INFLATION = 1032;
const PIECE = 65_536;
const MAX_LAYERS = 4;

/**
 * Rejects a PDF with a stream that unpacks to more than the limit. The parser would unpack it into memory that the limits of a
 * worker thread do not cover. Images are not unpacked.
 */
export async function refusePdfBombs(bytes: Uint8Array, { unpackedBytes }: ReadLimits): Promise<void> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf("stream"); at !== -1; at = file.indexOf("stream", at + 6)) {
    if (file.toString("latin1", at - 3, at) === "end") continue;
    const before = file.toString("latin1", Math.max(0, at - MAX_DICTIONARY_LENGTH), at);
    const dictionary = before.slice(before.lastIndexOf(" obj"));
    const layers = dictionary.match(/\/Fl(?:ateDecode)?\b/g)?.length ?? 0;
    if (layers === 0 || /\/Subtype\s{0,9}\/Image/.test(dictionary)) continue;
    const start = at + 6 + (file[at + 6] === 13 ? 1 : 0) + (file[at + 6] === 10 || file[at + 7] === 10 ? 1 : 0);
    const end = file.indexOf("endstream", start);
    const length = (end === -1 ? file.length : end) - start;
    if (layers === 1 && length * MAX_INFLATION <= unpackedBytes / 2) continue;
    if (await isLarger(file.subarray(start), layers, unpackedBytes / 2))
      throw new UnreadableDocument(`a part of it unpacks to more than ${unpackedBytes / 2} bytes`);
  }
}

class TooLarge extends Error {}

/** Whether bytes unpack to more than `limit` bytes in any filter layer. The output is counted and discarded. */
async function isLarger(packed: Buffer, layers: number, limit: number): Promise<boolean> {
  let parts: Iterable<Buffer> | AsyncIterable<Buffer> = piecesOf(packed);
  for (let layer = 0; layer < Math.min(layers, MAX_LAYERS); layer += 1) parts = unpack(parts, limit);
  try {
    for await (const _ of parts);
    return false;
  } catch (error) {
    // Broken data is unpacked and counted as far as possible.
    return error instanceof TooLarge;
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function* unpack(packed: Iterable<Buffer> | AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  const inflate = createInflate({ chunkSize: PIECE });
  pipeline(Readable.from(packed), inflate, () => {});
  let count = 0;
  for await (const part of inflate) {
    count += (part as Buffer).length;
    if (count > limit) throw new TooLarge();
    yield part as Buffer;
  }
}
