import type { Socket } from "node:net";

/** Messages up to this many characters are joined; larger ones go out on their own, which costs less than joining them. */
const SMALL = 16 * 1024;
/** Small messages that have joined to this many characters leave before the turn is over, so that the socket counts them. */
const JOINED = 64 * 1024;
/** With more than this many bytes waiting for the client, it is time to stop reading. */
const HIGH_WATER = 1024 * 1024;
/** The first byte of a whole message of text. */
const TEXT = 0x81;

/**
 * Messages → frames of a socket. What is written within one turn of the event loop leaves together, as one string, where `ws`
 * would write two chunks for each message.
 */
export class FrameWriter {
  readonly #socket: Socket;
  readonly #onTaken: () => void;
  /** What waits, with a character for each byte. In parts, because to join them at the end costs less than one by one. */
  #parts: string[] = [];
  #size = 0;
  #isScheduled = false;

  /** `onTaken` hears whenever the system has taken what was written. */
  constructor(socket: Socket, onTaken: () => void) {
    this.#socket = socket;
    this.#onTaken = onTaken;
  }

  /** The client is slow: nothing more should be read until `drain`, which is certain to come. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > HIGH_WATER;
  }

  /** Nothing has been written in this turn of the event loop. */
  get isFresh(): boolean {
    return !this.#isScheduled;
  }

  write(message: string): void {
    const bytes = Buffer.byteLength(message);
    this.#parts.push(headOf(bytes));
    if (message.length > SMALL) {
      this.#socket.cork();
      this.flush();
      this.#socket.write(message, this.#onTaken);
      this.#socket.uncork();
    } else {
      this.#parts.push(bytes === message.length ? message : Buffer.from(message).toString("latin1"));
      this.#size += bytes;
      if (this.#size > JOINED) this.flush();
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  /** Writes what waits. */
  flush(): void {
    const parts = this.#parts;
    if (parts.length === 0) return;
    this.#parts = [];
    this.#size = 0;
    if (this.#socket.writable) this.#socket.write(parts.join(""), "latin1", this.#onTaken);
  }
}

/** What stands before so many bytes of text. */
function headOf(bytes: number): string {
  if (bytes < 126) return String.fromCharCode(TEXT, bytes);
  if (bytes < 65_536) return String.fromCharCode(TEXT, 126, bytes >>> 8, bytes & 255);
  const high = Math.floor(bytes / 2 ** 32);
  const numbers = [high, bytes].flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255));
  return String.fromCharCode(TEXT, 127, ...numbers);
}
