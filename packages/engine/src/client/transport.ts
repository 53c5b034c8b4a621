import type { Json, JsonObject } from "../jsonrpc/messages.js";
import type { Revision } from "../revisions/revision.js";
import type { HttpClientOptions, HttpHeaders } from "./http-request.js";

/** Receives what a transport reads. */
export interface Listener {
  onMessage(message: Json): void;
  /** Whether the response to a request is outstanding. */
  isPending(id: number): boolean;
  /** The response to a request will not come. Ignored if the request is not pending. */
  onRequestError(id: number, error: Error): void;
  /** No more messages will come. */
  onClose(error: Error): void;
}

/** Carries messages to and from a server. */
export interface ClientTransport {
  /** Whether parts of a request are mirrored in HTTP headers. */
  readonly mirrorsHeaders?: boolean;
  /**
   * Sends a message. Errors of a request go to the listener; for other messages the promise settles when the server has
   * accepted or rejected them.
   */
  send(message: JsonObject, headers?: HttpHeaders): Promise<void> | void;
  /** Called once the revision is negotiated. */
  setRevision?(revision: Revision): void;
  /** Stops listening for the response to a request. Returns true if that alone cancels it. */
  abortRequest?(id: number): boolean;
  close(): Promise<void>;
}

/** What every transport needs to open. */
export interface TransportContext {
  readonly listener: Listener;
  /** Aborts the opening. */
  readonly signal: AbortSignal;
  /** The largest message that is read. */
  readonly maxBytes: number;
  readonly http: HttpClientOptions;
}
