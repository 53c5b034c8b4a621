import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Child, initialize, ping } from "../../../engine/test/stdio/child.js";
import { BASICS_ONLY, callEcho, echoed, folder, serve, started, stop, urlOf } from "./listening.js";

const OK = { code: 0, signal: null };
const SPEAKS = "MCP 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05";

/** Sends a line over a Unix socket, and gives the line that comes back. */
async function askSocket(url: string, message: object): Promise<unknown> {
  const socket = connect(url.replace("unix:", ""));
  socket.write(`${JSON.stringify(message)}\n`);
  const [line] = (await once(socket.setEncoding("utf8"), "data")) as [string];
  socket.destroy();
  return JSON.parse(line);
}

async function askWebSocket(url: string, message: object): Promise<unknown> {
  const socket = new WebSocket(url, "mcp");
  await once(socket, "open");
  socket.send(JSON.stringify(message));
  const [frame] = (await once(socket, "message")) as [Buffer];
  socket.close();
  return JSON.parse(frame.toString());
}

const pong = { jsonrpc: "2.0", id: 1, result: {} };

describe("toolwright serve --http", () => {
  test("says once on stderr what it serves, and nothing more", async () => {
    const child = serve("--http :0", BASICS_ONLY);
    const url = await urlOf("http", child);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(await echoed(await callEcho(url, "hello"))).toBe("hello");
    expect(await stop(child)).toEqual(OK);
    expect(child.stderr).toBe(
      `toolwright 0.1.0 is serving\n  http    ${url}\n  pages   ${new URL("/", url).href}\n  packs   basics (3 tools)\n  speaks  ${SPEAKS}\n`,
    );
    expect(child.lines).toEqual([]);
  });

  test.each([
    ["0", "127.0.0.1"],
    ["localhost:0", "localhost"],
    ["[::1]:0", "[::1]"],
  ])("%s listens at %s", async (address, host) => {
    const url = await urlOf("http", serve(`--http ${address}`));
    expect(new URL(url).hostname).toBe(host);
    expect((await fetch(new URL("/health", url))).status).toBe(200);
  });

  test("serves the official client over HTTP, and with --sse over the endpoints of the oldest revision", async () => {
    const rows = await started(serve("--http 0 --sse"));
    const transports = [
      new StreamableHTTPClientTransport(new URL(rows["http"] ?? "")),
      new SSEClientTransport(new URL(rows["sse"] ?? "")),
    ];
    for (const transport of transports) {
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(transport);
      const { content } = await client.callTool({ name: "echo", arguments: { text: "over there" } });
      expect(content).toEqual([{ type: "text", text: "over there" }]);
      await client.close();
    }
  });

  test("without --sse, and at other paths, there is nothing", async () => {
    const url = await urlOf("http", serve("--http 0 --path /tools"));
    expect(new URL(url).pathname).toBe("/tools");
    for (const path of ["/sse", "/messages", "/mcp"]) expect((await fetch(new URL(path, url))).status).toBe(404);
  });

  test("turns away strange names and pages, but those that were allowed", async () => {
    const url = await urlOf(
      "http",
      serve("--http 0 --allow-origin https://app.example --allow-origin https://b.example"),
    );
    const from = async (origin: string) => (await callEcho(url, "x", { origin })).status;
    expect([
      await from("https://evil.example"),
      await from("https://app.example"),
      await from("https://b.example"),
    ]).toEqual([403, 200, 200]);
  });
});

