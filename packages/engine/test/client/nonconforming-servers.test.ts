import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "@toolwright/engine/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { discovered, initialized, inSession, json, sendError, sendResult, serve } from "./peers.js";
import { connected, until } from "./targets.js";

/** A stateless server that answers every request except `server/discover` with this result. */
const answering = (result: unknown) =>
  serve((one, response) =>
    sendResult(response, one, one.message["method"] === "server/discover" ? discovered : result),
  );

describe("an invalid response", () => {
  test.each([
    ["a list that is not an array", { tools: "none" }, 'Invalid response to tools/list: "tools" is not an array'],
    ["pages that never end", { tools: [], nextCursor: "1" }, "Cannot list tools/list: the server repeated a cursor"],
    ["no object", 7, "Invalid response to tools/list: it has neither a result nor an error. Is this an MCP server?"],
  ])("%s is reported", async (_name, result, message) => {
    const client = await connected({ url: (await answering(result)).url });
    await expect(client.listTools()).rejects.toMatchObject({ name: "ConnectionError", message });
  });

  test.each([
    [1, "more pages follow after 1001 entries"],
    [50_000, "more pages follow after 100000 entries"],
  ])("endless pages of %i are rejected although each has a new cursor", async (size, message) => {
    let page = 0;
    const tools = Array.from({ length: size }, () => ({}));
    const { url } = await serve((one, response) => {
      page += 1;
      const more = { tools, nextCursor: String(page) };
      sendResult(response, one, one.message["method"] === "server/discover" ? discovered : more);
    });
    const client = await connected({ url });
    await expect(client.listTools()).rejects.toThrow(`Cannot list tools/list: ${message}`);
  });

  test("a page of any size is read, without entries that are not objects", async () => {
    const tools = [null, 7, ["b"], { name: "a" }, ...Array.from({ length: 200_000 }, () => null)];
    const client = await connected({ url: (await answering({ tools })).url });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["a"]);
  });

  test("a tool result without content and a completion without values are reported", async () => {
    const client = await connected({ url: (await answering({})).url });
    await expect(client.callTool("x")).rejects.toThrow("Invalid response to tools/call: it has no content");
    await expect(client.complete({ type: "ref/prompt", name: "x" }, { name: "a", value: "" })).rejects.toThrow(
      "Invalid response to completion/complete: it has no values",
    );
  });

  test("invalid JSON and a response that ends early are distinguished", async () => {
    const { url } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") return sendResult(response, one, discovered);
      response.writeHead(200, { "content-type": "application/json", "content-length": "9" });
      if (one.message["method"] === "tools/list") response.end("{oops}   ");
      else response.write("{", () => response.destroy());
    });
    const client = await connected({ url });
    await expect(client.listTools()).rejects.toThrow(`The server at ${url}/ sent invalid JSON: Parse error`);
    await expect(client.listPrompts()).rejects.toThrow("The server's response ended early: ");
  });

  test("an HTML page is shown in the error", async () => {
    const { url } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") return sendResult(response, one, discovered);
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
    });
    await expect((await connected({ url })).listTools()).rejects.toThrow(
      `The server at ${url}/ rejected the request with HTTP status 502: <h1>Bad gateway</h1>`,
    );
  });
});

test("requestState is sent back, also without input requests", async () => {
  const { url, seen } = await serve((one, response) => {
    const { requestState, inputResponses } = (one.message["params"] ?? {}) as Record<string, unknown>;
    if (one.message["method"] === "server/discover") sendResult(response, one, discovered);
    else if (requestState === undefined)
      sendResult(response, one, { resultType: "input_required", requestState: "one" });
    else if (requestState === "one") {
      const ask = { method: "elicitation/create", params: { message: "?", requestedSchema: {} } };
      sendResult(response, one, { resultType: "input_required", requestState: "two", inputRequests: { ask } });
    } else sendResult(response, one, { content: [], structuredContent: { requestState, inputResponses } });
  });
  const client = await connected({ url }, { onElicit: ({ name }) => ({ action: "accept", content: { name } }) });
  expect((await client.callTool("x", { a: 1 })).structuredContent).toEqual({
    requestState: "two",
    inputResponses: { ask: { action: "accept", content: { name: "ask" } } },
  });
  expect(seen.slice(1).map(({ message }) => message["params"])).toMatchObject([
    { name: "x", arguments: { a: 1 } },
    { name: "x", arguments: { a: 1 }, requestState: "one" },
    { name: "x", arguments: { a: 1 }, requestState: "two" },
  ]);
});

