import { breaksIn, type FileScan, type Reading, readAt } from "./file-scan.js";
import { decodeText, type TextForm, wholeBytes } from "./text.js";

/** A part of a text file. */
export interface Page {
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
export async function readLines(
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
export async function readBytes(
  file: Reading,
  { form }: FileScan,
  { start: given, bytes: room }: { readonly start: number; readonly bytes: number },
): Promise<Page> {
  const wished = Math.max(given, form?.bomBytes ?? 0);
  const all = await readAt(file, wished, room + LONGEST_CHARACTER);
  const late = given > (form?.bomBytes ?? 0) ? strayBytes(all, wished, form) : 0;
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
