import { limitExceeded, parseError, RpcError } from "../jsonrpc/errors.js";

// Not imported: the wrapper that Node makes for an import costs more at start than the rest of this file.
const { isAscii, isUtf8 } = process.getBuiltinModule("node:buffer");

const NEWLINE = 10;
/** How much of a line over the limit is kept, to find the id that its refusal should carry. */
const EDGE = 1024;
const METHOD_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/;
const ID_FIRST =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(0|[1-9]\d{0,14}|"[^"\\\p{Cc}\u{fffd}]{0,200}")\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/u;
const ID_LAST =
  /,\s*"id"\s*:\s*(0|[1-9]\d{0,14}|"[^"\\\p{Cc}\u{fffd}]{0,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u;

/** What a reader makes of its bytes. */
export interface LineSink {
  line(text: string): void;
  /** A line that cannot be a message: too long, or not UTF-8. */
  fault(error: RpcError): void;
}

/** Bytes → lines. Chunks may end anywhere; no more than one line within the limit is ever held. */
export class LineReader {
  readonly #most: number;
  readonly #sink: LineSink;
  #parts: Buffer[] = [];
  #size = 0;
  #head: Buffer | undefined;
  #tail: Buffer | undefined;
  #isFirst = true;

  constructor(mostBytes: number, sink: LineSink) {
    this.#most = mostBytes;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let start = 0;
    if (this.#size > 0) {
      const end = chunk.indexOf(NEWLINE);
      this.#keep(end === -1 ? chunk : chunk.subarray(0, end));
      if (end === -1) return;
      this.#endLine();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= start) this.#readBlock(chunk.subarray(start, last));
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(Math.max(start, last + 1)));
  }

  /** The input has ended; what stands after the last newline is a line too. */
  end(): void {
    if (this.#size > 0) this.#endLine();
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size <= this.#most) {
      this.#parts.push(part);
      return;
    }
    this.#head ??= Buffer.from(Buffer.concat([...this.#parts, part]).subarray(0, EDGE));
    this.#parts = [];
    this.#tail = Buffer.from(Buffer.concat([this.#tail ?? Buffer.alloc(0), part.subarray(-EDGE)]).subarray(-EDGE));
  }

  #endLine(): void {
    const { length } = this.#parts;
    const size = this.#size;
    const head = this.#head;
    const whole = length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    const tail = this.#tail;
    this.#parts = [];
    this.#size = 0;
    this.#head = undefined;
    this.#tail = undefined;
    if (head === undefined) this.#readBlock(whole);
    else this.#sink.fault(tooLong(size, this.#most, head, tail ?? head));
  }

  /** Whole lines, decoded together: one call into the decoder serves a chunk full of small messages. */
  #readBlock(block: Buffer): void {
    const isSafe = block.length <= this.#most;
    if (isSafe && isAscii(block)) this.#split(block.toString("latin1"));
    else if (isSafe && isUtf8(block)) this.#split(block.toString());
    else this.#readEach(block);
  }

  #split(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#line(start === end ? "" : text.slice(start, end));
      start = end + 1;
    }
    this.#line(start === 0 ? text : text.slice(start));
  }

  /** One by one, where a line of the block is at fault. */
  #readEach(block: Buffer): void {
    for (let start = 0; start <= block.length; ) {
      const found = block.indexOf(NEWLINE, start);
      const end = found === -1 ? block.length : found;
      const line = block.subarray(start, end);
      if (line.length > this.#most)
        this.#sink.fault(tooLong(line.length, this.#most, line.subarray(0, EDGE), line.subarray(-EDGE)));
      else if (isUtf8(line)) this.#line(line.toString());
      else this.#sink.fault(parseError("the line is not valid UTF-8"));
      start = end + 1;
    }
  }

  #line(text: string): void {
    const isMarked = this.#isFirst && text.charCodeAt(0) === 0xfeff;
    this.#isFirst = false;
    const line = isMarked ? text.slice(1) : text;
    // JSON passes over a carriage return by itself, so only empty lines need a look.
    if (line.charCodeAt(0) > 32 || line.trim() !== "") this.#sink.line(line);
  }
}

function tooLong(size: number, most: number, head: Buffer, tail: Buffer): RpcError {
  const error = limitExceeded("messageBytes", `the message has ${size} bytes; the limit is ${most}`, {
    bytes: size,
    most,
  });
  return new RpcError(error.code, error.message, error.data, idAtEdge(head.toString(), tail.toString()));
}

/** The id of a request of which only the edges are left, where it certainly is its own; that of an answer names no request. */
function idAtEdge(head: string, tail: string): string | number | undefined {
  const found = (METHOD_FIRST.test(head) ? ID_LAST.exec(tail) : ID_FIRST.exec(head))?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}
