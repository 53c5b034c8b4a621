import type { Caller } from "../protocol/caller.js";

/** A revision as transports see it. */
export interface SpokenRevision {
  readonly version: string;
  /** Opens with `initialize` and keeps a session; otherwise each request stands alone. */
  readonly handshake: boolean;
  /** A client can be sent away from a stream and come back for the rest. */
  readonly polling: boolean;
}

/** What a handshake left behind: enough for another process to go on with the conversation. */
export interface Agreed {
  readonly version: string;
  readonly caller: Caller;
}

/** What is known of a conversation before its first message. */
export interface KnownSession {
  /** The handshake was elsewhere, and this is what it left behind. */
  readonly agreed?: Agreed | undefined;
  /** It is over with the answer to one request, so the server only notes it where that lasts. */
  readonly isBrief?: boolean;
  /** There will be no handshake: requests that name no revision are in this one; `true` = in the one that the text has for it. */
  readonly assumed?: string | true | undefined;
}
