import { connect } from "node:net";
import { hashApiKey, type Serving, serveHttp } from "@toolwright/engine";
import { afterEach, expect, test } from "vitest";
import { certificate } from "./certificate.js";
import { createLogged, openWebSocket, ping, request, until } from "./wire.js";

let servings: Serving[] = [];

afterEach(async () => {
  await Promise.all(servings.map((serving) => serving.close()));
  servings = [];
});

async function serve(options: Parameters<typeof serveHttp>[1]) {
  const serving = await serveHttp(createLogged().server, { port: 0, webSocket: true, ...options });
  servings.push(serving);
  return { http: serving.url, url: serving.url.replace("http", "ws") };
}

const post = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: ping(1) }).then(
    ({ status }) => status,
  );

test("what a client says over WebSocket and what it posts spend the same rate", async () => {
  const { http, url } = await serve({ rate: { burst: 3, perSecond: 0.001 } });
  const client = await openWebSocket(url);
  client.send(request(1, "ping"));
  client.send(request(2, "ping"));
  await client.hear(2);
  expect(await post(http)).toBe(429);
});

test("a client who is called like an address does not spend the rate of that address", async () => {
  const key = "k".repeat(32);
  const auth = { apiKeys: [{ principal: "127.0.0.1", hash: hashApiKey(key) }] };
  const { http, url } = await serve({ auth, rate: { burst: 2, perSecond: 0.001 } });
  const client = await openWebSocket(url, ["mcp"], { headers: { authorization: `Bearer ${key}` } });
  client.send(request(1, "ping"));
  await client.hear(1);
  // Unknown, and not over the rate: the address has spent nothing.
  expect(await post(http)).toBe(401);
});

test("a client that asks for HTTP/2 with each request is answered on one connection, without a warning from Node", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", note);
  const { http } = await serve({});
  const socket = connect(Number(new URL(http).port), "127.0.0.1");
  let heard = "";
  socket.on("data", (bytes: Buffer) => {
    heard += bytes.toString();
  });
  const head = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
  for (let count = 1; count <= 15; count += 1) {
    socket.write(head);
    await until(() => heard.split('{"status":"ok"}').length > count);
  }
  socket.destroy();
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

test("a client that never comes to an end of the TLS handshake is sent away like one that is slow with its headers", async () => {
  const { http } = await serve({ tls: certificate, limits: { headersMs: 100 } });
  const socket = connect(Number(new URL(http).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = new Promise<string>((resolve) => void socket.once("close", () => resolve("closed")));
  // The first bytes of a handshake, and never another one.
  socket.write(Buffer.from("1603010200", "hex"));
  socket.resume();
  expect(await closed).toBe("closed");
});
