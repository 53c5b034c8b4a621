import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { createServer, type JsonObject, type ServerOptions, tool } from "@toolwright/engine";
import { openMemoryConnection, serveStreams } from "@toolwright/engine/transport";
import { describe, expect, test } from "vitest";

const add = tool({
  name: "add",
  description: "Adds.",
  input: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  run: ({ a }, call) => {
    call.log("error", "adding");
    if (a < 0) throw new Error("negative");
    return { sum: a + 1 };
  },
});

const initialize = (protocolVersion: string): JsonObject => ({
  id: 0,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "client", version: "1.0.0" } },
});
const READY = { method: "notifications/initialized" };

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a server says to these messages, one after the other; `‹raw›` is sent as it is. */
async function talk(options: Partial<ServerOptions>, messages: readonly JsonObject[]): Promise<unknown[]> {
  const heard: unknown[] = [];
  const server = createServer({ name: "s", version: "1", tools: [add], log: () => undefined, ...options });
  const connection = await openMemoryConnection(server, (message) => heard.push(JSON.parse(message)));
  for (const message of messages)
    connection.send(
      typeof message["‹raw›"] === "string" ? message["‹raw›"] : JSON.stringify({ jsonrpc: "2.0", ...message }),
    );
  const last = messages.at(-1)?.["id"];
  const isAnswered = () => last === undefined || heard.some((message) => (message as JsonObject)["id"] === last);
  for (let round = 0; round < 400 && !isAnswered(); round += 1) await pause(5);
  await pause(5);
  return heard;
}

const resultsOf = async (options: Partial<ServerOptions>, ...messages: readonly JsonObject[]): Promise<unknown[]> => {
  const heard = await talk({ protocol: { revisions: ["2025-11-25"] }, ...options }, [
    initialize("2025-11-25"),
    READY,
    ...messages,
  ]);
  return heard.slice(1).map((message) => {
    const { result, error, params } = message as JsonObject;
    return result ?? error ?? params;
  });
};

const call = (a: number): JsonObject => ({ id: 1, method: "tools/call", params: { name: "add", arguments: { a } } });

describe("protocol.features", () => {
  test("are announced, and the methods of others are not found", async () => {
    const [answer, ...rest] = await talk(
      { protocol: { revisions: ["2025-11-25"], features: ["tools"] }, prompts: [], resources: [], dynamic: true },
      [
        initialize("2025-11-25"),
        READY,
        { id: 1, method: "resources/list" },
        { id: 2, method: "prompts/list" },
        { id: 3, method: "logging/setLevel", params: { level: "error" } },
        call(1),
      ],
    );
    expect((answer as { result: JsonObject }).result["capabilities"]).toEqual({ tools: { listChanged: true } });
    expect(rest.map((message) => (message as { error?: JsonObject }).error?.["code"])).toEqual([
      -32601,
      -32601,
      -32601,
      undefined,
    ]);
  });

  test("of which nothing is announced can be defined later", async () => {
    const server = createServer({ name: "s", version: "1", dynamic: true, protocol: { features: ["tools"] } });
    await server.start();
    server.addPrompt({ name: "p", description: "A prompt.", run: () => "p" });
    expect(server.prompts).toHaveLength(1);
    await server.close();
  });
});

