import { connect } from "node:net";
import { tool } from "@toolwright/engine";
import { type HttpOptions, serveHttp } from "@toolwright/engine/http";
import { type RunningServer, serveWebSocket, type WebSocketOptions } from "@toolwright/engine/sockets";
import { afterEach, describe, expect, test } from "vitest";
import { certificate } from "./certificate.js";
import { call, createLogged, openWebSocket, ping, pong, rejectionOf, until } from "./wire.js";

let runningServers: RunningServer[] = [];

async function serve(options: WebSocketOptions = {}, of: Parameters<typeof createLogged>[0] = {}) {
  const { server, log } = createLogged(of);
  const running = await serveWebSocket(server, { port: 0, ...options });
  runningServers.push(running);
  return { url: running.url, http: running.url.replace("ws", "http"), running, log };
}

async function serveBoth(options: HttpOptions = {}) {
  const running = await serveHttp(createLogged().server, { port: 0, webSocket: true, ...options });
  runningServers.push(running);
  return { url: running.url.replace("http", "ws"), http: running.url };
}

afterEach(async () => {
  await Promise.all(runningServers.map((running) => running.close()));
  runningServers = [];
});

/** The response of a server to raw bytes, until it closes. */
async function exchange(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  let isOver = false;
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isOver = true;
  });
  socket.write(text);
  await until(() => isOver);
  return received;
}

const head = (url: string, ...lines: string[]) =>
  [`Host: ${new URL(url).host}`, ...lines].map((line) => `${line}\r\n`).join("");
const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
const handshake = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", key] as const;

describe("a WebSocket upgrade is rejected", () => {
  test("from a page of another site, and accepted from one of this machine", async () => {
    for (const { url } of [await serve(), await serveBoth()]) {
      const { status, message } = await rejectionOf(url, ["mcp"], { origin: "https://evil.example" });
      expect([status, message]).toEqual([
        403,
        'Invalid request: the origin "https://evil.example" is not allowed; add it to allowedOrigins',
      ]);
      expect(await rejectionOf(url, ["mcp"], { origin: "null" })).toMatchObject({ status: 403 });
      (await openWebSocket(url, ["mcp"], { origin: "http://localhost:5173" })).ws.terminate();
    }
    const { url } = await serve({ allowedOrigins: ["https://good.example"] });
    (await openWebSocket(url, ["mcp"], { origin: "https://good.example" })).ws.terminate();
  });

  test("for a host name that is not the server's", async () => {
    const { url } = await serve();
    const { status, message } = await rejectionOf(url, ["mcp"], { headers: { host: "evil.example" } });
    expect([status, message]).toEqual([
      403,
      'Invalid request: the host "evil.example" is not allowed; add it to allowedHosts',
    ]);
  });

  test("from a client that offers only other subprotocols", async () => {
    const { url } = await serve();
    expect(await rejectionOf(url, ["graphql-ws", "mcp2"])).toMatchObject({
      status: 400,
      message: "Invalid request: the sub-protocol is mcp: offer it, or none",
    });
  });

  test("at another path", async () => {
    const { url } = await serve({ path: "/here" });
    expect(url).toMatch(/\/here$/);
    expect(await rejectionOf(url.replace("/here", "/mcp"))).toMatchObject({
      status: 404,
      message: "Invalid request: not found; the MCP endpoint is /here",
    });
  });

  test("for an invalid handshake", async () => {
    const { url } = await serve();
    const get = (...lines: string[]) => exchange(url, `GET /mcp HTTP/1.1\r\n${head(url, ...lines)}\r\n`);
    expect(await get("Upgrade: websocket", "Connection: Upgrade")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await get(...handshake.slice(0, 2), "Sec-WebSocket-Version: 7", key)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await get(...handshake, "Origin: http://localhost", "Origin: http://localhost")).toMatch(/^HTTP\/1\.1 400 /);
    const post = `POST /mcp HTTP/1.1\r\n${head(url, ...handshake, "Content-Length: 0")}\r\n`;
    expect(await exchange(url, post)).toMatch(/^HTTP\/1\.1 405 /);
    (await openWebSocket(url)).ws.terminate();
  });

  test("over the connection limit", async () => {
    const { url, log } = await serve({ limits: { connections: 2 } });
    const open = [await openWebSocket(url), await openWebSocket(url)];
    await expect(openWebSocket(url)).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(log).toEqual(["warning: a connection was closed: the connection limit is reached"]);
    for (const { ws } of open) ws.terminate();
  });
});

