import type { IncomingMessage, Server as NodeServer } from "node:http";
import type { Socket } from "node:net";

/** Headers that are of no use without the one that asks for another protocol. */
const DROPPED = new Set(["upgrade", "http2-settings"]);

/**
 * Gives a request back to Node's HTTP server as one that asks for no other protocol. Clients that know HTTP/2 ask for it in this
 * way and are content without; but Node holds back every such request where one other protocol is served.
 */
export function passOverUpgrade(node: NodeServer, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const value = rawHeaders[at + 1] as string;
    if (DROPPED.has(name.toLowerCase())) continue;
    lines.push(`${name}: ${name.toLowerCase() === "connection" ? withoutDropped(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  const isSecure = "encrypted" in socket && socket.encrypted === true;
  node.emit(isSecure ? "secureConnection" : "connection", socket);
}

function withoutDropped(connection: string): string {
  const names = connection.split(",").map((name) => name.trim());
  return names.filter((name) => !DROPPED.has(name.toLowerCase())).join(", ");
}
