import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { limitExceeded, type RpcError, withId } from "../../jsonrpc/errors.js";
import { parseJson, parseMessage } from "../../jsonrpc/messages.js";
import type { TransportConnection, TransportSession } from "../../server/connection.js";
import { parseToolFilterHeaders, type RequestToolFilter } from "../../server/features/request-headers.js";
import { maxReceivedBytes } from "../../server/limits/limits.js";
import { budgetHolder, type SharedBudget } from "../../server/limits/shared-budget.js";
import type { LogEntry } from "../../server/logging/log.js";
import { decodeUtf8 } from "../../server/runtime.js";
import type { Server } from "../../server/server.js";
import type { AuthInfo } from "../http/auth/authenticator.js";
import type { HttpHeaders } from "../http/http-message.js";
import { FrameReader, FrameWriter } from "./frames.js";

/** WebSocket close codes. */
const CLOSE_CODES = { goingAway: 1001, unsupportedData: 1003, invalidPayload: 1007, policyViolation: 1008 };
/** The bytes of a control frame before its data. */
const CONTROL_HEADER_BYTES = 6;
/** Missed pings after which a client is disconnected: when idle, and while it still has data to read. */
const MAX_MISSED_PINGS = { idle: 1, sending: 4 };

/** An upgraded connection: messages go over the socket directly, all other frames through `ws`. */
export interface UpgradedSocket {
  readonly ws: WebSocket;
  readonly socket: Socket;
  /** What `ws` uses as its socket; see `createWsStream`. */
  readonly wsStream: Duplex;
  /** The headers of the upgrade request. */
  readonly headers: HttpHeaders;
  /** The address of the client. */
  readonly address: string | undefined;
}

/** Limits for the messages of a client. */
export interface MessageLimits {
  /** Bytes that may be buffered for the client. */
  readonly maxBufferedBytes: number;
  /** Takes a token of the rate limit for a message. Returns the milliseconds to wait, or 0. */
  readonly takeToken: (text: string) => number;
  /** Consecutive messages over the rate limit after which the client is disconnected. */
  readonly maxOverRate: number;
  /** Bytes of large messages that are being received from all clients. */
  readonly bodies: SharedBudget;
}

/** The connection to one WebSocket client, with a session that lasts as long. */
export class WebSocketConnection implements TransportConnection {
  readonly session: TransportSession;
  readonly principal: string | undefined;
  readonly address: string | undefined;
  scopes: ReadonlySet<string> | undefined;
  readonly headers: HttpHeaders;
  readonly toolFilter: RequestToolFilter | undefined;
  readonly #server: Server;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #writer: FrameWriter;
  readonly #limits: MessageLimits;
  /** Messages that wait until the client has read its responses. */
  readonly #pendingMessages: string[] = [];
  #pendingCount = 0;
  #overRateCount = 0;
  /** Bytes that `ws` has of a message that is incomplete. */
  #incompleteBytes = 0;
  #missedPings = 0;
  /** The bytes that the system had taken at the last ping, if more were buffered. */
  #sentBytes = Number.POSITIVE_INFINITY;
  #onIdle: (() => void) | undefined;

