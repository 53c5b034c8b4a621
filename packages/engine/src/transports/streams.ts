import type { Readable, Writable } from "node:stream";
import type { OpenSession, TransportLink } from "../server/link.js";
import type { Server } from "../server/server.js";
import { LineWriter } from "./line-writer.js";
import { LineReader } from "./lines.js";
import { within } from "./time-limit.js";

/** A pair of streams with a client at the other end. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Who the client is, where the caller has verified it. */
  readonly principal?: string | undefined;
}

/**
 * Serves one conversation over a pair of streams, a message a line, and resolves when it is over: the input has ended and what
 * was read is answered, or the output has broken. Server and streams stay open, because others may use them.
 */
export function serveStreams(server: Server, streams: Streams): Promise<void> {
  return converse(server, streams, new LineWriter(streams.output));
}

/** `serveStreams` with a writer of one's own. */
export async function converse(server: Server, streams: Streams, writer: LineWriter): Promise<void> {
  const conversation = new Conversation(server, streams, writer);
  try {
    // The client may go while packs still open.
    await Promise.race([server.start(), conversation.over]);
  } catch (error) {
    conversation.breakOff();
    throw error;
  }
  conversation.begin();
  await conversation.over;
}

class Conversation {
  /** Resolves when nothing more is read, served or written. */
  readonly over: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writer: LineWriter;
  readonly #reader: LineReader;
  readonly #session: OpenSession;
  readonly #drainMs: number;
  #unanswered = 0;
  #isEnding = false;
  #isHeard = true;
  /** Looks whether what the end waits for has come. */
  #look: () => void = () => undefined;
  #finish: () => void = () => undefined;

  constructor(server: Server, { input, output, principal }: Streams, writer: LineWriter) {
    this.#input = input;
    this.#output = output;
    this.#writer = writer;
    this.#drainMs = server.limits.drainMs;
    this.over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#session = server.openSession(
      (message) => writer.write(message),
      () => this.breakOff(),
    );
    const link: TransportLink = {
      session: this.#session,
      principal,
      send: (message) => writer.write(message),
      answer: (message) => {
        if (message !== undefined) writer.write(message);
        this.#unanswered -= 1;
        if (this.#unanswered === 0) this.#look();
      },
    };
    this.#reader = new LineReader(server.limits.messageBytes, {
      get isFull() {
        return writer.isFull;
      },
      line: (text) => {
        this.#unanswered += 1;
        server.receive(text, link);
      },
      fault: (error) => {
        this.#unanswered += 1;
        server.refuse(error, link);
      },
    });
    // The output comes first: of a socket, which is both, a close means that nobody hears.
    output.on("error", () => this.breakOff());
    output.on("close", () => this.breakOff());
    output.on("drain", this.#goOn);
    input.on("end", () => {
      if (!this.#isEnding) this.#reader.end();
      void this.#end();
    });
    // Half a line of an input that broke or was closed from here is no message.
    input.on("error", () => void this.#end());
    input.on("close", () => void this.#end());
  }

  /** Starts to read. */
  begin(): void {
    // Of streams that were gone before, no event will tell.
    if (this.#output.destroyed) this.breakOff();
    else if (this.#input.destroyed) void this.#end();
    if (!this.#isEnding) this.#input.on("data", this.#read);
  }

  /** Nobody hears any more: everything stops. */
  breakOff(): void {
    this.#isHeard = false;
    this.#session.close();
    this.#look();
    void this.#end();
  }

  readonly #read = (chunk: Buffer | string): void => {
    this.#reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    if (this.#writer.isFull) this.#input.pause();
  };

  readonly #goOn = (): void => {
    this.#reader.resume();
    if (this.#isEnding) this.#look();
    else if (!this.#writer.isFull) this.#input.resume();
  };

  async #end(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#input.off("data", this.#read);
    await within(this.#drainMs, async () => {
      await this.#until(() => !this.#isHeard || !this.#reader.isWaiting);
      this.#session.end();
      await this.#until(() => this.#unanswered === 0);
    });
    this.#session.close();
    this.#output.off("drain", this.#goOn);
    if (this.#isHeard) await within(this.#drainMs, () => this.#writer.flush());
    this.#finish();
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (holds()) resolve();
      };
      this.#look();
    });
  }
}
