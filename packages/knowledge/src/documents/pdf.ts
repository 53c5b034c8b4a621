import { BlockBuilder } from "./block-builder.js";
import { tooManyCharacters } from "./decode.js";
import { type FileToRead, makeReading } from "./make-reading.js";
import { Numbers } from "./numbers.js";
import { bodyHeight, isApart, levelOf, type PdfItem, type PdfLine, toLines } from "./pdf-lines.js";
import { refusePdfBombs } from "./pdf-streams.js";
import { type Reading, type ReadLimits, UnreadableDocument } from "./reading.js";
import { writePageMap } from "./source-map.js";

/** Reads the text of a PDF, page by page; headings by the height of their letters. */
export async function readPdf({ name, bytes, isOwned }: FileToRead, limits: ReadLimits): Promise<Reading> {
  await refusePdfBombs(bytes, limits);
  const pdf = await openPdf(
    isOwned ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : new Uint8Array(bytes),
  );
  try {
    if (pdf.numPages > limits.pages)
      throw new UnreadableDocument(`it has ${pdf.numPages} pages; at most ${limits.pages} are read`);
    const pages = new PageText();
    const faults: string[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      pages.add(await readPage(pdf, number, faults));
      if (pages.builder.length > limits.characters) throw tooManyCharacters(pages.builder.length, limits);
    }
    const { builder } = pages;
    builder.end();
    if (builder.blocks.length === 0) throw new UnreadableDocument(emptyReason(pdf.numPages, faults));
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

/** Opens a PDF; the bytes are taken away. */
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

/** The lines of a page; none and a fault where it is broken: the others may still be whole. */
async function readPage(pdf: Pdf, number: number, faults: string[]): Promise<readonly PdfLine[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return toLines(items.filter((item): item is PdfItem & typeof item => "str" in item));
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
    return [];
  }
}

function emptyReason(pages: number, faults: readonly string[]): string {
  const [first] = faults;
  if (first === undefined)
    return "there is no text in it; where its pages are pictures, they need text recognition first";
  return `it is a broken PDF: ${faults.length} of ${pages} pages cannot be read (${first}), and the others have no text`;
}

const INFO = {
  Title: "title",
  Author: "author",
  Subject: "subject",
  Keywords: "keywords",
  Language: "language",
} as const;

/** What programs write where their user has said nothing. */
const NOTHING_SAID = /^\(?(?:untitled|unspecified|anonymous|unknown)\)?$/i;

async function readInfo(pdf: Pdf): Promise<Record<string, string>> {
  const found = await pdf.getMetadata().catch(() => undefined);
  const info = (found?.info ?? {}) as Readonly<Record<string, unknown>>;
  const said = Object.entries(INFO).flatMap(([from, to]) => {
    const value = info[from];
    const isSaid = typeof value === "string" && value.trim() !== "" && !NOTHING_SAID.test(value.trim());
    return isSaid ? [[to, value.trim().slice(0, 2000)] as const] : [];
  });
  const times = Object.entries(TIMES).flatMap(([from, to]) => {
    const value = info[from];
    const time = typeof value === "string" ? toIsoTime(value) : undefined;
    return time === undefined ? [] : [[to, time] as const];
  });
  return Object.fromEntries([...said, ...times]);
}

const TIMES = { CreationDate: "created", ModDate: "modified" } as const;
const PDF_TIME = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?)?/;

/** "D:20260102030405+01'00'" as "2026-01-02T03:04:05+01:00", as far as it is said; undefined where it is no time. */
function toIsoTime(text: string): string | undefined {
  const [, year, month, day, hour, minute, second = "00", utc, zone, minutes = "00"] = PDF_TIME.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = [year, month, day].filter((part) => part !== undefined).join("-");
  if (day === undefined || hour === undefined) return date;
  return `${date}T${hour}:${minute}:${second}${utc ?? (zone === undefined ? "" : `${zone}:${minutes}`)}`;
}

/** The text of the pages so far, and where they and their lines start in it. */
class PageText {
  readonly builder = new BlockBuilder();
  readonly starts = new Numbers();
  readonly lines = new Numbers();

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
