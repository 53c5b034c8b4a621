import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "@toolwright/engine/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { answer, discovered, hands, inSession, json, refuse, serve } from "./peers.js";
import { connected, until } from "./ways.js";

/** A server of the newer era that answers everything but the first question with this. */
const answering = (result: unknown) =>
  serve((one, response) => answer(response, one, one.message["method"] === "server/discover" ? discovered : result));

describe("an answer that is none", () => {
  test.each([
    ["a list without entries", { tools: "none" }, 'The server\'s answer to tools/list has no list "tools"'],
    [
      "pages that never end",
      { tools: [], nextCursor: "1" },
      "The pages of tools/list never end: the server gave one cursor twice",
    ],
    ["no object", 7, "The server's answer to tools/list has neither a result nor an error; it is no MCP server"],
  ])("%s is refused in words", async (_name, result, words) => {
    const client = await connected({ url: (await answering(result)).url });
    await expect(client.listTools()).rejects.toMatchObject({ name: "ConnectionFailed", message: words });
  });

  test.each([
    [1, "more follow 1001 entries"],
    [50_000, "more follow 100000 entries"],
  ])("pages of %i that never end are refused though each has a cursor of its own", async (size, words) => {
    let page = 0;
    const tools = Array.from({ length: size }, () => ({}));
    const { url } = await serve((one, response) => {
      page += 1;
      const more = { tools, nextCursor: String(page) };
      answer(response, one, one.message["method"] === "server/discover" ? discovered : more);
    });
    const client = await connected({ url });
    await expect(client.listTools()).rejects.toThrow(`The pages of tools/list never end: ${words}`);
  });

  test("a page that never ends is read as far as it goes, and what is no entry is left out", async () => {
    const tools = [null, 7, ["b"], { name: "a" }, ...Array.from({ length: 200_000 }, () => null)];
    const client = await connected({ url: (await answering({ tools })).url });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["a"]);
  });

  test("a tool result without content and a completion without values are refused in words", async () => {
    const client = await connected({ url: (await answering({})).url });
    await expect(client.callTool("x")).rejects.toThrow(
      "The server's answer to tools/call has no content; it is no tool result",
    );
    await expect(client.complete({ type: "ref/prompt", name: "x" }, { name: "a", value: "" })).rejects.toThrow(
      "The server's answer to completion/complete has no values",
    );
  });

  test("text that is no JSON, and an answer that breaks off, are told apart", async () => {
    const { url } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") return answer(response, one, discovered);
      response.writeHead(200, { "content-type": "application/json", "content-length": "9" });
      if (one.message["method"] === "tools/list") response.end("{oops}   ");
      else response.write("{", () => response.destroy());
    });
    const client = await connected({ url });
    await expect(client.listTools()).rejects.toThrow(`The server at ${url}/ sent what cannot be read: Parse error`);
    await expect(client.listPrompts()).rejects.toThrow("The server's answer broke off: ");
  });

  test("a page instead of an answer is shown", async () => {
    const { url } = await serve((one, response) => {
      if (one.message["method"] === "server/discover") return answer(response, one, discovered);
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
    });
    await expect((await connected({ url })).listTools()).rejects.toThrow(
      `The server at ${url}/ refused the request with HTTP status 502: <h1>Bad gateway</h1>`,
    );
  });
});

