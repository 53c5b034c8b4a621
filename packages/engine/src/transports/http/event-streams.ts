import { Holdings } from "../../server/limits/shared-budget.js";
import { monotonicNow } from "../../server/runtime.js";
import type { Server } from "../../server/server.js";
import { rateLimitKey } from "./access-control.js";
import { reauthenticate } from "./auth/authenticator.js";
import type { AuthenticatedRequest, EventSink, HttpHeaders } from "./http-message.js";
import type { HttpLimits } from "./options.js";

/** How often `waitForDrain` looks at the buffer. */
const DRAIN_POLL_MS = 20;

const STREAM_HEADERS: HttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // Some proxies, such as nginx, buffer responses otherwise.
  "x-accel-buffering": "no",
};

/** Formats a JSON-RPC message as an event; `id` is the event id for resuming. */
export const formatEvent = (message: string, id?: string): string =>
  id === undefined ? `event: message\ndata: ${message}\n\n` : `event: message\nid: ${id}\ndata: ${message}\n\n`;

/** The open event streams of an endpoint: limits their number, keeps them alive and verifies their tokens again. */
export class EventStreams {
  readonly limits: HttpLimits;
  readonly server: Pick<Server, "log" | "metrics">;
  /** Each stream, with the request that opened it. */
  readonly #streams = new Map<EventStream, AuthenticatedRequest>();
  /** How many streams each client has. */
  readonly #held = new Holdings();
  #keepAliveTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(limits: HttpLimits, server: Pick<Server, "log" | "metrics">) {
    this.limits = limits;
    this.server = server;
  }

  /** Whether a client can open no stream now. One that has none may exceed the limit, by an eighth in all. */
  isFullFor({ request, authInfo }: Pick<AuthenticatedRequest, "request" | "authInfo">): boolean {
    return this.#isClosed || !this.#held.hasPlaceFor(rateLimitKey(request, authInfo), this.limits.streams);
  }

  /** Starts a stream as the response to a request. `onClose` is called once when it has ended, for any reason. */
  open(authenticated: AuthenticatedRequest, onClose: () => void): EventStream {
    const { request, response, authInfo } = authenticated;
    const client = rateLimitKey(request, authInfo);
    const stream = new EventStream(response.openStream(STREAM_HEADERS), this, client, onClose);
    response.onDisconnect = () => stream.handleDisconnect();
    this.#streams.set(stream, authenticated);
    this.#held.add(client, 1);
    this.server.metrics.streams += 1;
    this.#keepAliveTimer ??= setInterval(() => this.#keepAlive(), this.limits.keepAliveMs).unref();
    return stream;
  }

  remove(stream: EventStream): void {
    if (!this.#streams.delete(stream)) return;
    this.server.metrics.streams -= 1;
    this.#held.add(stream.client, -1);
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams.keys()) stream.end();
    this.#stopTimer();
  }

  #keepAlive(): void {
    for (const [stream, authenticated] of this.#streams) {
      stream.keepAlive();
      void this.#reauthenticate(stream, authenticated);
    }
    if (this.#streams.size === 0) this.#stopTimer();
  }

  /** Ends the stream of a client that is no longer authenticated. */
  async #reauthenticate(stream: EventStream, authenticated: AuthenticatedRequest): Promise<void> {
    const { authenticator, request, authInfo } = authenticated;
    if (authenticator === undefined) return;
    try {
      if ((await reauthenticate(authenticator, request, authInfo)) === undefined) stream.end();
    } catch (error) {
      this.server.log({ level: "error", message: "the token of an event stream could not be verified again", error });
    }
  }

  #stopTimer(): void {
    clearInterval(this.#keepAliveTimer);
    this.#keepAliveTimer = undefined;
  }
}

/** One open event stream. */
export class EventStream {
  isClosed = false;
  /** The client that it counts against. */
  readonly client: string | undefined;
  readonly #sink: EventSink;
  readonly #owner: EventStreams;
  readonly #onClose: () => void;
  #isIdle = true;

  constructor(sink: EventSink, owner: EventStreams, client: string | undefined, onClose: () => void) {
    this.client = client;
    this.#sink = sink;
    this.#owner = owner;
    this.#onClose = onClose;
  }

  /** Whether so much is buffered that events that can wait should wait. */
  get isBackpressured(): boolean {
    return !this.isClosed && this.#sink.bufferedBytes > this.#owner.limits.streamBytes / 2;
  }

  /** Resolves when the client has read enough or is gone. A client that stays stalled is dropped. */
  async waitForDrain(): Promise<void> {
    const deadline = monotonicNow() + this.#owner.limits.stalledMs;
    while (this.isBackpressured) {
      if (monotonicNow() > deadline) return this.#dropSlowClient();
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS).unref());
    }
  }

  /** Sends a JSON-RPC message, and ends the stream after the last one. */
  send(message: string, isLast = false): void {
    this.write(formatEvent(message));
    if (isLast) this.end();
  }

  write(event: string): void {
    if (this.isClosed) return;
    // Only what was buffered before counts, so that one large message does not drop the client.
    if (this.#sink.bufferedBytes > this.#owner.limits.streamBytes) return this.#dropSlowClient();
    this.#isIdle = false;
    this.#sink.write(event);
  }

  /** Writes a comment if nothing else was written since the last call, so that proxies keep the connection open. */
  keepAlive(): void {
    if (this.#isIdle) this.#sink.write(": keep-alive\n\n");
    this.#isIdle = true;
  }

  end(): void {
    this.#close(() => this.#sink.end());
  }

  /** Called when the client has closed the connection. */
  handleDisconnect(): void {
    this.#close(() => undefined);
  }

  #dropSlowClient(): void {
    this.#close(() => this.#sink.destroy());
    this.#owner.server.log({ level: "warning", message: "an event stream was closed: the client reads too slowly" });
  }

  #close(closeSink: () => void): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#owner.remove(this);
    closeSink();
    this.#onClose();
  }
}
