import { decode } from "../utf8.js";
import type { EventSink, HttpHeaders, HttpReply, HttpRequest } from "./host.js";
import { showHeaders } from "./shown-headers.js";

const encoder = new TextEncoder();

/** One `Request`, and the `Response` to it. */
export class FetchExchange implements HttpRequest, HttpReply {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peer: string | undefined;
  readonly isSecure: boolean;
  /** The answer, as soon as its headers are known. */
  readonly response: Promise<Response>;
  readonly #request: Request;
  #isAnswered = false;
  #isOver = false;
  #isGone = false;
  #onGone: (() => void) | undefined;
  #closeBody: (() => void) | undefined;
  #respond: (response: Response) => void = () => undefined;

  constructor(request: Request, peer: string | undefined) {
    const { pathname, search, protocol } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.query = search.slice(1);
    this.peer = peer;
    this.isSecure = protocol === "https:";
    this.#request = request;
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
    request.signal.addEventListener("abort", this.#gone);
    if (request.signal.aborted) this.#gone();
  }

  get onGone(): (() => void) | undefined {
    return this.#onGone;
  }

  set onGone(listener: (() => void) | undefined) {
    this.#onGone = listener;
    // Of a client that went before, no event will tell.
    if (this.#isGone && listener !== undefined) queueMicrotask(listener);
  }

  header(name: string): string | undefined {
    const given = this.#request.headers.get(name);
    if (given !== null) return given;
    // Hosts that made the request themselves have no such header, but its URL says the same.
    return name === "host" ? new URL(this.#request.url).host : undefined;
  }

  get headers(): HttpHeaders {
    return showHeaders(this.#request.headers);
  }

  read(mostBytes: number, done: (text: string | undefined) => void, tooLarge: () => void): void {
    if (Number(this.header("content-length")) > mostBytes) return tooLarge();
    if (this.#request.body?.locked || this.#request.bodyUsed) throw new TypeError("the body was read before");
    this.#readAll(mostBytes).then(
      (bytes) => (bytes === undefined ? tooLarge() : done(decode(bytes))),
      // The client broke off in the middle of it, and nobody hears an answer.
      () => this.#gone(),
    );
  }

  send(status: number, headers: HttpHeaders, body?: string | Uint8Array): void {
    if (this.#isAnswered) return;
    const isEmpty = this.method === "HEAD" || [204, 205, 304].includes(status);
    // What a page gives may be no answer; then another follows.
    const answer = new Response(isEmpty ? null : (body as string | Uint8Array<ArrayBuffer>), { status, headers });
    this.#isAnswered = true;
    this.#end();
    this.#respond(answer);
  }

  open(headers: HttpHeaders): EventSink {
    let waiting: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          waiting = controller;
        },
        cancel: () => {
          this.#closeBody = undefined;
          this.#gone();
        },
      },
      // What is written counts until the host takes it.
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
    this.#isAnswered = true;
    this.#closeBody = () => waiting.close();
    this.#respond(new Response(body, { status: 200, headers }));
    const finish = (deed: () => void): void => {
      if (this.#isOver) return;
      this.#end();
      deed();
    };
    return {
      get buffered() {
        return -(waiting.desiredSize ?? 0);
      },
      write: (text) => {
        if (!this.#isOver) waiting.enqueue(encoder.encode(text));
      },
      end: () => finish(() => waiting.close()),
      drop: () => finish(() => waiting.error(new Error("The stream was dropped: its client reads too slowly"))),
    };
  }

  async #readAll(mostBytes: number): Promise<Buffer | undefined> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.#request.body ?? []) {
      size += chunk.length;
      if (size > mostBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  }

  readonly #gone = (): void => {
    if (this.#isOver) return;
    this.#end();
    this.#closeBody?.();
    this.#isGone = true;
    this.#onGone?.();
    // Nobody reads it, but whoever called waits for something.
    this.send(499, {});
  };

  #end(): void {
    this.#isOver = true;
    this.#request.signal.removeEventListener("abort", this.#gone);
  }
}
