import { createServer } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { serveHttp } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { bodyOf, discovered, inSession, json, listen, sendError, sendResult, serve } from "./peers.js";
import { connected, until } from "./targets.js";

const pinned = { revision: "2025-11-25" };
const stream = { "content-type": "text/event-stream" };

describe("an HTTP error status with a JSON-RPC error, before the revision is negotiated", () => {
  test("an HTTP+SSE URL of this engine is detected", async () => {
    const server = createServer({ name: "test", version: "1.0.0", log: () => undefined });
    const serving = await serveHttp(server, { port: 0, sse: true });
    onTestFinished(() => serving.close());
    const client = await connected({ url: new URL("/sse", serving.url) });
    expect(client.server).toMatchObject({ revision: "2025-11-25", info: { name: "test" } });
  });

  test.each([400, 404, 405])("%i to initialize falls back to HTTP+SSE", async (status) => {
    let say: (message: object) => void = () => undefined;
    const url = await listen((request, response) => {
      if (request.method === "GET") {
        response.writeHead(200, stream).write("event: endpoint\ndata: /messages\n\n");
        say = (message) => void response.write(`data: ${JSON.stringify(message)}\n\n`);
        return;
      }
      void bodyOf(request).then(({ id, method }) => {
        if (request.url !== "/messages") return json(response, status, { error: { code: -32600, message: "no" } });
        response.writeHead(202).end();
        const result = { protocolVersion: "2024-11-05", capabilities: {}, serverInfo: { name: "old", version: "1" } };
        if (method === "initialize") say({ jsonrpc: "2.0", id, result });
      });
    });
    expect((await connected({ url })).server.revision).toBe("2024-11-05");
  });

  test("a stream without an endpoint does not delay the error", async () => {
    const url = await listen((request, response) => {
      if (request.method === "GET") response.writeHead(200, stream).flushHeaders();
      else json(response, 400, { error: { code: -32000, message: "licence expired" } });
    });
    // With the whole timeout, the fallback would outlast the test.
    const patient = { ...pinned, probeTimeoutMs: 50, timeoutMs: 600_000 };
    await expect(connect({ url }, patient)).rejects.toMatchObject({
      name: "ResponseError",
      message: "licence expired",
    });
  });

  test("a server without HTTP+SSE is reported with the code and status of its first error", async () => {
    const { url, seen } = await serve((one, response) => {
      if (one.method === "GET") response.writeHead(405).end();
      else sendError(response, one, 400, { code: -32602, message: "no name", data: { at: "clientInfo" } });
    });
    await expect(connect({ url })).rejects.toMatchObject({
      name: "ResponseError",
      code: -32602,
      message: "no name",
      data: { at: "clientInfo" },
      status: 400,
    });
    expect(seen.map(({ method, message }) => message["method"] ?? method)).toEqual([
      "server/discover",
      "initialize",
      "GET",
    ]);
  });

  test.each([408, 429])("%i is inconclusive and is thrown", async (status) => {
    const stateful = inSession((_one, response) => void response.writeHead(405).end());
    const { url, seen } = await serve((one, response) => {
      if (one.message["method"] !== "server/discover") return stateful(one, response);
      json(response, status, { jsonrpc: "2.0", error: { code: -32600, message: "later" } });
    });
    await expect(connect({ url })).rejects.toMatchObject({ name: "ResponseError", code: -32600, status });
    expect(seen.map(({ message }) => message["method"])).toEqual(["server/discover"]);
  });

  test("a rate-limited stateless server is not taken for one with a handshake", async () => {
    const server = createServer({ name: "test", version: "1.0.0", log: () => undefined });
    const serving = await serveHttp(server, { port: 0, rate: { burst: 1, perSecond: 0.001 } });
    onTestFinished(() => serving.close());
    await connected({ url: serving.url });
    await expect(connect({ url: serving.url })).rejects.toMatchObject({ status: 429, code: -32600 });
  });
});

test("a rate-limited call rejects with the code, data and status", async () => {
  const { url } = await serve((one, response) => {
    if (one.message["method"] === "server/discover") return sendResult(response, one, discovered);
    sendError(response, one, 429, { code: -32003, message: "busy", data: { retryAfterMs: 5 } });
  });
  const client = await connected({ url });
  await expect(client.callTool("x")).rejects.toMatchObject({
    name: "ResponseError",
    code: -32003,
    message: "busy",
    data: { retryAfterMs: 5 },
    status: 429,
  });
});

describe("the server stream", () => {
  const notice = (name: string) => `id: n\nretry: 10\ndata: {"jsonrpc":"2.0","method":"notifications/${name}"}\n\n`;

  test.each([408, 429, 503])("is opened again after %i", async (status) => {
    let attempts = 0;
    const { url } = await serve(
      inSession((one, response) => {
        if (one.method !== "GET") return sendResult(response, one, {});
        attempts += 1;
        if (attempts === 1) response.writeHead(status).end();
        else response.writeHead(200, stream).write(notice("x"));
      }),
    );
    const received: string[] = [];
    await connected({ url }, { ...pinned, onNotification: (method) => received.push(method) });
    await until(() => received.length > 0);
    expect(received).toEqual(["notifications/x"]);
  });

  test("is not opened before Retry-After has passed", async () => {
    let attempts = 0;
    let isTime = false;
    let wasTime: boolean | undefined;
    const { url } = await serve(
      inSession((one, response) => {
        if (one.method !== "GET") return sendResult(response, one, {});
        attempts += 1;
        if (attempts > 1) wasTime ??= isTime;
        else
          setTimeout(() => {
            isTime = true;
          }, 2000);
        response.writeHead(503, { "retry-after": "2" }).end();
      }),
    );
    await connected({ url }, pinned);
    await until(() => wasTime !== undefined);
    expect(wasTime).toBe(true);
  });

  test("is resumed after 429", async () => {
    const places: unknown[] = [];
    const { url } = await serve(
      inSession((one, response) => {
        if (one.method !== "GET") return sendResult(response, one, {});
        places.push(one.headers["last-event-id"]);
        if (places.length === 2) response.writeHead(429).end();
        else response.writeHead(200, stream).end(notice("x"));
      }),
    );
    await connected({ url }, pinned);
    await until(() => places.length > 2);
    expect(places.slice(0, 3)).toEqual([undefined, "n", "n"]);
  });

  test.each([405, 501])("is not opened again after %i", async (status) => {
    const { url, seen } = await serve(
      inSession((one, response) => {
        if (one.method === "GET") response.writeHead(status).end();
        else sendResult(response, one, {});
      }),
    );
    const client = await connected({ url }, pinned);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await client.ping();
    expect(seen.filter(({ method }) => method === "GET").length).toBe(1);
  });
});

test("the stream of a call is resumed after 429", async () => {
  let attempts = 0;
  const { url, seen } = await serve(
    inSession((one, response) => {
      if (one.method === "POST") return void response.writeHead(200, stream).end("id: e\nretry: 10\ndata: \n\n");
      if (one.headers["last-event-id"] === undefined) return void response.writeHead(405).end();
      attempts += 1;
      if (attempts === 1) return void response.writeHead(429).end();
      const id = seen.find(({ message }) => message["method"] === "tools/call")?.message["id"];
      const message = { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "late" }] } };
      response.writeHead(200, stream).end(`data: ${JSON.stringify(message)}\n\n`);
    }),
  );
  const client = await connected({ url }, pinned);
  expect((await client.callTool("slow")).content).toEqual([{ type: "text", text: "late" }]);
});
