import type { Readable, Writable } from "node:stream";
import type { RpcError } from "../jsonrpc/errors.js";
import { arrayElementTexts, encodeError, parseJson, parseMessage, type RequestId } from "../jsonrpc/messages.js";

import type { TransportConnection, TransportSession } from "../server/connection.js";
import { atCaller, requireServer } from "../server/definitions/validation.js";
import { maxReceivedBytes } from "../server/limits/limits.js";
import { emitsEndAfterPeek } from "../server/runtime.js";
import type { Server } from "../server/server.js";
import { LineReader, LineWriter } from "./line-framing.js";
import { raceTimeout } from "./running-server.js";

/** A pair of streams with a client at the other end. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Who the client is, if the caller has authenticated it. */
  readonly principal?: string | undefined;
}

/**
 * Serves one client over a pair of streams, one message per line. Resolves when the input has ended and every request is answered,
 * or when the output has failed. The server and the streams stay open.
 *
 * @example
 * ```ts
 * net.createServer((socket) => serveStreams(server, { input: socket, output: socket })).listen(4000);
 * ```
 */
export function serveStreams(server: Server, streams: Streams): Promise<void> {
  atCaller(serveStreams, () => requireServer("serve over streams", server));
  return new StreamConnection(
    server,
    streams,
    new LineWriter(streams.output, server.limits.outputBytes),
    "streams",
  ).run();
}

/** Rejecting a message takes longer than reading it, up to 20 µs. */
const MAX_REJECTED_PER_TURN = 1000;

/** The connection to one client over a pair of streams. */
export class StreamConnection {
  /** Resolves when nothing more is read, processed or written. */
  readonly closed: Promise<void>;
  readonly #server: Server;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writer: LineWriter;
  readonly #reader: LineReader;
  readonly #session: TransportSession;
  readonly #drainMs: number;
  #pendingCount = 0;
  /** Messages that were rejected since reading was last paused. */
  #rejectedCount = 0;
  /** The message that is being received right now. It gets no response if the process exits. */
  #currentMessage: string | undefined;
  /** The chunk that the message came with. */
  #currentChunk: Buffer | undefined;
  #hasStarted = false;
  #isEnding = false;
  #isClosed = false;
  #isReachable = true;
  /** Checks the condition that the end waits for. */
  #checkDone: (() => void) | undefined;
  #resolveClosed: () => void = () => undefined;

