import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "@toolwright/engine/client";
import { describe, expect, test } from "vitest";
import {
  bodyOf,
  discovered,
  initialized,
  inSession,
  json,
  listen,
  type Seen,
  sendError,
  sendResult,
  serve,
} from "./peers.js";
import { connected, until } from "./targets.js";

const pinned = { revision: "2025-11-25" };

describe("in a stateless revision, a client over HTTP", () => {
  test("mirrors the request in headers, and encodes values that are not ASCII", async () => {
    const tool = {
      name: "größe",
      inputSchema: {
        type: "object",
        properties: {
          region: { type: "string", "x-mcp-header": "Region" },
          count: { type: "integer", "x-mcp-header": "Count" },
          where: { type: "object", properties: { now: { type: "boolean", "x-mcp-header": "Now" } } },
          none: { type: "string", "x-mcp-header": "None" },
        },
      },
    };
    const broken = {
      name: "broken",
      inputSchema: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } },
    };
    const { url, seen } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") sendResult(response, one, discovered);
      else if (one.message["method"] === "tools/list") sendResult(response, one, { tools: [tool, broken] });
      else sendResult(response, one, { resultType: "complete", content: [] });
    });
    const client = await connected({ url });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["größe"]);
    await client.callTool("größe", { region: " west", count: 7, where: { now: false }, none: null });
    const { headers } = seen.at(-1) as Seen;
    expect(headers).toMatchObject({
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "=?base64?Z3LDtsOfZQ==?=",
      "mcp-param-region": "=?base64?IHdlc3Q=?=",
      "mcp-param-count": "7",
      "mcp-param-now": "false",
    });
    expect(headers).not.toHaveProperty("mcp-param-none");
    expect(headers).not.toHaveProperty("mcp-session-id");
  });

  test("lists the tools once after a header mismatch", async () => {
    const schema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };
    const { url, seen } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") sendResult(response, one, discovered);
      else if (one.message["method"] === "tools/list")
        sendResult(response, one, { tools: [{ name: "store", inputSchema: schema }] });
      else if (one.headers["mcp-param-region"] === "west")
        sendResult(response, one, { content: [{ type: "text", text: "ok" }] });
      else sendError(response, one, 400, { code: -32020, message: "Header mismatch" });
    });
    const client = await connected({ url });
    expect((await client.callTool("store", { region: "west" })).content).toEqual([{ type: "text", text: "ok" }]);
    const methods = seen.map(({ message }) => message["method"]);
    expect(methods).toEqual(["server/discover", "tools/call", "tools/list", "tools/call"]);
  });

  test("cancels by closing the HTTP request, without a notification", async () => {
    let isClosed = false;
    const { url, seen } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") return sendResult(response, one, discovered);
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": working\n\n");
      response.on("close", () => {
        isClosed = true;
      });
    });
    const client = await connected({ url });
    await expect(client.callTool("slow", {}, { timeoutMs: 100 })).rejects.toThrow("did not respond to tools/call");
    await until(() => isClosed);
    expect(seen.map(({ message }) => message["method"])).toEqual(["server/discover", "tools/call"]);
  });

  test("rejects when a stream ends without a response", async () => {
    const { url } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") return sendResult(response, one, discovered);
      response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n");
    });
    const client = await connected({ url });
    await expect(client.callTool("x")).rejects.toThrow("The server's HTTP response ended without a JSON-RPC response");
  });

  test("rejects when a stream breaks, and does not resume it whatever event ids it has [HTM-04]", async () => {
    const { url, seen } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") return sendResult(response, one, discovered);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('id: a\nretry: 1\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
      setTimeout(() => response.destroy(), 20);
    });
    const client = await connected({ url });
    await expect(client.callTool("x")).rejects.toMatchObject({
      name: "ConnectionError",
      message: expect.stringMatching(/^The server's event stream failed: ./) as string,
    });
    expect(seen.map(({ method }) => method)).toEqual(["POST", "POST"]);
  });
});

