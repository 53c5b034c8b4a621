import type { Writable } from "node:stream";
import { limitExceeded, parseError, type RpcError, withId } from "../jsonrpc/errors.js";
import { decodeUtf8, tracksStdoutLength } from "../server/runtime.js";

const NEWLINE = 10;
const NO_BYTES = Buffer.alloc(0);
/** The buffer for a line that comes in parts: its initial size, and the size up to which it is kept for the next line. */
const BUFFER_BYTES = { initial: 16 * 1024, retained: 1024 * 1024 };

/** Receives what a `LineReader` has read. */
export interface LineSink {
  /** Whether to hold lines back; the owner of the reader calls `resume` when it can continue. */
  readonly isBackpressured: boolean;
  onLine(text: string): void;
  /** A line that is too long or not UTF-8. */
  onError(error: RpcError): void;
}

/** Splits bytes into lines. Chunks may end anywhere. Buffers one line, and what the sink holds back. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #sink: LineSink;
  /** Chunks that wait for the sink. */
  readonly #pendingChunks: Buffer[] = [];
  #isEnded = false;
  /** The line whose newline has not come yet; the buffer is reused. */
  #buffer: Buffer = NO_BYTES;
  #lineBytes = 0;
  /** The edges of a line over the limit, whose middle is dropped. */
  #head: Buffer | undefined;
  #tail: Buffer = NO_BYTES;
  #isFirstLine = true;

  constructor(maxBytes: number, sink: LineSink) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** Whether lines wait for `resume`. */
  get hasPending(): boolean {
    return this.#pendingChunks.length > 0 || (this.#isEnded && this.#lineBytes > 0);
  }

  push(chunk: Buffer): void {
    if (this.#pendingChunks.length > 0) this.#pendingChunks.push(chunk);
    else this.#read(chunk);
  }

  /** Continues after the sink has held lines back. */
  resume(): void {
    while (this.#pendingChunks.length > 0 && !this.#sink.isBackpressured)
      this.#read(this.#pendingChunks.shift() as Buffer);
    if (this.#isEnded && this.hasPending && !this.#sink.isBackpressured) this.#endLine();
  }

  /** Ends the input. What follows the last newline is a line too. */
  end(): void {
    this.#isEnded = true;
    this.resume();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    if (this.#lineBytes > 0) {
      const end = chunk.indexOf(NEWLINE);
      this.#append(end === -1 ? chunk : chunk.subarray(0, end));
      if (end === -1) return;
      this.#endLine();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= start) start += this.#readLines(chunk.subarray(start, last));
    if (start <= last) this.#pendingChunks.unshift(chunk.subarray(start));
    else if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  #append(part: Buffer): void {
    const offset = this.#lineBytes;
    this.#lineBytes += part.length;
    if (this.#lineBytes <= this.#maxBytes) {
      if (this.#lineBytes > this.#buffer.length) this.#grow(offset);
      part.copy(this.#buffer, offset);
      return;
    }
    if (this.#head === undefined) {
      const buffered = this.#buffer.subarray(0, offset);
      this.#head = Buffer.from(buffered.subarray(0, EDGE_BYTES));
      this.#tail = buffered.subarray(-EDGE_BYTES);
      this.#buffer = NO_BYTES;
    }
    if (this.#head.length < EDGE_BYTES)
      this.#head = Buffer.concat([this.#head, part.subarray(0, EDGE_BYTES - this.#head.length)]);
    this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES));
  }

  /** Doubles the buffer, so that a line in many parts is not copied as many times. */
  #grow(usedBytes: number): void {
    const size = this.#lineBytes;
    const capacity =
      size > BUFFER_BYTES.retained
        ? 2 * size
        : Math.max(BUFFER_BYTES.initial, Math.min(2 * size, BUFFER_BYTES.retained));
    const buffer = Buffer.allocUnsafeSlow(Math.min(capacity, this.#maxBytes));
    this.#buffer.copy(buffer, 0, 0, usedBytes);
    this.#buffer = buffer;
  }

  #endLine(): void {
    const line = this.#buffer.subarray(0, this.#lineBytes);
    const size = this.#lineBytes;
    const head = this.#head;
    this.#lineBytes = 0;
    this.#head = undefined;
    if (this.#buffer.length > BUFFER_BYTES.retained) this.#buffer = NO_BYTES;
    if (head !== undefined) this.#sink.onError(lineTooLongError(size, this.#maxBytes, head, this.#tail));
    else this.#readLine(line);
  }

  /**
   * Decodes complete lines together, because one call of the decoder is cheaper for a chunk of small messages. Returns the bytes
   * that were read before the sink held back, including newlines and the one after the block.
   */
  #readLines(block: Buffer): number {
    const text = block.length <= this.#maxBytes ? decodeUtf8(block) : undefined;
    if (text === undefined) return this.#readEachLine(block);
    let start = 0;
    while (start <= text.length && !this.#sink.isBackpressured) {
      const found = text.indexOf("\n", start);
      const end = found === -1 ? text.length : found;
      this.#emitLine(start === 0 && end === text.length ? text : text.slice(start, end));
      start = end + 1;
    }
    if (start > text.length) return block.length + 1;
    return block.length === text.length ? start : Buffer.byteLength(text.slice(0, start));
  }

  /** Reads line by line, if a line of the block may be invalid. */
  #readEachLine(block: Buffer): number {
    let start = 0;
    while (start <= block.length && !this.#sink.isBackpressured) {
      const found = block.indexOf(NEWLINE, start);
      const end = found === -1 ? block.length : found;
      this.#readLine(block.subarray(start, end));
      start = end + 1;
    }
    return start;
  }

  #readLine(line: Buffer): void {
    if (line.length > this.#maxBytes) {
      this.#sink.onError(
        lineTooLongError(line.length, this.#maxBytes, line.subarray(0, EDGE_BYTES), line.subarray(-EDGE_BYTES)),
      );
      return;
    }
    const text = decodeUtf8(line);
    if (text === undefined) this.#sink.onError(parseError("the line is not valid UTF-8"));
    else this.#emitLine(text);
  }

  #emitLine(text: string): void {
    const hasBom = this.#isFirstLine && text.charCodeAt(0) === 0xfeff;
    this.#isFirstLine = false;
    const line = hasBom ? text.slice(1) : text;
    // The JSON parser ignores a carriage return, so only blank lines are filtered.
    if (line.charCodeAt(0) > 32 || line.trim() !== "") this.#sink.onLine(line);
  }
}

/** How much of each edge of a line over the limit is kept, to find the id for the error response. */
const EDGE_BYTES = 1024;

/** The error for a line over the limit, with its id if the edges show it. */
function lineTooLongError(size: number, maxBytes: number, head: Buffer, tail: Buffer): RpcError {
  const error = limitExceeded("messageBytes", `the message has ${size} bytes; the limit is ${maxBytes}`, {
    bytes: size,
    max: maxBytes,
  });
  return withId(error, findIdAtEdges(head.toString(), tail.toString()));
}

/** The id of a request of which only the edges are known, if it is certainly the top-level one. Responses have no such id. */
function findIdAtEdges(head: string, tail: string): string | number | undefined {
  // Created here and without Unicode property classes, which V8 would look up at every start.
  const methodFirst = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/;
  const idFirst =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(0|[1-9]\d{0,14}|"[ !#-[\]-~\u{a0}-\u{fffc}\u{10000}-\u{10ffff}]{0,200}")\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/u;
  const idLast =
    /,\s*"id"\s*:\s*(0|[1-9]\d{0,14}|"[ !#-[\]-~\u{a0}-\u{fffc}\u{10000}-\u{10ffff}]{0,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u;
  const found = (methodFirst.test(head) ? idLast.exec(tail) : idFirst.exec(head))?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}

/** Messages up to this many characters are joined. Writing larger ones separately is cheaper. */
const MAX_JOINED_MESSAGE_CHARS = 16 * 1024;
/** With more characters than this, joined messages are written before the turn is over, so that the stream counts them. */
const FLUSH_CHARS = 64 * 1024;

/** Writes messages as lines. Those of one turn of the event loop are written together. */
export class LineWriter {
  readonly #output: Writable;
  readonly #maxBytes: number;
  readonly #write: (text: string, callback?: () => void) => boolean;
  /** Characters that are still to be written, if the stream itself does not count them. */
  #untrackedChars = 0;
  #onFlushed: (() => void) | undefined;
  #buffer = "";
  #isFlushScheduled = false;
  /** Pauses reading for a reason other than a slow client; set by the connection. */
  isReadingPaused = false;

  /** `maxBytes`: with more than this buffered, the client reads slowly. `write` is the original write of a stream whose method is replaced. */
  constructor(output: Writable, maxBytes: number, write: Writable["write"] = output.write.bind(output)) {
    this.#output = output;
    this.#maxBytes = maxBytes;
    this.#write = tracksLength(output) ? write : (text, callback) => this.#writeTracked(write, text, callback);
  }

  /** Whether the client reads slowly or reading is paused, so that no more messages should be read now. */
  get isBackpressured(): boolean {
    const { writableNeedDrain, writableLength } = this.#output;
    return (
      this.isReadingPaused ||
      this.#untrackedChars > this.#maxBytes ||
      (writableNeedDrain && writableLength > this.#maxBytes)
    );
  }

  /** Whether the stream still has something to write. */
  get hasUnflushed(): boolean {
    return this.#untrackedChars > 0 || this.#output.writableLength > 0;
  }

  write(message: string): void {
    if (message.length > MAX_JOINED_MESSAGE_CHARS) {
      this.#writeLarge(message);
      return;
    }
    this.#buffer += `${message}\n`;
    if (this.#buffer.length > FLUSH_CHARS) this.#write(this.takeBuffered());
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    setImmediate(() => {
      const buffered = this.#buffer;
      this.#buffer = "";
      this.#isFlushScheduled = false;
      if (buffered !== "") this.#write(buffered);
    });
  }

  /** Appending the newline to a large message would copy it once more. */
  #writeLarge(message: string): void {
    this.#output.cork();
    if (this.#buffer !== "") this.#write(this.takeBuffered());
    this.#write(message);
    this.#write("\n");
    this.#output.uncork();
  }

  /** Writes the buffer, and resolves when the stream has written everything or has failed. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.destroyed || this.#output.writableEnded) resolve();
      else this.#write(this.takeBuffered(), () => resolve());
    });
  }

  /** Empties the buffer, for the caller to write. */
  takeBuffered(): string {
    const buffered = this.#buffer;
    this.#buffer = "";
    return buffered;
  }

  #writeTracked(write: Writable["write"], text: string, callback?: () => void): boolean {
    // An empty write would call back at once, before the writes ahead of it are done.
    if (text === "" && this.#untrackedChars > 0) {
      this.#onFlushed = callback;
      return true;
    }
    this.#untrackedChars += text.length;
    return write(text, () => {
      const wasFull = this.isBackpressured;
      this.#untrackedChars -= text.length;
      // The stream has emitted its own `drain` earlier.
      if (wasFull && !this.isBackpressured) this.#output.emit("drain");
      callback?.();
      if (this.#untrackedChars === 0) this.#onFlushed?.();
    });
  }
}

const tracksLength = (output: Writable): boolean => tracksStdoutLength || output !== process.stdout;
