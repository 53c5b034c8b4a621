import { isUtf8 } from "node:buffer";
import { LineReader } from "../../../packages/engine/src/transports/line-framing.js";
import { expectSame, splitIntoChunks, type Target, violation } from "./target.js";

interface ReadLines {
  readonly text?: string;
  readonly code?: number;
  readonly id?: unknown;
}

/** What the reader makes of the chunks; `isSlow`: its sink is full after each line. */
function read(chunks: readonly string[], most: number, isSlow = false): ReadLines[] {
  const lines: ReadLines[] = [];
  let isFull = false;
  const hear = (one: ReadLines): void => {
    lines.push(one);
    isFull = isSlow;
  };
  const reader = new LineReader(most, {
    get isBackpressured() {
      return isFull;
    },
    onLine: (text) => hear({ text }),
    onError: ({ code, id }) => hear({ code, id }),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk, "latin1"));
  reader.end();
  for (let turns = 0; reader.hasPending; turns += 1) {
    if (turns > lines.length + chunks.length + 10) throw violation("the reader waits for ever");
    isFull = false;
    reader.resume();
  }
  return lines;
}

/** Whether a line must give a result: it is not blank, or cannot be decoded. */
function isDue(line: string, at: number, most: number): boolean {
  const bytes = Buffer.from(line, "latin1");
  if (bytes.length > most || !isUtf8(bytes)) return true;
  const text = bytes.toString();
  return (at === 0 ? text.replace(/^\u{feff}/u, "") : text).trim() !== "";
}

/** Any chunking of any bytes gives the same lines, each line that is not blank once. The first byte selects the limit. */
export const framing: Target = (input) => {
  const most = [5, 64, 1500, 100_000][input.charCodeAt(0) & 3] ?? 64;
  const stream = input.slice(1);
  const whole = read([stream], most);
  expectSame("cut anywhere", read(splitIntoChunks(stream), most), whole);
  expectSame("byte by byte", read(stream.split(""), most), whole);
  expectSame("into a sink that fills", read(splitIntoChunks(stream), most, true), whole);
  const due = stream.split("\n").filter((line, at) => isDue(line, at, most)).length;
  // A byte order mark counts at the first readable line, which need not be the first.
  if (!stream.slice(1).includes("\u{ef}\u{bb}\u{bf}")) expectSame("lines", whole.length, due);
};