describe("negotiation over HTTP", () => {
  const legacy = inSession((_seen, response) => void response.writeHead(405).end());
  const rejections: [name: string, status: number, body: unknown][] = [
    ["an empty 400", 400, undefined],
    ["405", 405, undefined],
    [
      "an error without an id, as the official SDK sends it",
      400,
      { jsonrpc: "2.0", id: null, error: { code: -32000, message: "Bad Request: Server not initialized" } },
    ],
    ["an unknown method", 200, { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } }],
    [
      "404 with an unknown method",
      404,
      { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } },
    ],
    ["a result that is none of discovery", 200, { jsonrpc: "2.0", id: 1, result: {} }],
  ];

  test.each(rejections)("opens a handshake after %s", async (_name, status, body) => {
    const { url, seen } = await serve((one, response) => {
      if (one.message["method"] !== "server/discover") legacy(one, response);
      else if (body === undefined) response.writeHead(status).end();
      else json(response, status, body);
    });
    const client = await connected({ url });
    expect(client.server).toMatchObject({ revision: "2025-11-25", info: { name: "old" } });
    expect(seen[0]?.headers).toMatchObject({ "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" });
    expect(seen[1]?.message).toMatchObject({ method: "initialize", params: { protocolVersion: "2025-11-25" } });
    expect(seen[1]?.headers).not.toHaveProperty("mcp-protocol-version");
    expect(seen[2]?.headers).toMatchObject({ "mcp-protocol-version": "2025-11-25", "mcp-session-id": "s-1" });
  });

  test("picks a revision that the server lists when it rejects the newest", async () => {
    const { url } = await serve((one, response) => {
      const data = { supported: ["2027-01-01", "2025-06-18"], requested: "2026-07-28" };
      if (one.message["method"] === "server/discover")
        sendError(response, one, 400, { code: -32022, message: "no", data });
      else if (one.message["method"] === "initialize")
        sendResult(response, one, { ...initialized, protocolVersion: "2025-06-18" });
      else response.writeHead(202).end();
    });
    expect((await connected({ url })).server.revision).toBe("2025-06-18");
  });

  test("retries once if the server rejects a revision that it lists", async () => {
    const { url, seen } = await serve((one, response) =>
      sendError(response, one, 400, { code: -32022, message: "not now", data: { supported: ["2026-07-28"] } }),
    );
    await expect(connect({ url })).rejects.toThrow("not now");
    expect(seen.map(({ message }) => message["method"])).toEqual(["server/discover", "server/discover"]);
  });

  test("names the revisions of both sides if they have none in common", async () => {
    const { url } = await serve((one, response) =>
      sendError(response, one, 400, { code: -32022, message: "no", data: { supported: ["2027-01-01"] } }),
    );
    await expect(connect({ url })).rejects.toThrow(
      "Cannot connect: the server supports revision 2027-01-01, and this client supports 2026-07-28, 2025-11-25",
    );
  });

  test("does not fall back after an error of a stateless server, or after 401", async () => {
    const modern = await serve((one, response) =>
      sendError(response, one, 400, { code: -32021, message: "needs sampling" }),
    );
    await expect(connect({ url: modern.url })).rejects.toMatchObject({ name: "ResponseError", code: -32021 });
    const locked = await serve(
      (_one, response) => void response.writeHead(401, { "www-authenticate": 'Bearer scope="x"' }).end(),
    );
    await expect(connect({ url: locked.url })).rejects.toMatchObject({
      name: "ConnectionError",
      status: 401,
      challenge: 'Bearer scope="x"',
    });
    expect([modern.seen.length, locked.seen.length]).toEqual([1, 1]);
  });

  test("uses only a pinned revision", async () => {
    const { url } = await serve(legacy);
    await expect(connect({ url }, { revision: "2025-06-18" })).rejects.toThrow(
      "Cannot connect: the server supports revision 2025-11-25, and this client supports 2025-06-18",
    );
    await expect(connect({ url }, { revision: "2023-01-01" })).rejects.toThrow("revision 2023-01-01 is unknown");
  });
});

