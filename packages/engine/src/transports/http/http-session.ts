import { currentTime } from "../../server/clock.js";
import type { OpenSession } from "../../server/link.js";
import type { Server } from "../../server/server.js";
import type { EventStream } from "./event-streams.js";
import type { SessionRecord, SessionStore, StreamEvent } from "./session-store.js";
import { type EventKeeper, prime, SessionStream, tell } from "./session-stream.js";

/** What a session is opened with: new, or with what the store has kept of it. */
type Opening = Omit<SessionRecord, "agreed"> & Partial<Pick<SessionRecord, "agreed">>;

/** How the stream for what belongs to no request ends its name. */
const OWN = "s";

/** A session as HTTP has it: an id, whom it belongs to, and its streams. */
export class HttpSession implements EventKeeper {
  readonly id: string;
  readonly principal: string | undefined;
  readonly session: OpenSession;
  readonly #server: Server;
  readonly #store: SessionStore;
  /** Tells the streams of this process from those of others that serve the same session. */
  readonly #mark: string;
  readonly #own: SessionStream;
  /** The connections to the session's own stream, newest last: a client may have several, and each message goes to one. */
  #listening: EventStream[] = [];
  /** The streams of calls that go on. */
  #streams: Map<string, SessionStream> | undefined;
  #lastStream = 0;

  /** `hangUp` hears that the client does not answer any more. */
  constructor(
    server: Server,
    { id, principal, agreed }: Opening,
    store: SessionStore,
    mark: string,
    hangUp: (session: HttpSession) => void,
  ) {
    this.id = id;
    this.principal = principal;
    this.#server = server;
    this.#store = store;
    this.#mark = mark;
    this.#own = this.#createStream(OWN);
    this.session = server.openSession(
      (message) => this.push(message),
      () => hangUp(this),
      agreed && { agreed },
    );
    this.session.isHeard = false;
    this.touch();
  }

  /** Something was heard of the client, or told to it. */
  touch(): void {
    this.session.usedAt = currentTime();
  }

  /** When that was. */
  get usedAt(): number {
    return this.session.usedAt;
  }

  /** Whether somebody listens, or something is being served. */
  get isBusy(): boolean {
    return this.#listening.length > 0 || this.session.isBusy;
  }

  /** Tells the client what belongs to no request: now, or when it listens. */
  push(message: string): void {
    this.#own.send(message);
  }

  /** A stream for a call, which goes to this connection for now. */
  openStream(connection: EventStream): SessionStream {
    this.#lastStream += 1;
    const stream = this.#createStream(`${this.#lastStream}`);
    this.#streams ??= new Map();
    this.#streams.set(stream.name, stream);
    this.#prime(connection, stream.name, 0);
    stream.connect(connection);
    return stream;
  }

  /** The stream is over; from then on its events are found where they are kept. */
  forgetStream({ name, keeping }: SessionStream): void {
    if (keeping === undefined) this.#streams?.delete(name);
    else void keeping.then(() => this.#streams?.delete(name));
  }

  /** The session's own stream goes to this connection from now on, with what nobody has heard yet. */
  listen(connection: EventStream): Promise<void> {
    return this.#listenAfter(connection, this.#own.told);
  }

  /** A connection to the session's own stream has ended; an older one takes its place. */
  leave(connection: EventStream): void {
    this.#listening = this.#listening.filter((other) => other !== connection);
    this.session.isHeard = this.#listening.length > 0;
    this.touch();
    const rest = this.#listening.at(-1);
    if (!this.#own.leave(connection) || rest === undefined) return;
    this.#own.catchUp(rest, this.#own.told).catch((error: unknown) => {
      this.#server.log({ level: "error", message: "events could not be read", error });
      // Nothing would ever come here, and the client should know.
      rest.end();
      this.leave(rest);
    });
  }

  /** How to go on with a stream after an event; undefined = nothing of it is left. */
  async resume(stream: string, after: number): Promise<((connection: EventStream) => Promise<void>) | undefined> {
    if (stream === this.#own.name) return (connection) => this.#listenAfter(connection, after);
    const live = this.#streams?.get(stream);
    if (live !== undefined) {
      return (connection) => {
        // Where the client was before, it is no more, even if its connection does not know yet.
        live.sendAway();
        this.#prime(connection, stream, after);
        return live.catchUp(connection, after);
      };
    }
    const events = await this.read(stream, after);
    const isOwn = stream.endsWith(OWN);
    if (events.length === 0 && !isOwn) return undefined;
    return async (connection) => {
      if (!isOwn) this.#prime(connection, stream, after);
      for (const event of events) {
        if (connection.isBehind) await connection.room();
        tell(connection, event);
      }
      if (isOwn) await this.listen(connection);
      else connection.end();
    };
  }

  read(stream: string, after: number): ReturnType<EventKeeper["read"]> {
    return this.#store.eventsAfter(this.id, stream, after);
  }

  keep(event: StreamEvent): Promise<void> | undefined {
    const failed = (error: unknown) =>
      this.#server.log({ level: "error", message: "an event could not be kept", error });
    try {
      const kept = this.#store.append(this.id, event);
      return kept === undefined ? undefined : Promise.resolve(kept).catch(failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  /** Everything of it stops, and its connections end. */
  close(): void {
    this.session.close();
    for (const connection of this.#listening) connection.end();
    for (const stream of this.#streams?.values() ?? []) stream.end();
    this.#listening = [];
    this.#streams = undefined;
  }

  async #listenAfter(connection: EventStream, after: number): Promise<void> {
    if (connection.isOver) return;
    this.#listening = [...this.#listening, connection];
    this.session.isHeard = true;
    this.#prime(connection, this.#own.name, after);
    await this.#own.catchUp(connection, after);
  }

  #createStream(name: string): SessionStream {
    return new SessionStream(`${this.#mark}${name}`, this);
  }

  #prime(connection: EventStream, stream: string, number: number): void {
    if (this.session.revision?.polling) prime(connection, stream, number);
  }
}
