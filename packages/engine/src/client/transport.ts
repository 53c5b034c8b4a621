import type { JsonObject } from "../jsonrpc/messages.js";
import type { Revision } from "../revisions/revision.js";
import type { ClientConnection } from "./connection.js";
import type { HttpClientOptions, HttpHeaders } from "./http-request.js";

/** Carries messages to and from a server. */
export interface ClientTransport {
  /** Whether parts of a request are mirrored in HTTP headers. */
  readonly mirrorsHeaders?: boolean;
  /**
   * Sends a message. Errors of a request go to the connection; for other messages the promise settles when the server has
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
  /** Receives what the transport reads. */
  readonly connection: ClientConnection;
  /** Aborts the opening. */
  readonly signal: AbortSignal;
  /** The largest message that is read. */
  readonly maxBytes: number;
  readonly http: HttpClientOptions;
}
