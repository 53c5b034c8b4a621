import type { Json, JsonObject } from "../jsonrpc/json.js";

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** A revision as the two ends speak it. */
export interface SpokenRevision {
  readonly version: string;
  /** Opens with `initialize` and keeps a session; otherwise each request stands alone. */
  readonly handshake: boolean;
}

/** Where a channel brings what it hears. */
export interface Ear {
  hear(message: Json): void;
  /** Whether the answer to a request is still to come. */
  isWaiting(id: number): boolean;
  /** The answer to a request will not come; for one that has come it means nothing. */
  fail(id: number, error: Error): void;
  /** Nothing more will be heard. */
  broke(error: Error): void;
}

/** A way to a server, whatever it is made of. */
export interface Channel {
  /** Whether parts of a request are repeated in headers. */
  readonly hasHeaders?: boolean;
  /** Hands a message over. What becomes of a request the ear hears; for all else a promise says whether the server took it. */
  send(message: JsonObject, headers?: Headers): Promise<void> | void;
  /** Both ends have agreed on a revision. */
  agree?(revision: SpokenRevision): void;
  /** The handshake is done: what the server says by itself is wanted from now on. */
  listen?(): void;
  /** Hears no more of a request. True = that alone cancels it. */
  hangUp?(id: number): boolean;
  close(): Promise<void>;
}

/** Opens a way to a server, unless it is aborted first. Throws `ConnectionFailed`. */
export type OpenChannel = (ear: Ear, giveUp: AbortSignal) => Promise<Channel>;
