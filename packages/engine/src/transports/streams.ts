import type { Readable, Writable } from "node:stream";
import type { RpcError } from "../jsonrpc/errors.js";
import type { OpenSession, TransportLink } from "../server/link.js";
import type { Server } from "../server/server.js";
import { LineWriter } from "./line-writer.js";
import { LineReader } from "./lines.js";
import { tellsEndByItself } from "./runtime.js";
import { refusalLine, requestIds } from "./stdio/farewell.js";
import { within } from "./time-limit.js";

/** A pair of streams with a client at the other end. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Who the client is, where the caller has verified it. */
  readonly principal?: string | undefined;
}

/**
 * Serves one conversation over a pair of streams, a message a line, and resolves when the input has ended and what was read is
 * answered, or the output has broken. Server and streams stay open.
 */
export function serveStreams(server: Server, streams: Streams): Promise<void> {
  return new Conversation(server, streams, new LineWriter(streams.output), "streams").run();
}

/** One conversation over a pair of streams. */
export class Conversation {
  /** Resolves when nothing more is read, served or written. */
  readonly over: Promise<void>;
  readonly #server: Server;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writer: LineWriter;
  readonly #reader: LineReader;
  readonly #session: OpenSession;
  readonly #drainMs: number;
  #unanswered = 0;
  /** What is being received at this moment, and may never be answered if the process ends now. */
  #reading: string | undefined;
  /** The chunk that is being read. */
  #chunk: Buffer | undefined;
  #hasBegun = false;
  #isEnding = false;
  #isOver = false;
  #isHeard = true;
  /** Looks whether what the end waits for has come. */
  #look: () => void = () => undefined;
  #finish: () => void = () => undefined;

  constructor(server: Server, { input, output, principal }: Streams, writer: LineWriter, transport: string) {
    this.#server = server;
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
      transport,
      principal,
      get isFull() {
        return writer.isFull;
      },
      send: (message) => writer.write(message),
      answer: (message) => {
        if (message !== undefined) writer.write(message);
        this.#reading = undefined;
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
        this.#reading = text;
        server.receive(text, link);
        this.#reading = undefined;
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

  /** Whether messages are being served, or were. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether nothing more is read, served or written. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether nothing more is read. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Starts the server, and serves until it is over. Throws why the server cannot start. */
  async run(): Promise<void> {
    const look = (): void => void this.#input.read(0);
    // While packs open the client may go, which shows only in a look at the input; most servers are ready at once.
    const looking = setImmediate(() => this.#input.on("readable", look));
    try {
      await Promise.race([this.#server.start(), this.over]);
    } catch (error) {
      this.breakOff();
      throw error;
    } finally {
      clearImmediate(looking);
      this.#input.off("readable", look);
    }
    this.#begin();
    await this.over;
  }

  #begin(): void {
    this.#hasBegun = true;
    // Of streams that were gone before, no event will tell.
    if (this.#output.destroyed) this.breakOff();
    else if (this.#input.destroyed) void this.#end();
    if (this.#isEnding) return;
    this.#input.on("data", this.#read);
    // A tool that reads the input too, such as with readline, may pause it for all when it is done.
    this.#input.on("pause", () => process.nextTick(this.#goOn));
    this.#input.resume();
    // Where the input would not tell its end, what is there is read now.
    if (!tellsEndByItself) while (this.#input.read() !== null);
  }

  /** Reads no more, answers what was read, and is over. */
  finish(): void {
    void this.#end();
  }

  /** Nobody hears any more: everything stops. */
  breakOff(): void {
    this.#isHeard = false;
    this.#session.close();
    this.#look();
    void this.#end();
  }

  /** What is left to be said when the process ends at once: the refusal of every request that was not answered. */
  lastWords(error: RpcError): string {
    if (!this.#isHeard) return "";
    const reading = this.#reading;
    this.#session.cutOff(error);
    const unread = [
      ...this.#session.waiting,
      ...(reading === undefined ? [] : [reading, ...this.#linesAfter(reading)]),
    ];
    const refused = unread.flatMap(requestIds).map((id) => refusalLine(id, error));
    // A line that did not leave as a whole would swallow the next one.
    const brokenOff = this.#writer.isBehind ? "\n" : "";
    return `${brokenOff}${this.#writer.take()}${refused.join("")}`;
  }

  /** The lines of the chunk that is being read which stand behind the one that is being served. */
  #linesAfter(reading: string): readonly string[] {
    const chunk = this.#chunk?.toString() ?? "";
    const at = chunk.indexOf(reading);
    // Its beginning may have come with an earlier chunk.
    const from = at === -1 ? chunk.indexOf("\n") + 1 : at + reading.length;
    return chunk.slice(from).split("\n");
  }

  readonly #read = (chunk: Buffer | string): void => {
    this.#chunk = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    this.#reader.push(this.#chunk);
    this.#chunk = undefined;
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
    // Whatever goes wrong here, an orphan must not live on.
    try {
      this.#input.off("data", this.#read);
      await within(this.#drainMs, async () => {
        await this.#until(() => !this.#isHeard || !this.#reader.isWaiting);
        this.#session.end();
        await this.#until(() => this.#unanswered === 0);
      });
      if (this.#isHeard && this.#unanswered > 0)
        this.#server.log({ level: "warning", message: `the input has ended; requests given up: ${this.#unanswered}` });
      this.#session.close();
      this.#output.off("drain", this.#goOn);
      if (this.#isHeard) await within(this.#drainMs, () => this.#writer.flush());
    } finally {
      this.#isOver = true;
      this.#finish();
    }
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
