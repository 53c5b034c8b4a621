/** How much is looked at in one go: it takes a few milliseconds, and others get their turn in between. */
export const SLICE_BYTES: number = 1024 * 1024;

/** The bytes of a result, wherever they are kept. */
export interface Body {
  readonly bytes: number;
  read(at: number, length: number): Buffer | Promise<Buffer>;
  close(): void | Promise<void>;
}

/** A body in memory. */
export function memoryBody(buffer: Buffer): Body {
  return { bytes: buffer.length, read: (at, length) => buffer.subarray(at, at + length), close: () => undefined };
}

/** Some bytes of a body, and where they begin. */
export interface Slice {
  readonly at: number;
  readonly bytes: Buffer;
}

/** A body piece by piece, with a turn of the event loop between the pieces. */
export async function* slicesOf(body: Body): AsyncGenerator<Slice> {
  for (let at = 0; at < body.bytes; at += SLICE_BYTES) {
    if (at > 0) await nextTurn();
    yield { at, bytes: await body.read(at, SLICE_BYTES) };
  }
}

/** Lets others have their turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A piece of text, and the bytes from which it was read. */
export interface Passage {
  readonly text: string;
  readonly from: number;
  /** The byte after it. */
  readonly to: number;
}

/** At most so many bytes of text, from the beginning of the character in which `from` lies, and with no character cut. */
export async function readText(body: Body, from: number, most: number): Promise<Passage> {
  const base = Math.max(0, from - 3);
  // A character has at most four bytes: the one in front may have begun before, the last one may go on.
  const bytes = await body.read(base, from - base + most + 4);
  const start = characterStart(bytes, from - base);
  let end = Math.min(start + most, bytes.length);
  if (base + end < body.bytes) end = characterStart(bytes, end);
  if (end === start) end = characterEnd(bytes, start);
  return { text: bytes.toString("utf8", start, end), from: base + start, to: base + end };
}

/** The same passage up to its last line end, unless that would cost more than half of it. */
export function upToLineEnd({ text, from, to }: Passage): Passage {
  const end = text.lastIndexOf("\n") + 1;
  if (end === text.length || end <= text.length / 2) return { text, from, to };
  const kept = text.slice(0, end);
  return { text: kept, from, to: from + Buffer.byteLength(kept) };
}

const goesOn = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the character begins in which a byte lies. */
export function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && at - start < 3 && goesOn(bytes[start])) start -= 1;
  return goesOn(bytes[start]) ? at : start;
}

function characterEnd(bytes: Buffer, start: number): number {
  let end = Math.min(start + 1, bytes.length);
  while (end < bytes.length && goesOn(bytes[end])) end += 1;
  return end;
}
