import { connect } from "node:net";
import { hashApiKey, serveHttp } from "@toolwright/engine/http";
import type { RunningServer } from "@toolwright/engine/sockets";
import { afterEach, expect, test } from "vitest";
import { certificate } from "./certificate.js";
import { createLogged, openWebSocket, ping, request, until } from "./wire.js";

let runningServers: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(runningServers.map((running) => running.close()));
  runningServers = [];
});

async function serve(options: Parameters<typeof serveHttp>[1]) {
  const running = await serveHttp(createLogged().server, { port: 0, webSocket: true, ...options });
  runningServers.push(running);
  return { http: running.url, url: running.url.replace("http", "ws") };
}

const post = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: ping(1) }).then(
    ({ status }) => status,
  );

test("WebSocket messages and HTTP requests of a client share a rate limit", async () => {
  const { http, url } = await serve({ rate: { burst: 3, perSecond: 0.001 } });
  const client = await openWebSocket(url);
  client.send(request(1, "ping"));
  client.send(request(2, "ping"));
  await client.receive(2);
  expect(await post(http)).toBe(429);
});

test("a principal named like an address does not share the rate limit of that address", async () => {
  const key = "k".repeat(32);
  const auth = { apiKeys: [{ principal: "127.0.0.1", hash: hashApiKey(key) }] };
  const { http, url } = await serve({ auth, rate: { burst: 2, perSecond: 0.001 } });
  const client = await openWebSocket(url, ["mcp"], { headers: { authorization: `Bearer ${key}` } });
  client.send(request(1, "ping"));
  await client.receive(1);
  // Rejected for its token, not for its rate: the address has used no tokens.
  expect(await post(http)).toBe(401);
});

test("a client that offers HTTP/2 with each request is served on one connection, without a warning from Node", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", note);
  const { http } = await serve({});
  const socket = connect(Number(new URL(http).port), "127.0.0.1");
  let received = "";
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString();
  });
  const head = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
  for (let count = 1; count <= 15; count += 1) {
    socket.write(head);
    await until(() => received.split('{"status":"ok"}').length > count);
  }
  socket.destroy();
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

test("a client that never completes the TLS handshake is disconnected like one that is slow with its headers", async () => {
  const { http } = await serve({ tls: certificate, limits: { headersMs: 100 } });
  const socket = connect(Number(new URL(http).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = new Promise<string>((resolve) => void socket.once("close", () => resolve("closed")));
  // The first bytes of a handshake, and nothing more.
  socket.write(Buffer.from("1603010200", "hex"));
  socket.resume();
  expect(await closed).toBe("closed");
});
