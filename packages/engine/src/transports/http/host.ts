/** Headers of an answer, by the names that they have on the wire. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** One HTTP request, whatever host it came through. */
export interface HttpRequest {
  readonly method: string;
  /** Still escaped, and without the query. */
  readonly path: string;
  /** Without the question mark; empty where there is none. */
  readonly query: string;
  /** The address of whoever sent it; undefined where the host does not say. */
  readonly peer: string | undefined;
  /** It came over TLS. */
  readonly isSecure: boolean;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** All headers, as authors may see them. */
  readonly headers: HttpHeaders;
  /** Reads the body, but never more than so many bytes of it. `done` gets undefined for a body that is not UTF-8. */
  read(mostBytes: number, done: (text: string | undefined) => void, tooLarge: () => void): void;
}

/** Where the answer to one HTTP request goes: the whole of it at once, or a stream. */
export interface HttpReply {
  /** `bytes` is how many the body has, where that is known. */
  send(status: number, headers: HttpHeaders, body?: string | Uint8Array, bytes?: number): void;
  /** Begins an event stream. */
  open(headers: HttpHeaders): EventSink;
  /** Hears, once, that the client went before the answer had ended. */
  onGone: (() => void) | undefined;
}

/** An open event stream as the host writes it. */
export interface EventSink {
  /** The bytes that the client has not taken yet. */
  readonly buffered: number;
  write(text: string): void;
  end(): void;
  /** Breaks the connection off. */
  drop(): void;
}