  constructor(server: Server, { input, output, principal }: Streams, writer: LineWriter, transport: string) {
    this.#server = server;
    this.#input = input;
    this.#output = output;
    this.#writer = writer;
    this.#drainMs = server.limits.drainMs;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#session = server.openSession((message) => writer.write(message), { disconnect: () => this.abort() });
    const connection: TransportConnection = {
      session: this.#session,
      transport,
      principal,
      get isBackpressured() {
        return writer.isBackpressured;
      },
      send: (message) => writer.write(message),
      respond: (message, rejection) => {
        if (rejection !== undefined) this.#countRejection();
        if (message !== undefined) writer.write(message);
        this.#currentMessage = undefined;
        this.#pendingCount -= 1;
        if (this.#pendingCount === 0) this.#checkDone?.();
      },
    };
    this.#reader = new LineReader(maxReceivedBytes(server.limits), {
      get isBackpressured() {
        return writer.isBackpressured;
      },
      onLine: (text) => {
        this.#pendingCount += 1;
        this.#currentMessage = text;
        server.receive(text, connection);
        this.#currentMessage = undefined;
      },
      onError: (error) => {
        this.#pendingCount += 1;
        server.rejectMessage(error, connection);
      },
    });
    // The output comes first: if it is the same socket as the input, a close means that the client is unreachable.
    output.on("error", () => this.abort());
    output.on("close", () => this.abort());
    output.on("drain", this.#resume);
    input.on("end", () => {
      if (!this.#isEnding) this.#reader.end();
      void this.#end();
    });
    // If the input failed or was closed on this side, an unfinished line is no message.
    input.on("error", () => void this.#end());
    input.on("close", () => void this.#end());
  }

  /** Whether the server has started, so that messages are read. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Whether nothing more is read, processed or written. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether nothing more is read. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /**
   * Starts the server, and serves until the connection is closed. `onStart` is called before the first message is read. Rejects if
   * the server cannot start.
   */
  async run(onStart?: () => void): Promise<void> {
    const peek = (): void => void this.#input.read(0);
    // The client may disconnect while packs open, which shows only when the input is read. Most servers are ready at once.
    const peekTimer = setImmediate(() => this.#input.on("readable", peek));
    try {
      await Promise.race([this.#server.start(), this.closed]);
    } catch (error) {
      this.abort();
      throw error;
    } finally {
      clearImmediate(peekTimer);
      this.#input.off("readable", peek);
    }
    onStart?.();
    this.#start();
    await this.closed;
  }

  #start(): void {
    this.#hasStarted = true;
    // Streams that were destroyed earlier emit no more events.
    if (this.#output.destroyed) this.abort();
    else if (this.#input.destroyed) void this.#end();
    if (this.#isEnding) return;
    this.#input.on("data", this.#onData);
    // A tool that reads the input too, for example with readline, may leave it paused.
    this.#input.on("pause", () => process.nextTick(this.#resume));
    this.#input.resume();
    // Where the input would not emit `end`, what is buffered is read now.
    if (!emitsEndAfterPeek) while (this.#input.read() !== null);
  }

  /** Stops reading, and closes when every request is answered. */
  drain(): void {
    void this.#end();
  }

  /** Stops everything, because the client is unreachable. */
  abort(): void {
    this.#isReachable = false;
    this.#session.close();
    this.#checkDone?.();
    void this.#end();
  }

  /** What to write when the process exits at once: buffered output, and an error for every unanswered request. */
  crashReplies(error: RpcError): string {
    if (!this.#isReachable) return "";
    const current = this.#currentMessage;
    this.#session.abortAll(error);
    const unanswered = [
      ...this.#session.queued,
      ...(current === undefined ? [] : [current, ...this.#remainingLines(current)]),
    ];
    const rejections = unanswered.flatMap(requestIds).map((id) => errorResponseLine(id, error));
    // A line that was written in part would run into the next one.
    const separator = this.#writer.hasUnflushed ? "\n" : "";
    return `${separator}${this.#writer.takeBuffered()}${rejections.join("")}`;
  }

  /** The lines of the current chunk after the current message. */
  #remainingLines(current: string): readonly string[] {
    const chunk = this.#currentChunk?.toString() ?? "";
    const index = chunk.indexOf(current);
    // The message may have begun in an earlier chunk.
    const from = index === -1 ? chunk.indexOf("\n") + 1 : index + current.length;
    return chunk.slice(from).split("\n");
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#currentChunk = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    this.#reader.push(this.#currentChunk);
    this.#currentChunk = undefined;
    if (this.#writer.isBackpressured) this.#input.pause();
  };

  readonly #resume = (): void => {
    this.#reader.resume();
    if (this.#isEnding) this.#checkDone?.();
    else if (!this.#writer.isBackpressured) this.#input.resume();
  };

  /** Pauses reading for one turn of the event loop after many rejected messages: a chunk may contain tens of thousands. */
  #countRejection(): void {
    this.#rejectedCount += 1;
    if (this.#rejectedCount !== MAX_REJECTED_PER_TURN) return;
    this.#writer.isReadingPaused = true;
    setImmediate(() => {
      this.#rejectedCount = 0;
      this.#writer.isReadingPaused = false;
      this.#resume();
    });
  }

  async #end(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    // Whatever goes wrong here, the process must not stay as an orphan.
    try {
      this.#input.off("data", this.#onData);
      await raceTimeout(this.#drainMs, async () => {
        await this.#waitUntil(() => !this.#isReachable || !this.#reader.hasPending);
        this.#session.end();
        await this.#waitUntil(() => this.#pendingCount === 0);
      });
      const unanswered = this.#isReachable ? this.#pendingCount : 0;
      if (unanswered > 0)
        this.#server.log({ level: "warning", message: `the input has ended; unanswered requests: ${unanswered}` });
      this.#session.close();
      this.#output.off("drain", this.#resume);
      if (this.#isReachable) await raceTimeout(this.#drainMs, () => this.#writer.flush());
    } finally {
      this.#isClosed = true;
      this.#resolveClosed();
    }
  }

  #waitUntil(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const checkDone = (): void => {
        if (condition()) resolve();
      };
      this.#checkDone = checkDone;
      checkDone();
    });
  }
}

/** The ids of the requests in the text of a message or a batch; none if the text is anything else. */
export function requestIds(text: string): readonly RequestId[] {
  try {
    const value = parseJson(text);
    if (Array.isArray(value)) return arrayElementTexts(text).flatMap(requestIds);
    const { method, id } = parseMessage(value, text);
    return method === undefined || id === undefined ? [] : [id];
  } catch {
    return [];
  }
}

/** An error response as a line, in the form that all revisions share. */
export function errorResponseLine(id: RequestId, { code, message, data }: RpcError): string {
  return `${encodeError(id, { code, message, ...(data && { data }) })}\n`;
}
