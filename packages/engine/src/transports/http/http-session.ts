import type { TransportSession } from "../../server/connection.js";
import { monotonicNow } from "../../server/runtime.js";
import { type EventStream, formatEvent } from "./event-streams.js";
import type { SessionManager, SessionRecord, StreamEvent } from "./session-manager.js";

/** How long a client waits before it reconnects. */
const RETRY_MS = 1000;

/** The name of the standalone stream, which carries messages that belong to no request. */
const STANDALONE_STREAM = "s";

/** Stores the events of a session's streams. */
type EventLog = Pick<HttpSession, "append" | "readAfter">;

/** One event stream of a session. It outlives its connections: a client that reconnects gets the events that it missed. */
export class SessionStream {
  readonly name: string;
  /** The number of the last event that was sent to any connection. */
  lastSent = 0;
  /** Resolves when all events so far are stored; undefined if they are stored synchronously. */
  pendingWrites: Promise<unknown> | undefined;
  readonly #eventLog: EventLog;
  #lastNumber = 0;
  #isEnded = false;
  #connection: EventStream | undefined;
  /** While a connection catches up, new events are only stored, so that they stay in order. */
  #isCatchingUp = false;

  constructor(name: string, eventLog: EventLog, connection?: EventStream) {
    this.name = name;
    this.#eventLog = eventLog;
    this.#connection = connection;
  }

