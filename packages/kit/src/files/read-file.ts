import { pastTheEnd } from "./errors.js";
import type { FileAccess } from "./file-access.js";
import type { OpenFile } from "./file-handles.js";
import { breaksIn, type FileScan, type FileScans, type Reading, readAt, readingOf } from "./file-scan.js";
import { isImage, mediaType } from "./media.js";
import { decodeText, type Encoding, type LineEnding, lineEndingOf, type TextForm, wholeBytes } from "./text.js";

/** Which part of a file is wanted. */
export interface ReadFileOptions {
  readonly path: string;
  /** The first line, counted from 1; below 0 from the end. */
  readonly offset?: number | undefined;
  /** How many lines at most. */
  readonly limit?: number | undefined;
  /** Counts in bytes instead of lines, from here on. */
  readonly byte_offset?: number | undefined;
  /** How many bytes at most. */
  readonly byte_limit?: number | undefined;
  readonly encoding?: Encoding | "base64" | undefined;
}

/** Where to go on: arguments for the next call. */
type Next = { readonly offset: number } | { readonly byte_offset: number };

/** What was read of a file, and what is known of all of it. */
export interface FileReading {
  readonly path: string;
  readonly realPath: string;
  readonly kind: "text" | "image" | "binary";
  readonly size: number;
  readonly mime: string;
  readonly hash?: string;
  /** The bytes of an image. */
  readonly image?: Buffer;
  readonly text?: string;
  readonly first_line?: number;
  readonly last_line?: number;
  readonly total_lines?: number;
  readonly byte_offset?: number;
  readonly encoding?: Encoding | "base64";
  readonly line_ending?: LineEnding;
  readonly next?: Next;
  readonly notes: readonly string[];
}

/** How much a page has where nobody says. */
const PAGE = { bytes: 40_000, lines: 2000 } as const;

/** Larger images are more than clients take. */
const MOST_IMAGE_BYTES = 3_750_000;
const HEAD_BYTES = 256;

/** Reads a page of a text file, an image, or what can be said of other bytes. */
export async function readFile(access: FileAccess, scans: FileScans, options: ReadFileOptions): Promise<FileReading> {
  await using file = await access.openFile(options.path);
  const reading = readingOf(access, file);
  const scan = await scans.of(reading, file.stats, options.encoding === "base64" ? undefined : options.encoding);
  const head = await readAt(reading, 0, HEAD_BYTES);
  const facts = { path: access.displayPath(file.realPath), realPath: file.realPath, size: reading.size };
  const mime = mediaType(file.realPath, head, scan.form !== undefined);
  const part = await readPart(reading, scan, { options, mime, head });
  const hash = await scan.hash(reading);
  const isSame = await isUnchanged(file, reading);
  const isByBytes = part.byte_offset !== undefined && (options.offset ?? options.limit) !== undefined;
  const notes = [
    ...part.notes,
    ...(isByBytes ? ["offset and limit count lines, and say nothing where bytes are counted; use byte_limit."] : []),
    ...(isSame ? [] : ["The file was changed while it was read, so no hash is given; read it again before a change."]),
    ...(isSame && hash === undefined ? ["No hash is given of a file of more than 64 MiB."] : []),
  ];
  return { ...facts, mime, ...part, ...(isSame && hash !== undefined && { hash }), notes };
}

type Part = Omit<FileReading, "path" | "realPath" | "size" | "mime" | "hash">;

interface Occasion {
  readonly options: ReadFileOptions;
  readonly mime: string;
  readonly head: Buffer;
}

function readPart(file: Reading, scan: FileScan, occasion: Occasion): Part | Promise<Part> {
  const { options, mime } = occasion;
  if (options.encoding === "base64") return readBase64(file, options);
  if (scan.form !== undefined)
    return options.byte_offset === undefined ? readByLines(file, scan, options) : readByBytes(file, scan, options);
  if (isImage(mime) && file.size <= MOST_IMAGE_BYTES) return readImage(file);
  return describeBinary(file, occasion);
}

async function readByLines(
  file: Reading,
  scan: FileScan,
  { path, offset = 1, limit, byte_limit }: ReadFileOptions,
): Promise<Part> {
  // Below the bound all is read for the hash anyway.
  const isCounted = offset < 0 || scan.canHash;
  const total = isCounted ? await scan.lines(file) : undefined;
  const first = offset < 0 ? Math.max(1, (total ?? 0) + offset + 1) : Math.max(1, offset);
  const start = await scan.startOf(file, first);
  if (start === undefined) throw pastTheEnd(path, first, await scan.lines(file));
  const page = await readLines(file, scan, { start, lines: limit ?? PAGE.lines, bytes: byte_limit ?? PAGE.bytes });
  const last = first + page.lines - 1;
  if (!page.isCut) scan.note(last + 1, page.end);
  const next = page.isCut ? { byte_offset: page.end } : { offset: last + 1 };
  return {
    ...textPart(scan, page),
    first_line: first,
    last_line: last,
    ...(total !== undefined && { total_lines: total }),
    ...(page.end < file.size && { next }),
    notes: page.isCut ? [`Line ${first} is too long for one page and goes on at byte ${page.end}.`] : [],
  };
}

