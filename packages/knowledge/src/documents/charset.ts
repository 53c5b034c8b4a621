import { isUtf8 } from "node:buffer";
import { formOf } from "@toolwright/kit/files";
import { UnreadableDocument } from "./reading.js";

/** The encoding of a file. */
export interface Charset {
  /** A label that `TextDecoder` accepts. */
  readonly encoding: string;
  readonly bomBytes: number;
  /** Some bytes are invalid in this encoding and become U+FFFD. */
  readonly isBroken?: true;
}

/** The number of bytes that are passed to the detector. */
const SAMPLE = 65_536;
/** The number of bytes that are checked for binary data. */
const HEAD = 8192;
/** The minimum confidence of a detected encoding, in percent. */
const MIN_CONFIDENCE = 10;

/** Detects the encoding of a text: byte order mark, valid UTF-8, declaration, then statistics. */
export async function charsetOf(bytes: Uint8Array, declared: string | undefined): Promise<Charset> {
  if (hasUtf32Mark(bytes))
    throw new UnreadableDocument("it is encoded in UTF-32, which is not supported; save it as UTF-8");
  const form = bytes.length === 0 ? ({ encoding: "utf-8", bomBytes: 0 } as const) : formOf(bytes);
  if (form !== undefined && (form.bomBytes > 0 || form.encoding !== "windows-1252")) return checked(bytes, form);
  if (bytes.includes(0)) throw new UnreadableDocument("it is not text: it has NUL bytes");
  refuseControls(bytes);
  if (isMostlyUtf8(bytes)) return { encoding: "utf-8", bomBytes: 0, isBroken: true };
  const label = declared === undefined ? undefined : knownLabel(declared);
  if (label !== undefined && label !== "utf-8" && !label.startsWith("utf-16")) return { encoding: label, bomBytes: 0 };
  return { encoding: await guess(bytes), bomBytes: 0 };
}

/** The UTF-32LE mark starts with the UTF-16LE mark; UTF-16 text never has a NUL after it. */
const hasUtf32Mark = (bytes: Uint8Array): boolean =>
  /^(?:fffe0000|0000feff)/.test(Buffer.from(bytes.subarray(0, 4)).toString("hex"));

function checked(bytes: Uint8Array, form: Charset): Charset {
  if (form.encoding !== "utf-8") return form;
  refuseControls(bytes);
  return form.bomBytes > 0 && !isUtf8(bytes.subarray(form.bomBytes)) ? { ...form, isBroken: true } : form;
}

/** Rejects binary data: text in any encoding has few control characters. */
function refuseControls(bytes: Uint8Array): void {
  const end = Math.min(bytes.length, HEAD);
  let controls = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 && (byte < 0x07 || byte > 0x0d) && byte !== 0x1b) controls += 1;
  }
  if (controls * 50 > end) throw new UnreadableDocument("it is not text: many of its bytes are control characters");
}

/** Whether invalid UTF-8 is still most likely UTF-8: most multibyte sequences are valid. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(sampleStart(bytes), sampleStart(bytes) + SAMPLE);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(sample);
  let [right, wrong] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) wrong += 1;
    else if (code > 0x7f) right += 1;
  }
  return right > wrong * 4;
}

/** Returns an offset shortly before the first non-ASCII byte. */
function sampleStart(bytes: Uint8Array): number {
  return Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1024);
}

/** Returns the canonical `TextDecoder` label of an encoding; undefined if it is not supported. */
function knownLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

async function guess(bytes: Uint8Array): Promise<string> {
  const { analyse } = await import("chardet");
  const start = sampleStart(bytes);
  for (const { name, confidence } of analyse(bytes.subarray(start, start + SAMPLE))) {
    const label = knownLabel(name);
    if (confidence >= MIN_CONFIDENCE && label !== undefined && !label.startsWith("utf-")) return label;
  }
  return "windows-1252";
}

const META = /charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]{2,40})/i;
const XML = /^\s{0,20}<\?xml[^>]{0,200}?encoding\s{0,20}=\s{0,20}["']([\w.:-]{2,40})/i;

/** Returns the encoding that the start of an HTML or XML file declares. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString("latin1");
  return XML.exec(head)?.[1] ?? META.exec(head)?.[1];
}
