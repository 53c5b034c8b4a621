import type { RpcError } from "../jsonrpc/errors.js";
import type { Agreed, SpokenRevision } from "./agreed.js";
import type { Claims } from "./claims.js";
import type { Narrowing } from "./lists/narrowing.js";
import type { Session } from "./session.js";

/** A conversation as a transport holds it; `server.openSession` opens it. */
export interface OpenSession {
  /** What the handshake agreed on; undefined before it, and for ever with stateless clients. */
  readonly revision: SpokenRevision | undefined;
  /** What to keep of the handshake, where there was one. */
  readonly agreed: Agreed | undefined;
  /** Whether the client hears at the moment what belongs to no request; transports whose streams come and go say it. */
  isHeard: boolean;
  /** When the client was last seen, by the clock that nobody can set; said by the same transports. */
  usedAt: number;
  /** Whether something of it is still being served. */
  readonly isBusy: boolean;
  /** Whether it has ended: nothing more is served in it. */
  readonly isClosed: boolean;
  /** The messages that wait for `initialize` to be answered. */
  readonly waiting: readonly string[];
  /** The client says nothing more: questions are given up and subscriptions end, while calls may still finish. */
  end(reason?: string): void;
  /** Answers whatever is still being served with an error, at once: the process is about to end. */
  cutOff(error: RpcError): void;
  /** The client hears nothing more: everything stops. */
  close(): void;
}

/** Why a request was refused, for transports that show it outside the message too. */
export interface Refusal {
  /** The HTTP status that says the same. */
  readonly status: number;
  /** The error that the message carries; undefined = it carries a failed result. */
  readonly error?: RpcError;
  /** When it may be tried again. */
  readonly retryAfterMs?: number;
}

/** The far end as a transport sees it: a whole connection, or one HTTP request. */
export interface TransportLink {
  readonly session: OpenSession;
  /** The kind of connection, such as `stdio`, for those who report it. */
  readonly transport?: string | undefined;
  /** The id of the session, where the transport has one, for those who report it too. */
  readonly sessionId?: string | undefined;
  /** Who is at the other end, as the transport has verified it; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** What whoever is at the other end may do; undefined = nothing is limited. */
  readonly scopes?: ReadonlySet<string> | undefined;
  /** The headers of the HTTP request that the message came with, or the connection began with, for authors. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What its headers leave of the tools; undefined = all that the server offers. */
  readonly narrowing?: Narrowing | undefined;
  /** What the headers of an HTTP request say of its body; the engine compares them. */
  readonly claims?: Claims | undefined;
  /** The client does not read what it was sent: what can be done without should not be sent now. */
  readonly isFull?: boolean;
  /** Sends a message that is no answer: progress, a log line, a question. */
  send(message: string): void;
  /** Hears, maybe more than once, that the answer takes longer than the turn of the event loop. */
  lasts?(): void;
  /**
   * Sends the one answer to what was received, or says that there will be none; called once for each `receive`. `bytes`: how
   * many it has, if known.
   */
  answer(message: string | undefined, refusal?: Refusal, bytes?: number): void;
}

/** A transport's link as the engine uses it: with all that a session remembers. */
export interface Link extends TransportLink {
  readonly session: Session;
}
