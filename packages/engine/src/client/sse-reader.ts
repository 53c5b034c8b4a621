/** One event of an event stream. */
export interface StreamEvent {
  /** Its name; "message" where it has none. */
  readonly event: string;
  readonly data: string;
}

/** Where a stream can be taken up again, and how soon. */
export interface Place {
  /** The id of the last event; undefined = the stream cannot be taken up. */
  id: string | undefined;
  retryMs: number;
}

/** Text of an event stream → events. Chunks may end anywhere; what is held is bounded. */
export class EventReader {
  readonly #most: number;
  readonly #place: Place;
  readonly #tell: (event: StreamEvent) => void;
  #rest = "";
  #isAfterReturn = false;
  #isFirst = true;
  #event = "";
  /** The id of the event that is being read. */
  #id: string | undefined;
  #data: string[] = [];
  #size = 0;

  constructor(most: number, place: Place, tell: (event: StreamEvent) => void) {
    this.#most = most;
    this.#place = place;
    this.#tell = tell;
  }

  /** Throws a plain `Error` where an event is too large. */
  push(text: string): void {
    let start = this.#skipped(text);
    if (text !== "") this.#isAfterReturn = false;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code !== 10 && code !== 13) continue;
      this.#line(this.#rest + text.slice(start, at));
      this.#rest = "";
      if (code === 13 && at + 1 === text.length) this.#isAfterReturn = true;
      if (code === 13 && text.charCodeAt(at + 1) === 10) at += 1;
      start = at + 1;
    }
    this.#rest += text.slice(start);
    if (this.#rest.length + this.#size <= this.#most) return;
    // To take it up before this one would only bring it again.
    this.#pass();
    throw new Error(`an event is larger than ${this.#most} bytes`);
  }

  /** A mark of byte order at the start, or the second half of a line end that came in two parts. */
  #skipped(text: string): number {
    const isMarked = this.#isFirst && text.charCodeAt(0) === 0xfeff;
    if (text !== "") this.#isFirst = false;
    return isMarked || (this.#isAfterReturn && text.charCodeAt(0) === 10) ? 1 : 0;
  }

  #line(line: string): void {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") {
      this.#data.push(value);
      this.#size += value.length;
    } else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) this.#place.retryMs = Number(value);
  }

  /** What comes next stands behind this event; one that was cut off has to come again. */
  #pass(): void {
    if (this.#id !== undefined) this.#place.id = this.#id || undefined;
    this.#id = undefined;
  }

  #end(): void {
    this.#pass();
    const data = this.#data.join("\n");
    const event = this.#event || "message";
    const isThere = this.#data.length > 0;
    this.#data = [];
    this.#event = "";
    this.#size = 0;
    // An event without a word only says where the stream stands.
    if (isThere && data !== "") this.#tell({ event, data });
  }
}
