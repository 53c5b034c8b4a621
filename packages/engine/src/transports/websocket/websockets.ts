import { type IncomingMessage, type Server as NodeServer, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ServerOptions, WebSocketServer } from "ws";
import type { Server } from "../../server/server.js";
import { clientOf } from "../http/client-rate.js";
import { admitAgain, type Gate, type Verified } from "../http/gate.js";
import type { HttpRequest } from "../http/host.js";
import { NodeExchange } from "../http/node-exchange.js";
import type { EndpointSettings } from "../http/options.js";
import type { Proxies } from "../http/proxies.js";
import { type Refuse, turnAway } from "../http/turn-away.js";
import { createBeside } from "./beside-socket.js";
import { Connection, type Wires } from "./connection.js";
import { type Door, knock, PROTOCOL } from "./door.js";
import { passOverUpgrade } from "./pass-over-upgrade.js";

const NO_BYTES = Buffer.alloc(0);
/** How long a client may take to agree that the connection is closed. */
const CLOSE_MS = 2000;
/** The library counts in 32 bits. */
const MOST_PAYLOAD = 2 ** 31 - 1;

/** A socket with the answer that Node is writing to it. */
type Answering = Socket & { readonly _httpMessage?: ServerResponse | null };

/** All clients that speak WebSocket at one endpoint. */
export class WebSockets {
  readonly #server: Server;
  readonly #settings: EndpointSettings;
  readonly #door: Door;
  readonly #proxies: Proxies | undefined;
  readonly #upgrades: WebSocketServer;
  /** Each connection, with the request that it began with where a gate has to see it again. */
  readonly #open = new Map<Connection, HttpRequest | undefined>();
  #ticking: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(server: Server, settings: EndpointSettings, door: Door, proxies: Proxies | undefined) {
    this.#server = server;
    this.#settings = settings;
    this.#door = door;
    this.#proxies = proxies;
    const options: ServerOptions & { readonly closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: Math.min(server.limits.messageBytes, MOST_PAYLOAD),
      // Each message is checked when it is decoded.
      skipUTF8Validation: true,
      closeTimeout: CLOSE_MS,
      handleProtocols: () => PROTOCOL,
    };
    this.#upgrades = new WebSocketServer(options);
  }

  /** Answers what asks for a WebSocket at a server of Node's. */
  attach(node: NodeServer): void {
    node.on("upgrade", (request, socket: Answering, head) => {
      const { _httpMessage: earlier } = socket;
      if (earlier) waitFor(earlier, socket, () => node.emit("upgrade", request, socket, head));
      else if (/^websocket$/i.test(request.headers.upgrade ?? "")) this.#upgrade(request, socket, head);
      else passOverUpgrade(node, request, socket, head);
    });
  }

  /** Whether a request comes to the place where MCP is spoken. */
  isAt({ path, method }: HttpRequest): boolean {
    return path === this.#settings.path && method !== "OPTIONS";
  }

  /** Answers a request that asks for no WebSocket, where nothing else is spoken. */
  explain(exchange: NodeExchange): void {
    const no = turnAway(exchange);
    const hint = { upgrade: "websocket", connection: "upgrade, close" };
    knock(this.#door, exchange, no, () => no(426, "only WebSocket is spoken here", hint));
  }

  /** Lets nobody new in, ends what lasts, and waits for what is being served. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#open.keys()].map((connection) => connection.drain()));
  }

  /** Tells every client that the server goes. */
  leave(): void {
    this.#isClosing = true;
    clearInterval(this.#ticking);
    for (const connection of this.#open.keys()) connection.leave();
  }

  /** Breaks off the connections that are left. */
  terminate(): void {
    for (const connection of this.#open.keys()) connection.terminate();
  }

  /** Opens a WebSocket, or says why not. */
  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const response = new ServerResponse(request);
    const { stalledMs } = this.#settings.limits;
    const exchange = new NodeExchange(request, response, { proxies: this.#proxies, stalledMs, isExpecting: false });
    const no: Refuse = (...refusal) => {
      response.shouldKeepAlive = false;
      response.on("finish", () => socket.destroySoon());
      response.assignSocket(socket);
      turnAway(exchange)(...refusal);
    };
    knock(this.#door, exchange, no, (verified) => {
      if (this.#isClosing || this.#server.isDraining)
        return no(503, "the server is about to stop", { "retry-after": "5" });
      const beside = createBeside(socket);
      this.#upgrades.handleUpgrade(request, beside, NO_BYTES, (ws) => {
        socket.setTimeout(0);
        if (head.length > 0) socket.unshift(head);
        this.#welcome({ ws, socket, beside, headers: exchange.headers }, exchange, verified);
      });
    });
  }

  #welcome(wires: Wires, request: HttpRequest, verified: Verified): void {
    const { limits, rate: settings } = this.#settings;
    const { gate, rate } = this.#door;
    const client = clientOf(request, verified);
    const terms = {
      mostBytes: limits.streamBytes + this.#server.limits.messageBytes,
      takeRate: () => rate?.take(client) ?? 0,
      mostOver: settings?.burst ?? 0,
    };
    const connection = new Connection(this.#server, wires, verified, terms, () => this.#open.delete(connection));
    this.#open.set(connection, gate && request);
    this.#ticking ??= setInterval(() => this.#tick(), limits.keepAliveMs).unref();
  }

  #tick(): void {
    for (const [connection, request] of this.#open) {
      connection.tick();
      if (request !== undefined) void this.#askAgain(connection, request);
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  async #askAgain(connection: Connection, request: HttpRequest): Promise<void> {
    try {
      const admitted = await admitAgain(this.#door.gate as Gate, request, connection);
      if (admitted === undefined) connection.sendAway("the token is not valid any more");
      else connection.scopes = admitted.scopes;
    } catch (error) {
      this.#server.log({ level: "error", message: "the token of a WebSocket could not be checked again", error });
    }
  }
}

/** Goes on when an earlier answer is out, unless the connection ends with it: nobody else heeds that connection meanwhile. */
function waitFor(earlier: ServerResponse, socket: Socket, goOn: () => void): void {
  const drop = (): void => void socket.destroy();
  socket.on("end", drop).on("error", drop);
  earlier.on("close", () => {
    // Without the time that Node gives an idle connection.
    socket.off("end", drop).off("error", drop).setTimeout(0);
    if (socket.writable) goOn();
  });
}
