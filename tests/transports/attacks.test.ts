import { hashApiKey, type Serving, serveHttp } from "@toolwright/engine";
import { afterEach, expect, test } from "vitest";
import { createLogged, openWebSocket, ping, request } from "./wire.js";

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
  const { send, hear } = await openWebSocket(url);
  send(request(1, "ping"));
  send(request(2, "ping"));
  await hear(2);
  expect(await post(http)).toBe(429);
});

test("a client who is called like an address does not spend the rate of that address", async () => {
  const key = "k".repeat(32);
  const auth = { apiKeys: [{ principal: "127.0.0.1", hash: hashApiKey(key) }] };
  const { http, url } = await serve({ auth, rate: { burst: 2, perSecond: 0.001 } });
  const { send, hear } = await openWebSocket(url, ["mcp"], { headers: { authorization: `Bearer ${key}` } });
  send(request(1, "ping"));
  await hear(1);
  // Unknown, and not over the rate: the address has spent nothing.
  expect(await post(http)).toBe(401);
});