describe("authorization of a WebSocket", () => {
  const whoami = tool({ name: "whoami", description: "d", run: (_input, { principal = "nobody" }) => principal });
  const secret = tool({ name: "secret", description: "d", scopes: ["secrets"], run: () => "a secret" });
  let tokens = new Map<string, { principal: string; scopes: string[] }>();
  const auth: WebSocketOptions["auth"] = {
    authenticate: (request) => Promise.resolve(tokens.get(request.header("authorization") ?? "")),
  };
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test("uses the header of the upgrade request, and tools see the principal", async () => {
    tokens = new Map([["Bearer a", { principal: "ada", scopes: [] }]]);
    const { url } = await serve({ auth }, { tools: [whoami, secret] });
    const { status, headers } = await rejectionOf(url);
    expect([status, headers["www-authenticate"]]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    expect(await rejectionOf(url, ["mcp"], bearer("wrong"))).toMatchObject({ status: 401 });
    const client = await openWebSocket(url, ["mcp"], bearer("a"));
    client.send(call(1, "whoami"));
    client.send(call(2, "secret"));
    expect(await client.receive(2)).toMatchObject([
      { id: 1, result: { content: [{ text: "ada" }] } },
      { id: 2, error: { data: { requiredScopes: ["secrets"] } } },
    ]);
    client.ws.terminate();
  });

  test("is repeated while the connection is open", async () => {
    tokens = new Map([["Bearer a", { principal: "ada", scopes: [] }]]);
    const { url } = await serve({ auth, limits: { keepAliveMs: 100 } }, { tools: [whoami, secret] });
    const client = await openWebSocket(url, ["mcp"], bearer("a"));
    tokens = new Map([["Bearer a", { principal: "ada", scopes: ["secrets"] }]]);
    let last = "";
    for (let id = 1; last !== "a secret"; id += 1) {
      client.send(call(id, "secret"));
      const answer = (await client.receive(id))[id - 1] as { result?: { content: { text: string }[] } };
      last = answer.result?.content[0]?.text ?? "";
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    tokens = new Map();
    expect(await client.closed).toBe("1008 the token is no longer valid");
  });
});

describe("a port with WebSocket only", () => {
  test("responds to other requests with 426, and to health checks", async () => {
    const { http } = await serve();
    const answer = await fetch(http, { method: "POST", body: "{}" });
    expect([answer.status, answer.headers.get("upgrade")]).toEqual([426, "websocket"]);
    expect(await answer.json()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32600, message: "Invalid request: only WebSocket is spoken here" },
    });
    const get = async (path: string) => (await fetch(new URL(path, http))).status;
    expect([await get("/health"), await get("/alive"), await get("/mcp"), await get("/")]).toEqual([
      200, 200, 426, 404,
    ]);
    expect((await fetch(http, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  });

  test("closes the connection of other requests", async () => {
    const { url } = await serve();
    const answer = await exchange(url, `GET /mcp HTTP/1.1\r\n${head(url, "Connection: close")}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 426 [^]*\r\nconnection: upgrade, close\r\n/);
  });

  test("rejects options that apply to HTTP only", async () => {
    await expect(serve({ sse: true } as object)).rejects.toThrow(
      "Cannot serve over WebSocket: unknown option sse; expected one of",
    );
    await expect(serve({ port: -1 })).rejects.toThrow("port must be from 0 to 65535");
    for (const host of ["", 0, null])
      await expect(serve({ host } as object)).rejects.toThrow(
        new TypeError("Cannot serve over HTTP: host must be a name or an address"),
      );
  });
});

test("accepts only a boolean for webSocket", async () => {
  for (const webSocket of ["no", 1, null])
    await expect(serveBoth({ webSocket } as object)).rejects.toThrow(
      new TypeError("Cannot serve over HTTP: webSocket must be true or false"),
    );
});

describe("an upgrade request for another protocol than WebSocket", () => {
  const body = ping(7);
  const asking = (http: string, lines: string[]) =>
    `POST /mcp HTTP/1.1\r\n${head(http, "Content-Type: application/json", "Accept: application/json, text/event-stream", ...lines)}Content-Length: ${body.length}\r\n\r\n`;

  test("is served as a normal request, also in parts and repeatedly", async () => {
    const { http } = await serveBoth({ sessions: false });
    const h2c = ["Connection: keep-alive, Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQ"];
    const { port, hostname } = new URL(http);
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString();
    });
    socket.write(`${asking(http, h2c)}${body}`);
    await until(() => received.split('"id":7').length === 2);
    socket.write(asking(http, h2c));
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.write(body);
    await until(() => received.split('"id":7').length === 3);
    socket.write(`${asking(http, [])}${body}`);
    await until(() => received.split('"id":7').length === 4);
    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    socket.destroy();
  });
});

describe("a WebSocket over TLS", () => {
  test("is served on its own port and with HTTPS", async () => {
    const trusting = { ca: certificate.cert };
    for (const { url } of [await serve({ tls: certificate }), await serveBoth({ tls: certificate })]) {
      expect(url).toMatch(/^wss:/);
      const client = await openWebSocket(url, ["mcp"], trusting);
      client.send(ping(1));
      expect(await client.receive(1)).toEqual([pong(1)]);
      client.ws.close();
      await client.closed;
      expect(await rejectionOf(url, ["other"], trusting)).toMatchObject({ status: 400 });
    }
  });
});