test("an input request without a handler rejects the call", async () => {
  const { url } = await answering({ resultType: "input_required", inputRequests: { q: { method: "made/up" } } });
  await expect((await connected({ url })).callTool("x")).rejects.toThrow(
    'Cannot respond to the input request "q": no handler for made/up',
  );
});

test("a failed or cancelled task rejects the call, and cancelling a call cancels its task", async () => {
  const task = { resultType: "task", taskId: "t", createdAt: "", lastUpdatedAt: "", ttlMs: null, pollIntervalMs: 20 };
  const states: Record<string, object> = {
    fails: { status: "failed", error: { code: -32603, message: "The oven is broken" } },
    stops: { status: "cancelled", statusMessage: "No more flour" },
    lasts: { status: "working" },
  };
  const { url, seen } = await serve((one, response) => {
    const { name } = (one.message["params"] ?? {}) as { name?: string };
    if (one.message["method"] === "server/discover") sendResult(response, one, discovered);
    else if (one.message["method"] === "tools/call")
      sendResult(response, one, { ...task, taskId: name, status: "working" });
    else
      sendResult(response, one, {
        ...task,
        ...states[(one.message["params"] as { taskId: string }).taskId],
        resultType: "complete",
      });
  });
  const client = await connected({ url });
  await expect(client.callTool("fails")).rejects.toMatchObject({ code: -32603, message: "The oven is broken" });
  await expect(client.callTool("stops")).rejects.toThrow("Task cancelled: No more flour");
  const abort = new AbortController();
  const lasting = client.callTool(
    "lasts",
    {},
    { signal: abort.signal, onTask: () => abort.abort(new Error("enough")) },
  );
  await expect(lasting).rejects.toThrow("enough");
  const cancels = seen.filter(({ message }) => message["method"] === "tasks/cancel");
  expect(cancels.map(({ headers, message }) => [headers["mcp-name"], message["params"]])).toMatchObject([
    ["lasts", { taskId: "lasts" }],
  ]);
});

test("totalTimeoutMs applies to a call that becomes a task", async () => {
  const task = { taskId: "t", status: "working", pollIntervalMs: 20, pollInterval: 20 };
  const stateless = await serve((one, response) => {
    if (one.message["method"] === "server/discover") sendResult(response, one, discovered);
    else
      sendResult(response, one, { ...task, resultType: one.message["method"] === "tools/call" ? "task" : "complete" });
  });
  const stateful = await serve(
    inSession((one, response) => {
      if (one.method === "GET") response.writeHead(405).end();
      else sendResult(response, one, one.message["method"] === "tools/call" ? { task } : task);
    }),
  );
  for (const { url, seen } of [stateless, stateful]) {
    const client = await connected({ url }, url === stateful.url ? { revision: "2025-11-25" } : {});
    await expect(client.callTool("x", {}, { task: true, totalTimeoutMs: 200 })).rejects.toMatchObject({
      name: "TimeoutError",
      message: "The server did not respond to tools/call within 200 ms (totalTimeoutMs); it was cancelled",
    });
    expect(seen.at(-1)?.message).toMatchObject({ method: "tasks/cancel", params: { taskId: "t" } });
  }
});

test("a call can be aborted while input is pending, and rejects if a handler returns nothing", async () => {
  const ask = { method: "elicitation/create", params: { message: "?", requestedSchema: {} } };
  const { url } = await answering({ resultType: "input_required", inputRequests: { ask } });
  const abort = new AbortController();
  const onElicit = () => {
    abort.abort(new Error("enough"));
    return new Promise<never>(() => undefined);
  };
  const client = await connected({ url }, { onElicit });
  await expect(client.callTool("x", {}, { signal: abort.signal })).rejects.toThrow("enough");
  const silent = await connected({ url }, { onElicit: async () => undefined as never });
  await expect(silent.callTool("x")).rejects.toThrow(
    'Cannot respond to the input request "ask": no handler for elicitation/create',
  );
});

test("an event stream without an endpoint times out and is closed", async () => {
  let isClosed = false;
  const { url: sse } = await serve((_one, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
    response.on("close", () => {
      isClosed = true;
    });
  });
  await expect(connect({ sse }, { timeoutMs: 100 })).rejects.toMatchObject({ name: "TimeoutError" });
  await until(() => isClosed);
});

test("the end of an event stream rejects pending requests", async () => {
  const { url: sse } = await serve((one, response) => {
    if (one.method === "POST") return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "text/event-stream" }).write("event: endpoint\ndata: /m\n\n");
    setTimeout(() => response.end(), 200);
  });
  await expect(connect({ sse })).rejects.toThrow(
    `The server at ${sse} closed its event stream. Connect again to continue`,
  );
});