describe("in a session, a client over HTTP", () => {
  test("resumes a stream that the server ended early, after its retry delay", async () => {
    const { url, seen } = await serve(
      inSession((one, response) => {
        if (one.method === "GET" && one.headers["last-event-id"] === undefined)
          return void response.writeHead(405).end();
        response.writeHead(200, { "content-type": "text/event-stream" });
        if (one.method === "POST") return void response.end("id: e-1\nretry: 20\ndata: \n\n");
        const posted = seen.find(({ message }) => message["method"] === "tools/call");
        const result = {
          jsonrpc: "2.0",
          id: posted?.message["id"],
          result: { content: [{ type: "text", text: "late" }] },
        };
        response.end(`id: e-2\ndata: ${JSON.stringify(result)}\n\n`);
      }),
    );
    const client = await connected({ url }, pinned);
    expect((await client.callTool("slow")).content).toEqual([{ type: "text", text: "late" }]);
    const resumed = seen.filter(({ method, headers }) => method === "GET" && headers["last-event-id"] !== undefined);
    expect(resumed.map(({ headers }) => [headers["last-event-id"], headers["mcp-session-id"]])).toEqual([
      ["e-1", "s-1"],
    ]);
  });

  test("a stream is resumed as often as the server ends it, and after errors in between", async () => {
    let polls = 0;
    const { url, seen } = await serve(
      inSession((one, response) => {
        const stream = { "content-type": "text/event-stream" };
        if (one.method === "POST") return void response.writeHead(200, stream).end("id: e-1\nretry: 1\ndata: \n\n");
        if (one.headers["last-event-id"] === undefined) return void response.writeHead(405).end();
        polls += 1;
        if (polls === 3) return void response.writeHead(502).end();
        if (polls < 9) return void response.writeHead(200, stream).end(": later\n\n");
        const id = seen.find(({ message }) => message["method"] === "tools/call")?.message["id"];
        const message = { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "at last" }] } };
        response.writeHead(200, stream).end(`id: e-2\ndata: ${JSON.stringify(message)}\n\n`);
      }),
    );
    const client = await connected({ url }, pinned);
    expect((await client.callTool("slow")).content).toEqual([{ type: "text", text: "at last" }]);
    expect(polls).toBe(9);
  });

  test("resumes the server stream when it breaks", async () => {
    const notice = (id: number) =>
      `id: n-${id}\nretry: 10\ndata: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { id } })}\n\n`;
    let opened = 0;
    const { url } = await serve(
      inSession((one, response) => {
        if (one.method !== "GET") return sendResult(response, one, {});
        opened += 1;
        const last = one.headers["last-event-id"];
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(notice(last === undefined ? 1 : 2), () => void (last === undefined && response.destroy()));
      }),
    );
    const received: unknown[] = [];
    await connected({ url }, { ...pinned, onNotification: (_method, { id }) => received.push(id) });
    await until(() => received.includes(2));
    expect([...new Set(received)].at(-1)).toBe(2);
    expect(opened).toBeGreaterThan(1);
  });

  test("reports that the session has ended, and deletes it on close", async () => {
    const { url, seen } = await serve(
      inSession((one, response) => {
        if (one.method === "GET") return void response.writeHead(405).end();
        json(response, 404, { jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found" } });
      }),
    );
    const client = await connect({ url }, pinned);
    await expect(client.ping()).rejects.toThrow(
      `The server at ${url}/ ended the session (404). Connect again to continue`,
    );
    await client.close();
    expect(seen.filter(({ method }) => method === "DELETE").map(({ headers }) => headers["mcp-session-id"])).toEqual([
      "s-1",
    ]);
  });

  test("accepts a batch of responses", async () => {
    const { url } = await serve(
      inSession((one, response) => {
        if (one.method === "GET") return void response.writeHead(405).end();
        json(response, 200, [
          { jsonrpc: "2.0", method: "notifications/x" },
          { jsonrpc: "2.0", id: one.message["id"], result: {} },
        ]);
      }),
    );
    await (await connected({ url }, pinned)).ping();
  });

  test("rejects a response that is larger than the limit", async () => {
    const { url } = await serve(
      inSession((one, response) => {
        if (one.method === "GET") return void response.writeHead(405).end();
        const pad = "x".repeat(20_000);
        if (one.message["method"] === "ping") return sendResult(response, one, { pad });
        response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${pad}`);
      }),
    );
    const client = await connected({ url }, { ...pinned, maxMessageBytes: 10_000 });
    await expect(client.ping()).rejects.toThrow("The server's response is larger than 10000 bytes (maxMessageBytes)");
    await expect(client.callTool("x")).rejects.toThrow("an event is larger than 10000 bytes");
  });
});

describe("credentials", () => {
  test("are sent with every request, and renewed after 401", async () => {
    const shown: unknown[] = [];
    const { url } = await serve((one, response) => {
      shown.push(`${one.headers.authorization} ${String(one.headers["x-team"])}`);
      if (one.headers.authorization === "Bearer old")
        return void response.writeHead(401, { "www-authenticate": "Bearer error=expired" }).end();
      sendResult(response, one, discovered);
    });
    const challenges: unknown[] = [];
    let token = "old";
    await connected(
      { url },
      {
        headers: { "x-team": "blue" },
        token: (challenge) => {
          if (challenge !== undefined) {
            challenges.push(challenge);
            token = "new";
          }
          return token;
        },
      },
    );
    expect(shown).toEqual(["Bearer old blue", "Bearer new blue"]);
    expect(challenges).toEqual(["Bearer error=expired"]);
  });

  test("do not override headers of the protocol, whatever their case", async () => {
    const { url, seen } = await serve((one, response) => sendResult(response, one, discovered));
    const headers = { "Content-Type": "text/plain", "MCP-Protocol-Version": "2025-06-18", Authorization: "Bearer a" };
    await connected({ url }, { headers, token: "b" });
    expect(seen[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      authorization: "Bearer b",
    });
  });

  test("are never sent to another origin", async () => {
    const elsewhere = await serve((one, response) => sendResult(response, one, discovered));
    const { url } = await serve((_one, response) => void response.writeHead(307, { location: elsewhere.url }).end());
    await expect(connect({ url }, { token: "secret" })).rejects.toThrow(
      `redirects to ${elsewhere.url}/ (307), which is not followed. Connect to that URL if you trust it`,
    );
    const { url: sse } = await serve(
      (_one, response) =>
        void response
          .writeHead(200, { "content-type": "text/event-stream" })
          .write(`event: endpoint\ndata: ${elsewhere.url}/x\n\n`),
    );
    await expect(connect({ sse }, { token: "secret" })).rejects.toThrow("names an endpoint of another origin");
    expect(elsewhere.seen).toEqual([]);
  });

  test("are sent after a redirect within the origin", async () => {
    const urls: string[] = [];
    const url = await listen((request, response) => {
      urls.push(`${request.url} ${String(request.headers.authorization)}`);
      if (request.url === "/mcp") return void response.writeHead(308, { location: "/mcp/" }).end();
      void bodyOf(request).then((message) =>
        sendResult(response, { method: "POST", headers: {}, message }, discovered),
      );
    });
    await connected({ url: `${url}/mcp` }, { token: "t" });
    expect(urls).toEqual(["/mcp Bearer t", "/mcp/ Bearer t"]);
  });
});

test("an unreachable server is reported with its URL and the reason", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await expect(connect({ url: `http://127.0.0.1:${port}` })).rejects.toThrow(
    // Deno gives no code, but a sentence.
    new RegExp(
      `^Cannot reach the server at http://127.0.0.1:${port}/: (ECONNREFUSED|.*Connection refused.*)\\. Is it running\\?$`,
    ),
  );
  const proxied = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("") }));
  await expect(connect({ url: "http://x" }, { fetch: proxied })).rejects.toThrow(
    "Cannot reach the server at http://x/: fetch failed. Is it running?",
  );
  const blocked = () => {
    throw new Error("not allowed");
  };
  await expect(connect({ url: "http://x" }, { fetch: blocked })).rejects.toThrow(
    "Cannot reach the server at http://x/: not allowed. Is it running?",
  );
  await expect(connect({ url: "ftp://x" })).rejects.toThrow("use http:, https:, ws: or wss:");
  await expect(connect({} as never)).rejects.toThrow("Cannot connect to undefined: use http:");
  const slow = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } }));
  await expect(connect({ url: "http://x" }, { fetch: slow })).rejects.toMatchObject({
    name: "TimeoutError",
    message:
      "fetch timed out at http://x/ (UND_ERR_HEADERS_TIMEOUT); pass a fetch with a longer timeout as option fetch",
  });
});
