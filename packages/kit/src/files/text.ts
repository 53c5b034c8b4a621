import { isUtf8 } from "node:buffer";
import { createHash, type Hash } from "node:crypto";

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