  /** Stores a message and sends it to the current connection. */
  send(message: string, isLast = false): void {
    this.#lastNumber += 1;
    const event = { stream: this.name, number: this.#lastNumber, message, isLast };
    const stored = this.#eventLog.append(event);
    // Drops the result, so that the promises do not retain each other.
    if (stored !== undefined) this.pendingWrites = Promise.all([this.pendingWrites, stored]).then(() => undefined);
    this.#isEnded ||= isLast;
    if (this.#connection?.isClosed === false && !this.#isCatchingUp) this.#send(this.#connection, event);
  }

  /** Ends the stream without a last message. */
  end(): void {
    this.#isEnded = true;
    if (!this.#isCatchingUp) this.#connection?.end();
  }

  /** Sends the stored events after a number to a connection, then all further events. */
  async catchUp(connection: EventStream, after: number): Promise<void> {
    this.#connection = connection;
    this.#isCatchingUp = true;
    let from = after;
    for (;;) {
      const last = this.#lastNumber;
      if (this.pendingWrites !== undefined) await this.pendingWrites;
      const found = this.#eventLog.readAfter(this.name, from);
      const events = found instanceof Promise ? await found : found;
      for (const event of events) {
        if (connection.isBackpressured) await connection.waitForDrain();
        // A newer connection may have taken over.
        if (this.#connection !== connection) return;
        this.#send(connection, event);
      }
      if (this.#connection !== connection) return;
      from = Math.max(from, last, events.at(-1)?.number ?? 0);
      if (from >= this.#lastNumber) break;
    }
    this.#isCatchingUp = false;
    if (this.#isEnded) connection.end();
  }

  /** Forgets a connection that has ended. Returns whether it was the current one. */
  removeConnection(connection: EventStream): boolean {
    if (this.#connection !== connection) return false;
    this.#connection = undefined;
    return true;
  }

  /** Ends the current connection; the client may reconnect for further events. */
  disconnect(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.end();
  }

  #send(connection: EventStream, { number, message, isLast }: StreamEvent): void {
    connection.write(formatEvent(message, `${this.name}-${number}`));
    if (isLast) connection.end();
    this.lastSent = Math.max(this.lastSent, number);
  }
}

/** A session of Streamable HTTP: its id, its owner and its streams. */
export class HttpSession {
  readonly id: string;
  readonly principal: string | undefined;
  /** The client that it counts against: its principal, or its address. */
  readonly owner: string;
  readonly session: TransportSession;
  readonly #manager: SessionManager;
  /** Distinguishes the streams of this process from those of other processes that serve the same session. */
  readonly #streamPrefix: string;
  readonly #standaloneStream: SessionStream;
  /** The connections to the standalone stream, newest last. Each message goes to the newest one only. */
  #listeners: EventStream[] = [];
  /** The streams of running calls. Created on first use, because a server may hold many idle sessions. */
  #streams: Map<string, SessionStream> | undefined;
  #lastStreamNumber = 0;

  constructor(
    manager: SessionManager,
    {
      id,
      principal,
      negotiated,
      address,
    }: Pick<SessionRecord, "id" | "principal"> & Partial<SessionRecord> & { readonly address?: string | undefined },
    streamPrefix = "",
  ) {
    this.id = id;
    this.principal = principal;
    this.owner = principal === undefined ? `address ${address}` : `principal ${principal}`;
    this.#manager = manager;
    this.#streamPrefix = streamPrefix;
    this.#standaloneStream = new SessionStream(`${streamPrefix}${STANDALONE_STREAM}`, this);
    this.session = manager.server.openSession((message) => this.push(message), {
      disconnect: () => manager.expire(this),
      negotiated,
    });
    this.session.isReachable = false;
    this.touch();
  }

  /** Marks the session as active now. */
  touch(): void {
    this.session.lastSeenAt = monotonicNow();
  }

  /** Whether a client is listening or a request is running. */
  get isBusy(): boolean {
    return this.#listeners.length > 0 || this.session.isBusy;
  }

  /** Sends a message on the standalone stream, now or when the client connects to it. */
  push(message: string): void {
    this.#standaloneStream.send(message);
  }

  openStream(connection: EventStream): SessionStream {
    this.#lastStreamNumber += 1;
    const stream = new SessionStream(`${this.#streamPrefix}${this.#lastStreamNumber}`, this, connection);
    (this.#streams ??= new Map()).set(stream.name, stream);
    this.#sendPrimingEvent(connection, stream.name, 0);
    return stream;
  }

  /** Removes the stream of a finished call once its events are stored. */
  removeStream({ name, pendingWrites }: SessionStream): void {
    if (pendingWrites === undefined) this.#streams?.delete(name);
    else void pendingWrites.then(() => this.#streams?.delete(name));
  }

  /** Connects to the standalone stream, by default starting with the first event that was not sent yet. */
  async addListener(connection: EventStream, after = this.#standaloneStream.lastSent): Promise<void> {
    if (connection.isClosed) return;
    // The session may have ended while stored events were read.
    if (this.session.isClosed) return connection.end();
    this.#listeners = [...this.#listeners, connection];
    this.session.isReachable = true;
    this.#sendPrimingEvent(connection, this.#standaloneStream.name, after);
    await this.#standaloneStream.catchUp(connection, after);
  }

  /** Removes a connection from the standalone stream; the next older connection takes over. */
  removeListener(connection: EventStream): void {
    this.#listeners = this.#listeners.filter((other) => other !== connection);
    this.session.isReachable = this.#listeners.length > 0;
    this.touch();
    const fallback = this.#listeners.at(-1);
    if (!this.#standaloneStream.removeConnection(connection) || fallback === undefined) return;
    this.#standaloneStream.catchUp(fallback, this.#standaloneStream.lastSent).catch((error: unknown) => {
      this.#manager.server.log({ level: "error", message: "stored events could not be read", error });
      // It would never get an event.
      fallback.end();
    });
  }

  /** Whether a stream can be resumed after an event. */
  async canResume(name: string, after: number): Promise<boolean> {
    if (name.endsWith(STANDALONE_STREAM) || this.#streams?.has(name)) return true;
    return (await this.readAfter(name, after)).length > 0;
  }

  /** Sends the events of a stream after an event, and all further ones. */
  async resume(connection: EventStream, name: string, after: number): Promise<void> {
    if (name === this.#standaloneStream.name) return this.addListener(connection, after);
    // The standalone stream of another process continues with the one of this process.
    const isStandalone = name.endsWith(STANDALONE_STREAM);
    const live = this.#streams?.get(name);
    // The old connection may not have noticed yet that the client is gone.
    live?.disconnect();
    if (!isStandalone) this.#sendPrimingEvent(connection, name, after);
    await (live ?? new SessionStream(name, this)).catchUp(connection, after);
    if (isStandalone) await this.addListener(connection);
    else if (live === undefined) connection.end();
  }

  readAfter(stream: string, after: number): readonly StreamEvent[] | Promise<readonly StreamEvent[]> {
    return this.#manager.store.eventsAfter(this.id, stream, after);
  }

  /** Stores an event. Returns a promise if it can only be read later; the promise never rejects. */
  append(event: StreamEvent): Promise<void> | undefined {
    const logFailure = (error: unknown): void =>
      this.#manager.server.log({ level: "error", message: "an event could not be stored", error });
    try {
      const stored = this.#manager.store.append(this.id, event);
      return stored === undefined ? undefined : Promise.resolve(stored).catch(logFailure);
    } catch (error) {
      logFailure(error);
      return undefined;
    }
  }

  /** Aborts all requests and ends all connections. */
  close(): void {
    this.session.close();
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const connection of listeners) connection.end();
    for (const stream of this.#streams?.values() ?? []) stream.end();
    this.#streams?.clear();
  }

  /** Sends an event without a message, so that the client can resume before the first message. */
  #sendPrimingEvent(connection: EventStream, stream: string, number: number): void {
    if (this.session.revision?.polling) connection.write(`id: ${stream}-${number}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }
}