  constructor(
    server: Server,
    upgraded: UpgradedSocket,
    verified: AuthInfo,
    limits: MessageLimits,
    onClose: () => void,
  ) {
    const { ws, socket, wsStream, headers, address } = upgraded;
    this.headers = headers;
    this.toolFilter = parseToolFilterHeaders({ header: (name) => headers[name] });
    this.#server = server;
    this.#ws = ws;
    this.#socket = socket;
    this.#writer = new FrameWriter(socket);
    this.#limits = limits;
    this.principal = verified.principal;
    this.address = address;
    this.scopes = verified.scopes;
    this.session = server.openSession((message) => this.send(message), { disconnect: () => ws.terminate() });
    ws.on("message", this.#onFrame);
    ws.on("ping", this.#onPing);
    ws.on("pong", this.#onPing);
    // A protocol violation; `ws` closes with the matching code.
    ws.on("error", () => undefined);
    ws.on("close", () => {
      this.#release(this.#incompleteBytes);
      this.session.close();
      this.#onIdle?.();
      onClose();
    });
    const reader = new FrameReader(maxReceivedBytes(server.limits), {
      onMessage: this.#onMessage,
      onOtherBytes: (bytes) => void (wsStream.destroyed || !this.#keep(bytes) || wsStream.push(bytes)),
    });
    socket.on("data", (chunk: Buffer) => reader.push(chunk));
    socket.on("drain", this.#resume);
  }

  get transport(): string {
    return "websocket";
  }

  send(message: string): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    // Checked once per turn of the event loop: within one, the client cannot have read anything.
    if (this.#writer.isFirstWriteOfTurn && this.#socket.writableLength > this.#limits.maxBufferedBytes)
      this.#drop("warning", "reads too slowly");
    else this.#writer.write(message);
  }

  respond(message: string | undefined): void {
    if (message !== undefined) this.send(message);
    this.#pendingCount -= 1;
    if (this.#pendingCount === 0) this.#onIdle?.();
  }

  /** Pings the client, and disconnects it if it has missed too many pings. */
  checkAlive(): void {
    const { bytesWritten, writableLength } = this.#socket;
    const sentBytes = bytesWritten - writableLength;
    this.#missedPings = sentBytes > this.#sentBytes ? 0 : this.#missedPings + 1;
    // Without more in the buffer it is no sign of life: the system takes the last bytes even if the client is gone.
    this.#sentBytes = writableLength > 0 ? sentBytes : Number.POSITIVE_INFINITY;
    const maxMissed = writableLength > 0 ? MAX_MISSED_PINGS.sending : MAX_MISSED_PINGS.idle;
    if (this.#missedPings > maxMissed) this.#drop("notice", "does not respond");
    else this.#ws.ping();
  }

  /** Ends subscriptions, and resolves when every request is answered. */
  async drain(): Promise<void> {
    this.session.end();
    if (this.#pendingCount === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Stops everything, and closes the connection because the server shuts down. */
  shutdown(): void {
    this.session.close();
    this.#close(CLOSE_CODES.goingAway, "the server is shutting down");
  }

  /** Closes the connection of a client that is no longer allowed. */
  closeForPolicyViolation(reason: string): void {
    this.#close(CLOSE_CODES.policyViolation, reason);
  }

  /** Closes the connection without a handshake. */
  terminate(): void {
    this.#ws.terminate();
  }

  readonly #onFrame = (frame: RawData, isBinary: boolean): void => {
    this.#release(this.#incompleteBytes);
    if (isBinary) this.#close(CLOSE_CODES.unsupportedData, "binary messages are not supported");
    else this.#onMessage(decodeUtf8(frame as Buffer));
  };

  /** Counts a part of a message that is kept until the message is complete. Returns false if clients send too much at once. */
  #keep(bytes: Buffer): boolean {
    if (this.#ws.readyState !== this.#ws.OPEN) return true;
    if (!this.#limits.bodies.tryAdd(budgetHolder(this), bytes.length)) {
      this.#drop("warning", "sends a large message while too many others are being received");
      return false;
    }
    this.#incompleteBytes += bytes.length;
    return true;
  }

  #release(bytes: number): void {
    const kept = Math.min(bytes, this.#incompleteBytes);
    this.#incompleteBytes -= kept;
    if (kept > 0) this.#limits.bodies.remove(budgetHolder(this), kept);
  }

  readonly #onMessage = (text: string | undefined): void => {
    this.#missedPings = 0;
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    if (text === undefined) return this.#close(CLOSE_CODES.invalidPayload, "the message is not UTF-8");
    if (this.#pendingMessages.length > 0 || this.#writer.isBackpressured) this.#pendingMessages.push(text);
    else this.#handleMessage(text);
    if (this.#writer.isBackpressured) this.#socket.pause();
  };

  #handleMessage(text: string): void {
    const waitMs = this.#limits.takeToken(text);
    this.#overRateCount = waitMs > 0 ? this.#overRateCount + 1 : 0;
    if (this.#overRateCount > this.#limits.maxOverRate) return this.closeForPolicyViolation("too many messages");
    const rejection = waitMs > 0 ? rateLimitError(text, waitMs) : undefined;
    this.#pendingCount += 1;
    if (rejection === undefined) this.#server.receive(text, this);
    else this.#server.rejectMessage(rejection, this);
  }

  readonly #resume = (): void => {
    while (this.#pendingMessages.length > 0 && !this.#writer.isBackpressured)
      this.#handleMessage(this.#pendingMessages.shift() as string);
    if (!this.#writer.isBackpressured) this.#socket.resume();
  };

  /** `ws` answers each ping, so a client that does not read must not send more of them. */
  readonly #onPing = (data: Buffer): void => {
    this.#release(CONTROL_HEADER_BYTES + data.length);
    this.#missedPings = 0;
    if (this.#writer.isBackpressured) this.#socket.pause();
  };

  #close(code: number, reason: string): void {
    this.#pendingMessages.length = 0;
    this.#writer.flush();
    // The close frame of the client has to be read.
    this.#socket.resume();
    this.#ws.close(code, reason);
  }

  #drop(level: LogEntry["level"], reason: string): void {
    this.#server.log({ level, message: `connection dropped: the client ${reason}` });
    this.#ws.terminate();
  }
}

/** The stream that `ws` uses as its socket. It reads what is pushed into it, and writes to the socket between messages. */
export function createWsStream(socket: Socket): Duplex {
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      socket.write(chunk);
      done();
    },
    // A frame is two chunks that must stay together.
    writev: (chunks, done) => {
      socket.cork();
      for (const { chunk } of chunks) socket.write(chunk as Buffer);
      socket.uncork();
      done();
    },
    final: (done) => void socket.end(() => done()),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on("end", () => stream.push(null));
  socket.on("close", () => stream.destroy());
  return stream;
}

/** The error for a message over the rate limit; undefined for notifications and responses, which get no reply. */
function rateLimitError(text: string, retryAfterMs: number): RpcError | undefined {
  const error = limitExceeded("rate", `too many messages; try again in ${retryAfterMs} ms`, { retryAfterMs });
  try {
    const value = parseJson(text);
    if (Array.isArray(value)) return error;
    const { id, method } = parseMessage(value, text);
    return method === undefined || id === undefined ? undefined : withId(error, id);
  } catch {
    // An invalid message gets this error too.
    return error;
  }
}
