import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { OpenSession, TransportLink } from "../../server/link.js";
import { type Narrowing, readNarrowing } from "../../server/lists/narrowing.js";
import type { LogEntry } from "../../server/log.js";
import type { Server } from "../../server/server.js";
import type { Verified } from "../http/gate.js";
import type { HttpHeaders } from "../http/host.js";
import { decode } from "../utf8.js";
import { FrameReader } from "./frame-reader.js";
import { FrameWriter } from "./frame-writer.js";
import { refusalOverRate } from "./over-rate.js";

/** Why a connection is closed, as the protocol numbers it. */
const CODES = { leaving: 1001, notText: 1003, notUtf8: 1007, notAllowed: 1008 };
/** Pings in a row after which a client is given up that says nothing: at once, or while it still has much to take. */
const PATIENCE = { idle: 1, taking: 4 };

/** The ways to a client: one for messages, and beside it what `ws` does. */
export interface Wires {
  readonly ws: WebSocket;
  readonly socket: Socket;
  readonly beside: Duplex;
  /** Those of the request that it began with. */
  readonly headers: HttpHeaders;
}

/** What holds for every message of a client. */
export interface Terms {
  /** Bytes that may wait for it. */
  readonly mostBytes: number;
  /** Takes one from its rate: the milliseconds to wait, 0 = none. */
  readonly takeRate: () => number;
  /** Messages in a row over the rate after which it is sent away. */
  readonly mostOver: number;
}

/** One client at a WebSocket: a message a frame, and a session that lasts as long as the connection. */
export class Connection implements TransportLink {
  readonly session: OpenSession;
  readonly principal: string | undefined;
  scopes: ReadonlySet<string> | undefined;
  readonly headers: HttpHeaders;
  readonly narrowing: Narrowing | undefined;
  readonly #server: Server;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #writer: FrameWriter;
  readonly #terms: Terms;
  /** Messages that came in one chunk with the one that left no room for more answers. */
  readonly #unread: string[] = [];
  #unanswered = 0;
  #over = 0;
  #silentTicks = 0;
  #onAnswered: (() => void) | undefined;

  /** `beside` is what `ws` takes for the socket; `onGone` hears that it is over. */
  constructor(server: Server, wires: Wires, verified: Verified, terms: Terms, onGone: () => void) {
    const { ws, socket, beside, headers } = wires;
    this.headers = headers;
    this.narrowing = readNarrowing({ header: (name) => headers[name] });
    this.#server = server;
    this.#ws = ws;
    this.#socket = socket;
    this.#writer = new FrameWriter(socket, this.#taken);
    this.#terms = terms;
    this.principal = verified.principal;
    this.scopes = verified.scopes;
    this.session = server.openSession(
      (message) => this.send(message),
      () => ws.terminate(),
    );
    ws.on("message", this.#hear);
    ws.on("ping", this.#sense);
    ws.on("pong", this.#sense);
    // The protocol was broken; a close with its number follows.
    ws.on("error", () => undefined);
    ws.on("close", () => {
      this.session.close();
      this.#onAnswered?.();
      onGone();
    });
    const reader = new FrameReader(server.limits.messageBytes, {
      message: this.#read,
      other: (bytes) => void (beside.destroyed || beside.push(bytes)),
    });
    socket.on("data", (chunk: Buffer) => reader.push(chunk));
    socket.on("drain", this.#goOn);
  }

  get transport(): string {
    return "websocket";
  }

  send(message: string): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    // Once a turn: what is said within one cannot have been taken yet.
    if (this.#writer.isFresh && this.#socket.writableLength > this.#terms.mostBytes)
      this.#drop("warning", "reads too slowly");
    else this.#writer.write(message);
  }

  answer(message: string | undefined): void {
    if (message !== undefined) this.send(message);
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#onAnswered?.();
  }

  /** Looks whether the client is still there. */
  tick(): void {
    this.#silentTicks += 1;
    const patience = this.#socket.writableLength > 0 ? PATIENCE.taking : PATIENCE.idle;
    if (this.#silentTicks > patience) this.#drop("notice", "does not answer");
    else this.#ws.ping();
  }

  /** Ends what lasts, and resolves when what was read is answered. */
  async drain(): Promise<void> {
    this.session.end();
    if (this.#unanswered === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAnswered = resolve;
    });
  }

  /** Everything stops, and the client is told that the server goes. */
  leave(): void {
    this.session.close();
    this.#close(CODES.leaving, "the server is about to stop");
  }

  /** The client may not be here any longer. */
  sendAway(reason: string): void {
    this.#close(CODES.notAllowed, reason);
  }

  /** Breaks the connection off. */
  terminate(): void {
    this.#ws.terminate();
  }

  readonly #hear = (frame: RawData, isBinary: boolean): void => {
    if (isBinary) this.#close(CODES.notText, "messages are text");
    else this.#read(decode(frame as Buffer));
  };

  readonly #read = (text: string | undefined): void => {
    this.#silentTicks = 0;
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    if (text === undefined) return this.#close(CODES.notUtf8, "the message is not UTF-8");
    if (this.#unread.length > 0 || this.#writer.isFull) this.#unread.push(text);
    else this.#serve(text);
    if (this.#writer.isFull) this.#socket.pause();
  };

  #serve(text: string): void {
    const waitMs = this.#terms.takeRate();
    this.#over = waitMs > 0 ? this.#over + 1 : 0;
    if (this.#over > this.#terms.mostOver) return this.sendAway("too many messages");
    const refusal = waitMs > 0 ? refusalOverRate(text, waitMs) : undefined;
    this.#unanswered += 1;
    if (refusal === undefined) this.#server.receive(text, this);
    else this.#server.refuse(refusal, this);
  }

  readonly #goOn = (): void => {
    while (this.#unread.length > 0 && !this.#writer.isFull) this.#serve(this.#unread.shift() as string);
    if (!this.#writer.isFull) this.#socket.resume();
  };

  /** Pings are answered as they come, so those of a client that does not read must not come either. */
  readonly #sense = (): void => {
    this.#silentTicks = 0;
    if (this.#writer.isFull) this.#socket.pause();
  };

  /** Only while more waits: what the system takes alone, nobody may have taken at the other end. */
  readonly #taken = (): void => {
    if (this.#socket.writableLength > 0) this.#silentTicks = 0;
  };

  #close(code: number, reason: string): void {
    this.#unread.length = 0;
    this.#writer.flush();
    // Otherwise nobody would hear the other end agree.
    this.#socket.resume();
    this.#ws.close(code, reason);
  }

  #drop(level: LogEntry["level"], why: string): void {
    this.#server.log({ level, message: `a connection was dropped: its client ${why}` });
    this.#ws.terminate();
  }
}