describe("several transports at once", () => {
  test("serve one server each in its way", async () => {
    const file = join(folder(), "mcp.sock");
    const child = serve(`--http 0 --ws --socket ${file}`);
    const { http = "", ws = "", socket } = await started(child);
    expect(ws).toBe(http.replace("http:", "ws:"));
    expect(socket).toBe(`unix:${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await echoed(await callEcho(http, "over HTTP"))).toBe("over HTTP");
    expect(await askWebSocket(ws, ping(1))).toEqual(pong);
    expect(await askSocket(`unix:${file}`, ping(1))).toEqual(pong);
    expect(await stop(child)).toEqual(OK);
    expect(existsSync(file)).toBe(false);
  });

  test("--ws has its own port if one is given, or without --http", async () => {
    const both = await started(serve("--http 0 --ws 0"));
    expect(new URL(both["ws"] ?? "").port).not.toBe(new URL(both["http"] ?? "").port);
    expect(await askWebSocket(both["ws"] ?? "", ping(1))).toEqual(pong);
    const alone = await started(serve("--ws :0"));
    expect(Object.keys(alone)).toEqual(["ws", "packs", "speaks"]);
    expect(await askWebSocket(alone["ws"] ?? "", ping(1))).toEqual(pong);
  });

  test("do not read stdin, and go on when it ends", async () => {
    const child = serve("--http 0");
    const url = await urlOf("http", child);
    child.write(`${JSON.stringify(ping(1))}\n`);
    child.process.stdin.end();
    expect(await echoed(await callEcho(url, "still here"))).toBe("still here");
    expect(child.lines).toEqual([]);
  });

  test("--stdio serves stdin and stdout beside them, and ends all when its client goes", async () => {
    const file = join(folder(), "mcp.sock");
    const child = serve(`--stdio --http 0 --socket ${file}`);
    const rows = await started(child);
    expect(rows["stdio"]).toBe("stdin and stdout");
    child.send(initialize(0));
    expect(await child.answer(0)).toMatchObject({ result: { serverInfo: { name: "toolwright" } } });
    expect(await echoed(await callEcho(rows["http"] ?? "", "both"))).toBe("both");
    child.process.stdin.end();
    expect(await child.ended).toEqual(OK);
    expect(existsSync(file)).toBe(false);
  });
});

describe("a signal", () => {
  /** Opens the stream of a session. */
  async function listen(url: string): Promise<Response> {
    const headers = { "content-type": "application/json" };
    const opened = await fetch(url, { method: "POST", headers, body: JSON.stringify(initialize(0)) });
    const id = opened.headers.get("mcp-session-id") ?? "";
    return fetch(url, { headers: { accept: "text/event-stream", "mcp-session-id": id } });
  }

  test.each(["SIGTERM", "SIGINT"] as const)("%s ends open streams and the process in good order", async (signal) => {
    const child = serve("--http 0 --ws");
    const { http = "", ws = "" } = await started(child);
    const stream = await listen(http);
    const socket = new WebSocket(ws, "mcp");
    await once(socket, "open");
    const closed = once(socket, "close");
    expect(await stop(child, signal)).toEqual(OK);
    expect(await stream.text()).not.toContain("jsonrpc");
    expect((await closed)[0]).toBe(1001);
  });
});

describe("a start that cannot be", () => {
  const failure = async (child: Child) => ({ ...(await child.ended), stderr: child.stderr, stdout: child.lines });

  test("at a port that is taken ends with code 1, one line, and nothing left open", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const file = join(folder(), "mcp.sock");
    for (const words of [`--http ${port}`, `--http 0 --ws ${port} --socket ${file}`, `--stdio --http ${port}`]) {
      expect(await failure(serve(words))).toEqual({
        code: 1,
        signal: null,
        stderr: `toolwright: Cannot listen at 127.0.0.1:${port}: the port is in use; choose another port, or 0 for any free port\n`,
        stdout: [],
      });
      expect(existsSync(file)).toBe(false);
    }
    other.close();
  });

  test("at a socket of another server ends with code 1, and leaves that alone", async () => {
    const file = join(folder(), "mcp.sock");
    await started(serve(`--socket ${file}`));
    const { code, stderr } = await failure(serve(`--http 0 --socket ${file}`));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^toolwright: Cannot listen at .*mcp\.sock: another server is listening there.*\n$/);
    expect(await askSocket(`unix:${file}`, ping(1))).toEqual(pong);
  });

  test.each([
    ["--http 65536", '--http cannot be at "65536"; give HOST:PORT, such as 8080, 0.0.0.0:8080 or [::1]:8080'],
    ["--http --path mcp", "Cannot serve over HTTP: --path must start with / and contain neither ? nor #"],
    [
      "--http 0 --trust-proxy x",
      'Cannot serve over HTTP: --trust-proxy has "x", which is neither an address nor a network',
    ],
    ["--http 0 --public-url tools", "Cannot serve over HTTP: --public-url must be an http(s) URL"],
    [
      "--http 0 --issuer http://a.example",
      "Cannot serve over HTTP: --issuer must be an https URL (http is allowed only for localhost)",
    ],
  ])("%s ends with code 2", async (words, fault) => {
    const { code, stderr } = await failure(serve(words));
    expect(stderr).toBe(`toolwright: ${fault}. Run "toolwright serve --help" for usage.\n`);
    expect(code).toBe(2);
  });
});