describe("compat.capabilities", () => {
  const options = { dynamic: true, protocol: { revisions: ["2025-11-25"] } };
  const capabilitiesOf = async (capabilities: JsonObject | undefined) => {
    const server = createServer({
      ...options,
      name: "s",
      version: "1",
      tools: [add],
      ...(capabilities && { compat: { capabilities } }),
    });
    const heard: JsonObject[] = [];
    const connection = await openMemoryConnection(server, (message) => heard.push(JSON.parse(message) as JsonObject));
    for (const message of [initialize("2025-11-25"), READY])
      connection.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    await pause(5);
    server.removeTool("add");
    await pause(20);
    const [first, ...more] = heard;
    return [(first as { result: JsonObject }).result["capabilities"], more.map(({ method }) => method)];
  };

  test("are announced as they are, and decide which changes are notified", async () => {
    const changed = "notifications/tools/list_changed";
    expect(await capabilitiesOf(undefined)).toEqual([{ logging: {}, tools: { listChanged: true } }, [changed]]);
    expect(await capabilitiesOf({ tools: { listChanged: true } })).toEqual([
      { tools: { listChanged: true } },
      [changed],
    ]);
    expect(await capabilitiesOf({ tools: { listChanged: false } })).toEqual([{ tools: { listChanged: false } }, []]);
    expect(await capabilitiesOf({})).toEqual([{}, []]);
  });
});

describe("compat.lifecycle", () => {
  const codes = async (lifecycle: "strict" | "strict-ping") => {
    const heard = await talk({ protocol: { revisions: ["2025-11-25"] }, compat: { lifecycle } }, [
      { id: 1, method: "ping" },
      initialize("2025-11-25"),
      { id: 2, method: "ping" },
      { id: 3, method: "tools/list" },
      READY,
      { id: 4, method: "ping" },
    ]);
    return heard.map((message) => (message as { error?: JsonObject }).error?.["message"]);
  };
  const first = "Server not initialized. Send initialize first.";
  const then = "Server not initialized. Send initialized notification first.";

  test("strict serves pings at any time, strict-ping only after the handshake", async () => {
    expect(await codes("strict")).toEqual([undefined, undefined, undefined, then, undefined]);
    expect(await codes("strict-ping")).toEqual([first, undefined, then, then, undefined]);
  });
});

