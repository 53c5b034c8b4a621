import type { Writable } from "node:stream";
import { countsStdout } from "./runtime.js";

/** Answers up to this many characters are joined; larger ones go out on their own, which costs less than joining them. */
const SMALL = 16 * 1024;
/** Small answers that have joined to this many characters leave before the turn is over, so that the stream counts them. */
const JOINED = 64 * 1024;
/** With more than this many bytes waiting for the reader, it is time to stop reading. */
const HIGH_WATER = 1024 * 1024;

/** Messages → lines of a stream. What is written within one turn of the event loop leaves together. */
export class LineWriter {
  readonly #output: Writable;
  readonly #write: (text: string, done?: () => void) => boolean;
  /** Characters that were written and have not left, where the stream itself does not count them; and who waits for all to leave. */
  #uncounted = 0;
  #onLeft: (() => void) | undefined;
  #small = "";
  #isScheduled = false;

  /** `write` is the stream's own write, where something else stands in its place. */
  constructor(output: Writable, write: Writable["write"] = output.write.bind(output)) {
    this.#output = output;
    this.#write = isCounting(output) ? write : (text, done) => this.#count(write, text, done);
  }

  /** The reader is slow: nothing more should be read until `drain`, which is certain to come. */
  get isFull(): boolean {
    const { writableNeedDrain, writableLength } = this.#output;
    return this.#uncounted > HIGH_WATER || (writableNeedDrain && writableLength > HIGH_WATER);
  }

  /** Whether something was written that has not left as a whole. */
  get isBehind(): boolean {
    return this.#uncounted > 0 || this.#output.writableLength > 0;
  }

  write(message: string): void {
    if (message.length > SMALL) {
      this.#writeLarge(message);
      return;
    }
    this.#small += `${message}\n`;
    if (this.#small.length > JOINED) this.#write(this.take());
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#small !== "") this.#write(this.take());
    });
  }

  /** To put the end of the line behind a large message would copy all of it once more. */
  #writeLarge(message: string): void {
    this.#output.cork();
    if (this.#small !== "") this.#write(this.take());
    this.#write(message);
    this.#write("\n");
    this.#output.uncork();
  }

  /** Writes what waits, and resolves when the stream has taken it all or has failed. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.destroyed || this.#output.writableEnded) resolve();
      else this.#write(this.take(), () => resolve());
    });
  }

  /** What waits to be written, for somebody else to write. */
  take(): string {
    const small = this.#small;
    this.#small = "";
    return small;
  }

  #count(write: Writable["write"], text: string, done?: () => void): boolean {
    // Of nothing it would say at once that it has left, whatever is still before it.
    if (text === "" && this.#uncounted > 0) {
      this.#onLeft = done;
      return true;
    }
    this.#uncounted += text.length;
    return write(text, () => {
      const wasFull = this.isFull;
      this.#uncounted -= text.length;
      // The stream has told of its drain before.
      if (wasFull && !this.isFull) this.#output.emit("drain");
      done?.();
      if (this.#uncounted === 0) this.#onLeft?.();
    });
  }
}

const isCounting = (output: Writable): boolean => countsStdout || output !== process.stdout;
