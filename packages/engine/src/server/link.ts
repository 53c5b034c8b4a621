import type { Session } from "./session.js";

/** The far end as a transport sees it: a whole connection, or one HTTP request. */
export interface Link {
  readonly session: Session;
  /** Who is at the other end, as the transport has verified it; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** Sends a message that is no answer: progress, a log line, a question. */
  send(message: string): void;
  /** Sends the one answer to what was received, or says that there will be none. Called exactly once for each `receive`. */
  answer(message: string | undefined): void;
}
