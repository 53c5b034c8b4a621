import { ConnectionError } from "./errors.js";
import { fetchErrorReason } from "./http-request.js";

/** An event of an event stream. */
export interface ServerSentEvent {
  /** The event type; "message" if the stream names none. */
  readonly event: string;
  readonly data: string;
}

/** Where and when to resume an event stream. */
export interface StreamPosition {
  /** The id of the last event; undefined if the stream cannot be resumed. */
  lastEventId: string | undefined;
  retryMs: number;
}

/** Parses an event stream that arrives in chunks, with a limit on the size of an event. */
export class EventStreamParser {
  readonly #maxBytes: number;
  readonly #position: StreamPosition;
  readonly #onEvent: (event: ServerSentEvent) => void;
  /** The line that is being read. */
  #line = "";
  #endsWithReturn = false;
  #event = "";
  /** The id of the event that is being read. */
  #id: string | undefined;
  #data: string[] = [];
  #size = 0;

  constructor(maxBytes: number, position: StreamPosition, onEvent: (event: ServerSentEvent) => void) {
    this.#maxBytes = maxBytes;
    this.#position = position;
    this.#onEvent = onEvent;
  }

  /** Parses the next chunk. Throws `Error` if an event is too large. */
  push(chunk: string): void {
    if (chunk === "") return;
    // A CRLF may be split between chunks.
    const text = this.#endsWithReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#endsWithReturn = chunk.endsWith("\r");
    const [rest = "", ...lines] = text.split(/\r\n|\n|\r/);
    this.#line += rest;
    for (const line of lines) {
      this.#parseLine(this.#line);
      this.#line = line;
    }
    if (this.#line.length + this.#size <= this.#maxBytes) return;
    // Resuming before this event would only bring it again.
    this.#advancePosition();
    throw new Error(`an event is larger than ${this.#maxBytes} bytes`);
  }

  #parseLine(line: string): void {
    if (line === "") return this.#dispatchEvent();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") {
      this.#data.push(value);
      this.#size += value.length;
    } else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) this.#position.retryMs = Number(value);
  }

  #advancePosition(): void {
    if (this.#id !== undefined) this.#position.lastEventId = this.#id || undefined;
    this.#id = undefined;
  }

  #dispatchEvent(): void {
    this.#advancePosition();
    const data = this.#data.join("\n");
    const event = this.#event || "message";
    this.#data = [];
    this.#event = "";
    this.#size = 0;
    // An event without data only sets the position.
    if (data !== "") this.#onEvent({ event, data });
  }
}

/** Reads an event stream to its end. Rejects with `ConnectionError` if it breaks. */
export async function readEventStream(
  response: Response,
  maxBytes: number,
  position: StreamPosition,
  onEvent: (event: ServerSentEvent) => void,
): Promise<void> {
  const parser = new EventStreamParser(maxBytes, position, onEvent);
  // The decoder removes a byte order mark.
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) parser.push(decoder.decode(chunk as Uint8Array, { stream: true }));
  } catch (cause) {
    throw new ConnectionError(`The server's event stream failed: ${fetchErrorReason(cause)}`, { cause });
  }
}
