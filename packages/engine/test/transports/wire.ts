import { connect, type Socket } from "node:net";
import {
  createServer,
  type JsonObject,
  type LogEntry,
  type Server,
  type ServerOptions,
  tool,
} from "@toolwright/engine";
import { type ClientOptions, WebSocket } from "ws";

/** Returns its text. */
export const echo = tool({
  name: "echo",
  description: "Gives back the text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

/** Reports progress forever, with long messages. */
export const chatter = tool({
  name: "chatter",
  description: "Talks.",
  run: async (_input, call) => {
    for (let at = 1; !call.signal.aborted; at += 1) {
      call.progress(at, "x".repeat(50_000));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return "done";
  },
});

/** A server that needs no handshake, and its log. */
export function createLogged(options: Partial<ServerOptions> = {}): { server: Server; log: string[] } {
  const log: string[] = [];
  const note = ({ level, message }: LogEntry): void => void (level === "debug" || log.push(`${level}: ${message}`));
  const given = { tools: [echo], compat: { lifecycle: "off" }, log: note, ...options } as const;
  return { server: createServer({ name: "test", version: "1.0.0", ...given }), log };
}

export const request = (id: number | string, method: string, params?: JsonObject): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) });

export const call = (id: number | string, name: string, args: JsonObject = {}): string =>
  request(id, "tools/call", { name, arguments: args });

export const ping = (id: number | string): string => request(id, "ping");
export const pong = (id: number | string): JsonObject => ({ jsonrpc: "2.0", id, result: {} });

/** Waits until a condition is true; only the test timeout limits it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** A client that records what it receives. */
interface Peer {
  readonly received: JsonObject[];
  send(text: string | Buffer): void;
  /** The messages, once there are this many. */
  receive(count: number): Promise<JsonObject[]>;
}

/** A WebSocket client. */
export interface WebSocketPeer extends Peer {
  readonly ws: WebSocket;
  /** The code and reason with which the server closed. */
  readonly closed: Promise<string>;
}

const receiving = (received: JsonObject[]) => async (count: number) => {
  await until(() => received.length >= count);
  return received;
};

export async function openWebSocket(
  url: string,
  protocols: string[] = ["mcp"],
  options: ClientOptions = {},
): Promise<WebSocketPeer> {
  const ws = new WebSocket(url, protocols, options);
  const received: JsonObject[] = [];
  ws.on("message", (text) => void received.push(JSON.parse((text as Buffer).toString()) as JsonObject));
  const closed = new Promise<string>((resolve) => {
    ws.on("close", (code, reason) => resolve(`${code} ${reason.toString()}`.trim()));
  });
  await new Promise<void>((resolve, reject) => {
    ws.on("open", resolve);
    ws.on("error", reject);
  });
  return { ws, received, closed, send: (text) => ws.send(text), receive: receiving(received) };
}

/** How a WebSocket upgrade is rejected: the status, the error and the headers. */
export async function rejectionOf(url: string, protocols: string[] = ["mcp"], options: ClientOptions = {}) {
  const ws = new WebSocket(url, protocols, options);
  return await new Promise<{ status: number; message: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      ws.on("open", () => reject(new Error("it was let in")));
      ws.on("error", reject);
      ws.on("unexpected-response", (_request, response) => {
        let body = "";
        response.on("data", (bytes: Buffer) => {
          body += bytes.toString();
        });
        response.on("end", () => {
          const { error } = JSON.parse(body) as { error: { message: string } };
          resolve({ status: response.statusCode ?? 0, message: error.message, headers: response.headers });
        });
      });
    },
  );
}

/** A client of a Unix socket, one message per line. */
export interface LinePeer extends Peer {
  readonly socket: Socket;
  readonly closed: Promise<void>;
}

export async function openLines(path: string): Promise<LinePeer> {
  const socket = connect({ path, allowHalfOpen: true });
  const received: JsonObject[] = [];
  let rest = "";
  socket.on("data", (bytes: Buffer) => {
    const lines = (rest + bytes.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) received.push(JSON.parse(line) as JsonObject);
  });
  const closed = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
  socket.on("end", () => socket.end());
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", resolve);
    socket.on("error", reject);
  });
  return {
    socket,
    received,
    closed,
    send: (text) => void socket.write(`${String(text)}\n`),
    receive: receiving(received),
  };
}