async function readByBytes(
  file: Reading,
  scan: FileScan,
  { path, byte_offset: start = 0, byte_limit }: ReadFileOptions,
): Promise<Part> {
  if (start > file.size) throw pastTheEnd(path, start, file.size, "byte");
  const page = await readBytes(file, scan, { start, bytes: byte_limit ?? PAGE.bytes });
  const next = page.end < file.size && { next: { byte_offset: page.end } };
  return { ...textPart(scan, page), byte_offset: page.start, ...next, notes: [] };
}

const textPart = ({ form }: FileScan, { text }: Page) => ({
  kind: "text" as const,
  text,
  ...(form !== undefined && { encoding: form.encoding }),
  line_ending: lineEndingOf(text),
});

async function readBase64(
  file: Reading,
  { path, byte_offset: start = 0, byte_limit = PAGE.bytes }: ReadFileOptions,
): Promise<Part> {
  if (start > file.size) throw pastTheEnd(path, start, file.size, "byte");
  const bytes = await readAt(file, start, byte_limit);
  const end = start + bytes.length;
  return {
    kind: "binary",
    text: bytes.toString("base64"),
    encoding: "base64",
    byte_offset: start,
    ...(end < file.size && { next: { byte_offset: end } }),
    notes: [],
  };
}

const readImage = async (file: Reading): Promise<Part> => ({
  kind: "image",
  image: await readAt(file, 0, file.size),
  notes: [],
});

const describeBinary = (file: Reading, { mime, head }: Occasion): Part => ({
  kind: "binary",
  notes: [
    isImage(mime)
      ? `This image has ${file.size} bytes; images are shown up to ${MOST_IMAGE_BYTES}.`
      : `This is no text (${mime}, ${file.size} bytes).`,
    'Give encoding "base64" to read its bytes.',
    `It starts with ${head.subarray(0, 64).toString("hex")}`,
  ],
});

async function isUnchanged({ handle, stats }: OpenFile, { withTimeout }: Reading): Promise<boolean> {
  const now = await withTimeout(() => handle.stat());
  return now.size === stats.size && now.mtimeMs === stats.mtimeMs && now.ctimeMs === stats.ctimeMs;
}

/** A part of a text file. */
interface Page {
  readonly text: string;
  /** The bytes of the file that it was read from. */
  readonly start: number;
  readonly end: number;
  /** How many lines it has; the last may be cut. */
  readonly lines: number;
  /** It ends inside a line. */
  readonly isCut: boolean;
}

/** Most bytes that one character takes. */
const LONGEST_CHARACTER = 4;

/** Reads whole lines from a place on, as many as there is room for; of a line that is too long, what fits. */
async function readLines(
  file: Reading,
  { form }: FileScan,
  { start, lines: most, bytes: room }: { readonly start: number; readonly lines: number; readonly bytes: number },
): Promise<Page> {
  const bytes = await readAt(file, start, room + LONGEST_CHARACTER);
  const isRest = start + bytes.length >= file.size;
  let lines = 0;
  let end = 0;
  for (const next of breaksIn(bytes, form)) {
    if (next > room) break;
    lines += 1;
    end = next;
    if (lines === most) break;
  }
  if (lines < most && isRest && bytes.length <= room && end < bytes.length) {
    lines += 1;
    end = bytes.length;
  }
  if (end > 0 || bytes.length === 0) return pageOf(form, bytes.subarray(0, end), start, lines, false);
  return pageOf(form, bytes.subarray(0, fitting(bytes.subarray(0, room), form)), start, 1, true);
}

/** Reads bytes from a place on, up to the last character that is whole. */
async function readBytes(
  file: Reading,
  { form }: FileScan,
  { start: inputPath, bytes: room }: { readonly start: number; readonly bytes: number },
): Promise<Page> {
  const wished = Math.max(inputPath, form?.bomBytes ?? 0);
  const all = await readAt(file, wished, room + LONGEST_CHARACTER);
  const late = inputPath > (form?.bomBytes ?? 0) ? strayBytes(all, wished, form) : 0;
  const bytes = all.subarray(late);
  const start = wished + late;
  const end =
    start + bytes.length >= file.size && bytes.length <= room ? bytes.length : fitting(bytes.subarray(0, room), form);
  const used = bytes.subarray(0, end);
  return pageOf(form, used, start, [...breaksIn(used, form)].length, start + end < file.size);
}

function pageOf(form: TextForm | undefined, bytes: Buffer, start: number, lines: number, isCut: boolean): Page {
  const text = decodeText(bytes, form?.encoding ?? "windows-1252");
  return { text, start, end: start + bytes.length, lines, isCut };
}

/** How many bytes are whole characters. Where not even one is, all are taken: they are none, and the next page must go on. */
const fitting = (bytes: Buffer, form: TextForm | undefined): number =>
  wholeBytes(bytes, form?.encoding ?? "windows-1252") || bytes.length;

/** How many bytes at the start belong to a character that began before. */
function strayBytes(bytes: Buffer, start: number, form: TextForm | undefined): number {
  if (form?.encoding === "utf-8") {
    const first = bytes.subarray(0, LONGEST_CHARACTER).findIndex((byte) => (byte & 0xc0) !== 0x80);
    return first === -1 ? 0 : first;
  }
  if (form === undefined || form.encoding === "windows-1252") return 0;
  const odd = start % 2;
  const high = bytes[odd + (form.encoding === "utf-16le" ? 1 : 0)] ?? 0;
  return high >= 0xdc && high <= 0xdf ? odd + 2 : odd;
}