describe("compat.missingId", () => {
  const messages = [
    { method: "tools/list" },
    { method: "no/such" },
    { method: "notifications/cancelled", params: { requestId: 5 } },
    { method: "add", params: { a: 1 } },
  ];
  const error = {
    jsonrpc: "2.0",
    error: { code: -32600, message: 'Invalid request: "id" is missing: tools/list is a request' },
  };

  test("ignores requests without an id, or rejects them", async () => {
    const protocol = { revisions: ["2025-11-25"] };
    expect(await talk({ protocol }, messages)).toEqual([]);
    expect(await talk({ protocol, compat: { missingId: "reject" } }, messages)).toEqual([error]);
    const named = { missingId: "reject", directToolMethods: true } as const;
    expect(await talk({ protocol, compat: named }, messages)).toHaveLength(2);
  });

  test("rejects them with the id null in revisions that have it so", async () => {
    const compat = { missingId: "reject" } as const;
    const [rejected] = await talk({ protocol: { revisions: ["2024-11-05"] }, compat }, [{ method: "ping" }]);
    expect(rejected).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

test("a parse error has no id where no revision that is served has one", async () => {
  const [error] = await talk({ protocol: { revisions: ["2025-11-25"] } }, [{ "‹raw›": "{" }]);
  expect(Object.keys(error as object)).toEqual(["jsonrpc", "error"]);
  const [older] = await talk({ protocol: { revisions: ["2025-11-25", "2025-06-18"] } }, [{ "‹raw›": "{" }]);
  expect(older).toMatchObject({ id: null });
});

describe("compat.toolResults content", () => {
  const compat = { toolResults: "content" } as const;

  test("has only content, and isError if it is true", async () => {
    const [, good] = await resultsOf({ compat }, call(1));
    expect(good).toEqual({ content: [{ type: "text", text: '{"sum":2}' }] });
    const [, bad] = await resultsOf({ compat }, call(-1));
    expect(bad).toEqual({ content: [{ type: "text", text: expect.any(String) }], isError: true });
  });
});

describe("compat.directToolMethods bare", () => {
  const compat = { directToolMethods: "bare", toolResults: "content" } as const;

  test("responds with the structured content, and to tools/call as before", async () => {
    const direct = { id: 1, method: "add", params: { a: 1 } };
    expect((await resultsOf({ compat }, direct)).at(-1)).toEqual({ sum: 2 });
    expect((await resultsOf({ compat }, call(1))).at(-1)).toEqual({ content: [{ type: "text", text: '{"sum":2}' }] });
    expect((await resultsOf({ compat }, { id: 1, method: "add", params: {} })).at(-1)).toMatchObject({ isError: true });
  });

  test("responds with the whole result if there is no structured content", async () => {
    const greet = tool({ name: "greet", description: "Greets.", run: () => "Hello." });
    const direct = { id: 1, method: "greet" };
    expect((await resultsOf({ compat, tools: [greet] }, direct)).at(-1)).toEqual({
      content: [{ type: "text", text: "Hello." }],
    });
  });
});

test("a placeholder without a value is empty in a message, left out of data and null in a list", async () => {
  const data = { method: "{method}", unknown: "{__proto__}", list: ["{constructor}", "{code}"] };
  const compat = { errors: { METHOD_NOT_FOUND: { message: "no {method}{constructor}", data } } };
  const [, answer] = await talk({ compat, protocol: { revisions: ["2025-11-25"] } }, [
    initialize("2025-11-25"),
    { id: 1, method: "unknown" },
  ]);
  expect((answer as JsonObject)["error"]).toEqual({
    code: -32601,
    message: "no unknown",
    data: { method: "unknown", list: [null, "METHOD_NOT_FOUND"] },
  });
});

describe("limits.requestRate", () => {
  test("rejects requests of any kind over it, but no notifications", async () => {
    const pings = [1, 2, 3].map((id) => ({ id, method: "ping" }));
    const heard = await talk(
      {
        limits: { requestRate: { burst: 3, perSecond: 0.5 } },
        protocol: { revisions: ["2025-11-25"] },
        compat: { errors: { RATE_LIMITED: { code: -32003, message: "Rate limit exceeded" } } },
      },
      [initialize("2025-11-25"), READY, ...pings],
    );
    expect(heard.slice(1)).toEqual([
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 2, result: {} },
      {
        jsonrpc: "2.0",
        id: 3,
        error: {
          code: -32003,
          message: "Rate limit exceeded",
          data: { limit: "requestRate", retryable: true, retryAfterMs: expect.any(Number) },
        },
      },
    ]);
  });

  test("cannot be invalid, and cannot change", async () => {
    const create = (requestRate: object) =>
      createServer({ name: "s", version: "1", limits: { requestRate: requestRate as never } });
    expect(() => create({ burst: 0, perSecond: 1 })).toThrow("limits.requestRate needs burst of at least 1");
    const server = create({ burst: 1, perSecond: 1 });
    expect(() => server.reconfigure({ limits: { requestRate: { burst: 2, perSecond: 2 } } as never })).toThrow(
      "limits.requestRate cannot change while the server runs",
    );
  });
});

test("limits.receivedBytes limits what is received, not what is sent", async () => {
  const echo = tool({ name: "add", description: "Repeats.", unknownArguments: "allow", run: () => "x".repeat(2000) });
  const server = createServer({ name: "s", version: "1", tools: [echo], limits: { receivedBytes: 500 } });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  createInterface({ input: output }).on("line", (line) => lines.push(line));
  const served = serveStreams(server, { input, output });
  for (const message of [initialize("2025-11-25"), READY, call(1), { ...call(2), id: "i".repeat(500) }])
    input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  input.end();
  await served;
  const answers = lines.map((line) => JSON.parse(line) as JsonObject);
  expect(answers.find(({ id }) => id === 1)?.["result"]).toMatchObject({ content: [{ text: "x".repeat(2000) }] });
  expect(answers.find(({ error }) => error !== undefined)?.["error"]).toMatchObject({
    code: -32600,
    message: expect.stringContaining("the limit is 500"),
    data: { limit: "messageBytes", max: 500 },
  });
});
