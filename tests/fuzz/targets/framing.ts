import { isUtf8 } from "node:buffer";
import { LineReader } from "../../../packages/engine/src/transports/line-framing.js";
import { broken, cut, expectSame, type Target } from "./target.js";

interface Heard {
  readonly text?: string;
  readonly code?: number;
  readonly id?: unknown;
}

/** What a reader makes of chunks; `isSlow`: its sink is full after each line. */
function read(chunks: readonly string[], most: number, isSlow = false): Heard[] {
  const heard: Heard[] = [];
  let isFull = false;
  const hear = (one: Heard): void => {
    heard.push(one);
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
    if (turns > heard.length + chunks.length + 10) throw broken("the reader waits for ever");
    isFull = false;
    reader.resume();
  }
  return heard;
}

/** Whether something has to come of a line: it is not blank, or cannot be read. */
function isDue(line: string, at: number, most: number): boolean {
  const bytes = Buffer.from(line, "latin1");
  if (bytes.length > most || !isUtf8(bytes)) return true;
  const text = bytes.toString();
  return (at === 0 ? text.replace(/^\u{feff}/u, "") : text).trim() !== "";
}

/** Any cutting of any bytes gives the same lines, each line that is not blank once. The first byte chooses the limit. */
export const framing: Target = (input) => {
  const most = [5, 64, 1500, 100_000][input.charCodeAt(0) & 3] ?? 64;
  const stream = input.slice(1);
  const whole = read([stream], most);
  expectSame("cut anywhere", read(cut(stream), most), whole);
  expectSame("byte by byte", read(stream.split(""), most), whole);
  expectSame("into a sink that fills", read(cut(stream), most, true), whole);
  const due = stream.split("\n").filter((line, at) => isDue(line, at, most)).length;
  // A mark of byte order counts at the first line that can be read, which need not be the first.
  if (!stream.slice(1).includes("\u{ef}\u{bb}\u{bf}")) expectSame("lines", whole.length, due);
};
