import { isUtf8 } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import type { StructuredPatchHunk } from "diff";

/** How characters stand in a file. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** How a file of text is written down: what is needed to read it, and to write it back the same way. */
export interface TextForm {
  readonly encoding: Encoding;
  /** Bytes of the byte order mark in front; it is not part of the text. */
  readonly bomBytes: number;
}

/** What a text breaks its lines with; `none` where it has one line. */
export type LineEnding = "lf" | "crlf" | "cr" | "mixed" | "none";

/** Names the bytes of a file: what reading gives as `hash`, and writing expects as `expected_hash`. */
export const hashOf = (bytes: Uint8Array): string => hashFrom(createHash("sha256").update(bytes));

/** The same name for bytes that came in pieces. */
export const hashFrom = (hash: Hash): string => `sha256:${hash.digest("hex").slice(0, 32)}`;

const BOMS: readonly (readonly [Encoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Tells how a text is encoded from its bytes, or from the first ones of it where it is not `isWhole`; undefined = it is no text.
 * What is not UTF-8 is taken for Windows-1252, which has Latin-1 in it.
 */
export function formOf(bytes: Uint8Array, isWhole = true): TextForm | undefined {
  const bom = BOMS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (bom !== undefined) return { encoding: bom[0], bomBytes: bom[1].length };
  if (isKnownBinary(bytes)) return undefined;
  if (bytes.includes(0)) {
    const encoding = wideEncoding(bytes);
    return encoding && { encoding, bomBytes: 0 };
  }
  if (isUtf8(isWhole ? bytes : bytes.subarray(0, wholeCharacters(bytes)))) return { encoding: "utf-8", bomBytes: 0 };
  return hasControls(bytes) ? undefined : { encoding: "windows-1252", bomBytes: 0 };
}

/** A head that is text, in front of what is none. */
const isKnownBinary = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";

/** UTF-16 without a mark: text of mostly European letters has a zero in every second place, and only there. */
function wideEncoding(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = bytes.length / 4;
  if (bytes.length % 2 === 1 || bytes.length < 4) return undefined;
  if (even === 0 && odd >= enough) return "utf-16le";
  return odd === 0 && even >= enough ? "utf-16be" : undefined;
}

/** Characters that no text has, or bytes that Windows-1252 has no character for. */
function hasControls(bytes: Uint8Array): boolean {
  return bytes.some(
    (byte) =>
      (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) ||
      byte === 0x7f ||
      [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte),
  );
}

/** How many bytes there are up to the last character of UTF-8 that is whole. */
function wholeCharacters(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start >= 0 && start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const first = bytes[start] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? Math.max(start, 0) : bytes.length;
}

/** How many of some bytes are whole characters: the others need what comes after them. */
export function wholeBytes(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding === "utf-8") return wholeCharacters(bytes);
  if (encoding === "windows-1252") return bytes.length;
  const even = bytes.length - (bytes.length % 2);
  const high = bytes[encoding === "utf-16le" ? even - 1 : even - 2] ?? 0;
  return even >= 2 && high >= 0xd8 && high <= 0xdb ? even - 2 : even;
}

/** The characters of Windows-1252 where Latin-1 has controls, from 0x80 on. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

/** Reads text from bytes without their mark. What is no character of the encoding becomes U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === "utf-8") return buffer.toString("utf8");
  if (encoding === "windows-1252")
    return buffer
      .toString("latin1")
      .replaceAll(/[\u0080-\u009F]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? character);
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** Writes a text down, its mark included; undefined where the encoding has no place for one of its characters. */
export function encodeText(text: string, { encoding, bomBytes }: TextForm): Buffer | undefined {
  const mark = Buffer.from(bomBytes > 0 ? (BOMS.find(([name]) => name === encoding)?.[1] ?? []) : []);
  const body = encodeBody(text, encoding);
  return body && (mark.length > 0 ? Buffer.concat([mark, body]) : body);
}

function encodeBody(text: string, encoding: Encoding): Buffer | undefined {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  const bytes = Array.from(text, (character) => {
    const at = WINDOWS_1252.indexOf(character);
    const code = character.codePointAt(0) ?? 0;
    if (at !== -1) return at + 0x80;
    return code > 0x9f || code < 0x80 ? code : Number.NaN;
  });
  return bytes.every((byte) => byte <= 0xff) ? Buffer.from(bytes) : undefined;
}

/** What the lines of a text, or of the first part of it, end with. */
export function lineEndingOf(text: string): LineEnding {
  const found = new Set(text.match(/\r\n|\n|\r(?!$)/g) ?? []);
  if (found.size > 1) return "mixed";
  const [only] = found;
  if (only === undefined) return text.endsWith("\r") ? "cr" : "none";
  return only === "\n" ? "lf" : only === "\r" ? "cr" : "crlf";
}

/** How many lines may differ before the differing part is shown as replaced as a whole: the search grows with the square. */
const MOST_EDITS = 1500;
/** And how long the search may take. */
const MOST_DIFF_MS = 80;
const CONTEXT = 3;

/** What changed between two texts, in the form of `diff -u` and git; undefined = there is no file. Empty where nothing did. */
export async function unifiedDiff(
  shown: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> {
  if (before === after) return "";
  const old = before === undefined ? "/dev/null" : quote(`a/${shown}`);
  const fresh = after === undefined ? "/dev/null" : quote(`b/${shown}`);
  const hunks = await findHunks(before ?? "", after ?? "");
  return `--- ${old}\n+++ ${fresh}\n${hunks.map(writeHunk).join("")}`;
}

async function findHunks(before: string, after: string): Promise<readonly StructuredPatchHunk[]> {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MOST_EDITS,
    timeout: MOST_DIFF_MS,
  });
  return patch?.hunks ?? [replacedPart(toLines(before), toLines(after))];
}

/** All that lies between the first and the last difference, as one hunk. */
function replacedPart(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const from = Math.max(0, start - CONTEXT);
  const tail = Math.min(end, CONTEXT);
  const mark = (sign: string, lines: readonly string[]): string[] =>
    lines.flatMap((line) =>
      line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"],
    );
  return {
    oldStart: from + 1,
    oldLines: before.length - end + tail - from,
    newStart: from + 1,
    newLines: after.length - end + tail - from,
    lines: [
      ...mark(" ", before.slice(from, start)),
      ...mark("-", before.slice(start, before.length - end)),
      ...mark("+", after.slice(start, after.length - end)),
      ...mark(" ", before.slice(before.length - end, before.length - end + tail)),
    ],
  };
}

const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function writeHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  // The place of an empty part is the line before it.
  const range = (start: number, count: number): string => {
    const from = count === 0 ? start - 1 : start;
    return count === 1 ? `${from}` : `${from},${count}`;
  };
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** Names that would end the line, or be read as something else, are written as git writes them: in quotes. */
const quote = (name: string): string => (/["\\\p{Cc}]/u.test(name) ? JSON.stringify(name) : name);
