import { type Charset, charsetOf } from "./charset.js";
import { Uint32List } from "./numbers.js";
import { type ReadLimits, UnreadableDocument } from "./reading.js";
import { ByteMap } from "./source-map.js";

/** A decoded text file with "\n" line ends. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  readonly bytes: ByteMap;
  /** The byte offsets of the line starts. */
  readonly lineStarts: Uint32List;
}

/** Decodes a text file. Throws `UnreadableDocument` if it is not text. */
export async function decodeFile(
  bytes: Uint8Array,
  declared: string | undefined,
  limits: ReadLimits,
): Promise<DecodedText> {
  refuseLongLines(bytes, limits.lineBytes);
  const charset = await charsetOf(bytes, declared);
  const { bomBytes, encoding } = charset;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset + bomBytes, bytes.length - bomBytes);
  const count = body.length > limits.characters && encoding === "utf-8" ? countUnits(body) : 0;
  if (count > limits.characters) throw tooManyCharacters(count, limits);
  const { text, widthAt } = decode(body, charset);
  if (text.length > limits.characters) throw tooManyCharacters(text.length, limits);
  const isPlain = text.length === body.length && !text.includes("\r");
  return { encoding, ...(isPlain ? mapPlain(text, bomBytes) : mapWidths(text, bomBytes, widthAt)) };
}

/** Counts the UTF-16 units of UTF-8 bytes before the text is allocated. */
function countUnits(bytes: Uint8Array): number {
  let units = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** The error for a document with too many characters. */
export const tooManyCharacters = (count: number, { characters }: ReadLimits): UnreadableDocument =>
  new UnreadableDocument(`its text has ${count} characters; the maximum is ${characters}. Split it`);

/** Rejects lines of millions of bytes, so that line-based readers need not hold them. */
function refuseLongLines(bytes: Uint8Array, limit: number): void {
  for (let at = 0; at + limit < bytes.length; ) {
    const window = bytes.subarray(at, at + limit + 1);
    const end = Math.max(window.lastIndexOf(0x0a), window.lastIndexOf(0x0d));
    if (end === -1) throw new UnreadableDocument(`it has a line of more than ${limit} bytes`);
    at += end + 1;
  }
}

interface Decoded {
  readonly text: string;
  /** The number of bytes of the code unit at this index. */
  readonly widthAt: (index: number, code: number) => number;
}

const widthInUtf8 = (_: number, code: number): number => {
  if (code < 0x80) return 1;
  // A surrogate is half of a four-byte character.
  return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
};

function decode(body: Buffer, { encoding, isBroken }: Charset): Decoded {
  if (encoding === "utf-8" && !isBroken) return { text: body.toString("utf8"), widthAt: widthInUtf8 };
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  if (encoding.startsWith("utf-16") && body.length % 2 === 0) return { text: decoder.decode(body), widthAt: () => 2 };
  if (!MULTIBYTE.has(encoding)) return { text: decoder.decode(body), widthAt: () => 1 };
  return decodeSlowly(body, decoder);
}

const MULTIBYTE = new Set("utf-8 utf-16le utf-16be gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr".split(" "));

/** Decodes byte by byte to learn the width of each character. */
function decodeSlowly(body: Buffer, decoder: InstanceType<typeof TextDecoder>): Decoded {
  const widths = new Uint8Array(body.length + 1);
  const isWide = decoder.encoding.startsWith("utf-16");
  const isModal = decoder.encoding === "iso-2022-jp";
  const texts: string[] = [];
  let units = 0;
  const take = (text: string, bytes: number): void => {
    if (text === "") return;
    texts.push(text);
    const each = Math.floor(bytes / text.length);
    widths.fill(each, units, units + text.length);
    widths[units] = bytes - each * (text.length - 1);
    units += text.length;
  };
  let taken = 0;
  for (let at = 0; at < body.length; at += 1) {
    // Between characters, an ASCII byte is one character in all encodings except stateful ones.
    if (taken === at && !isWide && !isModal) {
      let end = at;
      while (end < body.length && (body[end] ?? 0x80) < 0x80) end += 1;
      take(body.toString("latin1", at, end), end - at);
      at = taken = end;
      if (at >= body.length) break;
    }
    const text = decoder.decode(body.subarray(at, at + 1), { stream: true });
    if (text === "") continue;
    take(text, at + 1 - taken);
    taken = at + 1;
  }
  take(decoder.decode(), body.length - taken);
  return { text: texts.join(""), widthAt: (index) => widths[index] ?? 0 };
}

function mapPlain(text: string, bomBytes: number): Omit<DecodedText, "encoding"> {
  const bytes = new ByteMap();
  bytes.add(text.length, bomBytes, bomBytes + text.length);
  const lineStarts = new Uint32List();
  lineStarts.push(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lineStarts.push(bomBytes + at + 1);
  return { text, bytes, lineStarts };
}

const LF = 10;
const CR = 13;

function mapWidths(text: string, bomBytes: number, widthAt: Decoded["widthAt"]): Omit<DecodedText, "encoding"> {
  const bytes = new ByteMap();
  const lineStarts = new Uint32List();
  const isUtf8 = widthAt === widthInUtf8;
  lineStarts.push(0);
  let [at, runStart, runUnits, runWidth] = [bomBytes, bomBytes, 0, 1];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Fast path for ASCII.
    if (isUtf8 && runWidth === 1 && code < 0x80 && code > CR) {
      runUnits += 1;
      at += 1;
      continue;
    }
    let width = widthAt(index, code);
    if (code === CR && text.charCodeAt(index + 1) === LF) width += widthAt((index += 1), LF);
    if (width !== runWidth) {
      bytes.add(runUnits, runStart, at);
      runStart = at;
      runUnits = 0;
      runWidth = width;
    }
    runUnits += 1;
    at += width;
    if (code === LF || code === CR) lineStarts.push(at);
  }
  bytes.add(runUnits, runStart, at);
  const isMixed = text.includes("\r");
  return { text: isMixed ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text, bytes, lineStarts };
}
