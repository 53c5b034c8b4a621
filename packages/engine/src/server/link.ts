import type { Session } from "./session.js";

/** A conversation as a transport holds it; `server.openSession` opens it. */
export interface OpenSession {
  /** The client says nothing more: questions are given up and subscriptions end, while calls may still finish. */
  end(): void;
  /** The client hears nothing more: everything stops. */
  close(): void;
}

/** The far end as a transport sees it: a whole connection, or one HTTP request. */
export interface TransportLink {
  readonly session: OpenSession;
  /** Who is at the other end, as the transport has verified it; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** Sends a message that is no answer: progress, a log line, a question. */
  send(message: string): void;
  /** Sends the one answer to what was received, or says that there will be none. Called exactly once for each `receive`. */
  answer(message: string | undefined): void;
}

/** A transport's link as the engine uses it: with all that a session remembers. */
export interface Link extends TransportLink {
  readonly session: Session;
}