test("403 is reported with the challenge of the server", async () => {
  const { url } = await serve((one, response) => {
    if (one.message["method"] === "server/discover") return sendResult(response, one, discovered);
    const error = { code: -32600, message: "needs the scope write" };
    json(
      response,
      403,
      { jsonrpc: "2.0", id: one.message["id"], error },
      { "www-authenticate": 'Bearer scope="write"' },
    );
  });
  await expect((await connected({ url })).callTool("x")).rejects.toMatchObject({
    name: "ConnectionError",
    status: 403,
    challenge: 'Bearer scope="write"',
    message: `The server at ${url}/ rejected the request with HTTP status 403: needs the scope write`,
  });
});

test("a subscription ends with the reason when the connection does", async () => {
  const { url } = await serve(
    inSession((one, response) =>
      one.method === "GET" ? void response.writeHead(405).end() : sendResult(response, one, {}),
    ),
  );
  const client = await connect({ url }, { revision: "2025-11-25" });
  const listening = await client.listen({ uris: ["a:b"] }, () => undefined);
  await client.close();
  expect((await listening.closed)?.message).toBe("The client closed the connection; connect again to continue");
  expect((await client.closed).name).toBe("ConnectionError");
});

test("listen rejects with the error of the server", async () => {
  const { url } = await serve((one, response) => {
    if (one.message["method"] === "server/discover") sendResult(response, one, discovered);
    else sendError(response, one, 404, { code: -32601, message: "Method not found: subscriptions/listen" });
  });
  await expect((await connected({ url })).listen({ tools: true }, () => undefined)).rejects.toMatchObject({
    code: -32601,
  });
});

describe("over a WebSocket", () => {
  const open = async (
    respond: (end: WebSocket, text: string, request: IncomingMessage) => void,
    options: object = {},
  ) => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1", ...options });
    server.on("connection", (end, request) =>
      end.on("message", (frame: Buffer) => respond(end, frame.toString(), request)),
    );
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const respondToInitialize = (end: WebSocket, text: string) => {
    const { id } = JSON.parse(text) as { id: number };
    end.send(JSON.stringify({ jsonrpc: "2.0", id, result: initialized }));
  };
  const pinned = { revision: "2025-11-25" };

  test("the subprotocol and credentials are sent", async () => {
    const shown: unknown[] = [];
    const target = await open((end, text, { headers }) => {
      shown.push([headers["sec-websocket-protocol"], headers.authorization, headers["x-team"]]);
      respondToInitialize(end, text);
    });
    await connected(target, { ...pinned, token: () => "t", headers: () => ({ "x-team": "blue" }) });
    expect(shown[0]).toEqual(["mcp", "Bearer t", "blue"]);
  });

  test("the token is requested again after 401, with the challenge", async () => {
    type Verify = (info: { req: IncomingMessage }, done: (...args: unknown[]) => void) => void;
    const verifyClient: Verify = ({ req: { headers } }, done) =>
      headers.authorization === "Bearer new" ? done(true) : done(false, 401, "", { "www-authenticate": "Bearer x" });
    const target = await open(respondToInitialize, { verifyClient });
    const challenges: unknown[] = [];
    const ask = (answers: string[]) => (challenge?: string) => {
      challenges.push(challenge);
      return answers.shift();
    };
    await connected(target, { ...pinned, token: ask(["old", "new"]) });
    await expect(connect(target, { ...pinned, token: ask(["old", "older", "new"]) })).rejects.toMatchObject({
      status: 401,
    });
    expect(challenges).toEqual([undefined, "Bearer x", undefined, "Bearer x"]);
  });

  test("a rejected upgrade is reported with its status", async () => {
    const verifyClient = (_info: unknown, done: (isFine: boolean, status: number) => void) => done(false, 401);
    const target = await open(respondToInitialize, { verifyClient });
    await expect(connect(target)).rejects.toMatchObject({ name: "ConnectionError", status: 401 });
  });

  test.each([
    ["a frame of invalid JSON", (end: WebSocket) => end.send("{oops"), "sent invalid JSON"],
    ["a frame over the limit", (end: WebSocket) => end.send("x".repeat(20_000)), "Max payload size exceeded"],
    [
      "the end of the connection",
      (end: WebSocket) => end.close(1011, "out of paper"),
      "closed with code 1011: out of paper",
    ],
  ])("%s rejects pending requests", async (_name, fail, message) => {
    const target = await open((end, text) => (text.includes('"ping"') ? fail(end) : respondToInitialize(end, text)));
    const client = await connected(target, { ...pinned, maxMessageBytes: 10_000 });
    await expect(client.ping()).rejects.toThrow(message);
  });
});