test("what a server keeps with the client comes back to it, also where it asks nothing", async () => {
  const { url, seen } = await serve((one, response) => {
    const { requestState, inputResponses } = (one.message["params"] ?? {}) as Record<string, unknown>;
    if (one.message["method"] === "server/discover") answer(response, one, discovered);
    else if (requestState === undefined) answer(response, one, { resultType: "input_required", requestState: "one" });
    else if (requestState === "one") {
      const ask = { method: "elicitation/create", params: { message: "?", requestedSchema: {} } };
      answer(response, one, { resultType: "input_required", requestState: "two", inputRequests: { ask } });
    } else answer(response, one, { content: [], structuredContent: { requestState, inputResponses } });
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

test("a question that nobody here can answer ends the call with words", async () => {
  const { url } = await answering({ resultType: "input_required", inputRequests: { q: { method: "made/up" } } });
  await expect((await connected({ url })).callTool("x")).rejects.toThrow(
    'Cannot answer the question "q": nothing is known of made/up',
  );
});

test("a task that fails or is cancelled ends the call with the server's words, and cancelling a call cancels its task", async () => {
  const task = { resultType: "task", taskId: "t", createdAt: "", lastUpdatedAt: "", ttlMs: null, pollIntervalMs: 20 };
  const states: Record<string, object> = {
    fails: { status: "failed", error: { code: -32603, message: "The oven is broken" } },
    stops: { status: "cancelled", statusMessage: "No more flour" },
    lasts: { status: "working" },
  };
  const { url, seen } = await serve((one, response) => {
    const { name } = (one.message["params"] ?? {}) as { name?: string };
    if (one.message["method"] === "server/discover") answer(response, one, discovered);
    else if (one.message["method"] === "tools/call")
      answer(response, one, { ...task, taskId: name, status: "working" });
    else
      answer(response, one, {
        ...task,
        ...states[(one.message["params"] as { taskId: string }).taskId],
        resultType: "complete",
      });
  });
  const client = await connected({ url });
  await expect(client.callTool("fails")).rejects.toMatchObject({ code: -32603, message: "The oven is broken" });
  await expect(client.callTool("stops")).rejects.toThrow("The task was cancelled: No more flour");
  const giveUp = new AbortController();
  const lasting = client.callTool(
    "lasts",
    {},
    { signal: giveUp.signal, onTask: () => giveUp.abort(new Error("enough")) },
  );
  await expect(lasting).rejects.toThrow("enough");
  const cancels = seen.filter(({ message }) => message["method"] === "tasks/cancel");
  expect(cancels.map(({ headers, message }) => [headers["mcp-name"], message["params"]])).toMatchObject([
    ["lasts", { taskId: "lasts" }],
  ]);
});

test("a call that is a task takes no longer than it may", async () => {
  const task = { taskId: "t", status: "working", pollIntervalMs: 20, pollInterval: 20 };
  const newer = await serve((one, response) => {
    if (one.message["method"] === "server/discover") answer(response, one, discovered);
    else answer(response, one, { ...task, resultType: one.message["method"] === "tools/call" ? "task" : "complete" });
  });
  const older = await serve(
    inSession((one, response) => {
      if (one.method === "GET") response.writeHead(405).end();
      else answer(response, one, one.message["method"] === "tools/call" ? { task } : task);
    }),
  );
  for (const { url, seen } of [newer, older]) {
    const client = await connected({ url }, url === older.url ? { revision: "2025-11-25" } : {});
    await expect(client.callTool("x", {}, { task: true, totalMs: 200 })).rejects.toMatchObject({
      name: "TimedOut",
      message: "The server did not answer tools/call within 200 ms; it was cancelled (totalMs)",
    });
    expect(seen.at(-1)?.message).toMatchObject({ method: "tasks/cancel", params: { taskId: "t" } });
  }
});

test("a call can be given up while its question is open, and one that a handler does not answer fails with words", async () => {
  const ask = { method: "elicitation/create", params: { message: "?", requestedSchema: {} } };
  const { url } = await answering({ resultType: "input_required", inputRequests: { ask } });
  const giveUp = new AbortController();
  const onElicit = () => {
    giveUp.abort(new Error("enough"));
    return new Promise<never>(() => undefined);
  };
  const client = await connected({ url }, { onElicit });
  await expect(client.callTool("x", {}, { signal: giveUp.signal })).rejects.toThrow("enough");
  const silent = await connected({ url }, { onElicit: async () => undefined as never });
  await expect(silent.callTool("x")).rejects.toThrow(
    'Cannot answer the question "ask": nothing is known of elicitation/create',
  );
});

test("an event stream that never says where messages go is given up, and closed", async () => {
  let isClosed = false;
  const { url: sse } = await serve((_one, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
    response.on("close", () => {
      isClosed = true;
    });
  });
  await expect(connect({ sse }, { timeoutMs: 100 })).rejects.toMatchObject({ name: "TimedOut" });
  await until(() => isClosed);
});

test("the end of an event stream fails what is open", async () => {
  const { url: sse } = await serve((one, response) => {
    if (one.method === "POST") return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "text/event-stream" }).write("event: endpoint\ndata: /m\n\n");
    setTimeout(() => response.end(), 200);
  });
  await expect(connect({ sse })).rejects.toThrow(
    `The server at ${sse} has ended its event stream. Connect again to go on`,
  );
});

test("a token that lacks something is told apart from other refusals", async () => {
  const { url } = await serve((one, response) => {
    if (one.message["method"] === "server/discover") return answer(response, one, discovered);
    const error = { code: -32600, message: "needs the scope write" };
    json(
      response,
      403,
      { jsonrpc: "2.0", id: one.message["id"], error },
      { "www-authenticate": 'Bearer scope="write"' },
    );
  });
  await expect((await connected({ url })).callTool("x")).rejects.toMatchObject({
    name: "ConnectionFailed",
    status: 403,
    challenge: 'Bearer scope="write"',
    message: `The server at ${url}/ refused the request with HTTP status 403: needs the scope write`,
  });
});

test("listening ends with the reason when the connection does", async () => {
  const { url } = await serve(
    inSession((one, response) =>
      one.method === "GET" ? void response.writeHead(405).end() : answer(response, one, {}),
    ),
  );
  const client = await connect({ url }, { revision: "2025-11-25" });
  const listening = await client.listen({ uris: ["a:b"] }, () => undefined);
  await client.close();
  expect((await listening.ended)?.message).toBe("The connection was closed from here; connect again to go on");
  expect((await client.closed).name).toBe("ConnectionFailed");
});

test("listening is refused with the server's words", async () => {
  const { url } = await serve((one, response) => {
    if (one.message["method"] === "server/discover") answer(response, one, discovered);
    else refuse(response, one, 404, { code: -32601, message: "Method not found: subscriptions/listen" });
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
  const greet = (end: WebSocket, text: string) => {
    const { id } = JSON.parse(text) as { id: number };
    end.send(JSON.stringify({ jsonrpc: "2.0", id, result: hands }));
  };
  const pinned = { revision: "2025-11-25" };

  test("the sub-protocol and what gives access are shown", async () => {
    const shown: unknown[] = [];
    const target = await open((end, text, { headers }) => {
      shown.push([headers["sec-websocket-protocol"], headers.authorization, headers["x-team"]]);
      greet(end, text);
    });
    await connected(target, { ...pinned, token: () => "t", headers: () => ({ "x-team": "blue" }) });
    expect(shown[0]).toEqual(["mcp", "Bearer t", "blue"]);
  });

  test("a token that the server refuses is asked for once more, with its challenge", async () => {
    type Verify = (info: { req: IncomingMessage }, done: (...said: unknown[]) => void) => void;
    const verifyClient: Verify = ({ req: { headers } }, done) =>
      headers.authorization === "Bearer new" ? done(true) : done(false, 401, "", { "www-authenticate": "Bearer x" });
    const target = await open(greet, { verifyClient });
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

  test("a server that refuses says with which status", async () => {
    const verifyClient = (_info: unknown, done: (isFine: boolean, status: number) => void) => done(false, 401);
    const target = await open(greet, { verifyClient });
    await expect(connect(target)).rejects.toMatchObject({ name: "ConnectionFailed", status: 401 });
  });

  test.each([
    ["a frame that is no JSON", (end: WebSocket) => end.send("{oops"), "sent what cannot be read"],
    ["a frame over the limit", (end: WebSocket) => end.send("x".repeat(20_000)), "Max payload size exceeded"],
    [
      "the end of the connection",
      (end: WebSocket) => end.close(1011, "out of paper"),
      "closed with code 1011: out of paper",
    ],
  ])("%s fails what is open", async (_name, harm, words) => {
    const target = await open((end, text) => (text.includes('"ping"') ? harm(end) : greet(end, text)));
    const client = await connected(target, { ...pinned, messageBytes: 10_000 });
    await expect(client.ping()).rejects.toThrow(words);
  });
});
