import { fillLimits } from "../../server/limits.js";

const MIB = 1024 * 1024;

/** Every bound of HTTP in one place; the option `limits` of `serveHttp` changes them. */
export interface HttpLimits {
  /** Connections at once; further ones are closed. */
  readonly connections: number;
  /** Sessions at once; the one that was idle longest makes room, or a new one is refused. */
  readonly sessions: number;
  /** Event streams at once; a further one is refused. */
  readonly streams: number;
  /** How long a session may be idle, without a stream and without a request. */
  readonly sessionIdleMs: number;
  /** How long the headers of a request, or the handshake of TLS, may take. */
  readonly headersMs: number;
  /** How long a client may take to send a whole request. */
  readonly requestMs: number;
  /** How long a connection may be idle between requests. */
  readonly idleConnectionMs: number;
  /** How long a client may take nothing of a large answer that waits for it. */
  readonly stalledMs: number;
  /** Bytes of all headers of a request. */
  readonly headerBytes: number;
  /** Bytes that wait for a client that reads slowly; one more, and its stream is dropped. */
  readonly streamBytes: number;
  /** Events of a session that are kept for a client that comes back. */
  readonly eventsKept: number;
  /** Bytes of such events of all sessions. */
  readonly eventBytes: number;
  /** How often something is written to an idle stream. */
  readonly keepAliveMs: number;
  /** Clients whose rate is remembered. */
  readonly clients: number;
}

/** What holds where nothing else is said. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = Object.freeze({
  connections: 4096,
  sessions: 10_000,
  streams: 4096,
  sessionIdleMs: 30 * 60_000,
  headersMs: 10_000,
  requestMs: 30_000,
  idleConnectionMs: 65_000,
  stalledMs: 30_000,
  headerBytes: 16 * 1024,
  streamBytes: 4 * MIB,
  eventsKept: 256,
  eventBytes: 64 * MIB,
  keepAliveMs: 15_000,
  clients: 10_000,
});

/** The limits with the given ones put in place. Throws `TypeError` for an unknown name or a value that is no positive number. */
export const createHttpLimits = (given: Partial<HttpLimits> = {}): HttpLimits =>
  fillLimits("serve over HTTP", DEFAULT_HTTP_LIMITS, given);
