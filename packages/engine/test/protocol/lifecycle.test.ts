import { type JsonObject, type LogEntry, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { HANDSHAKE, onRevisions } from "../support/every-revision.js";
import {
  createBlockingTool,
  createEcho,
  echo,
  INITIALIZED,
  initializeIn,
  messagesFrom,
  openRaw,
  sessionRequest,
  settled,
  statelessRequest,
} from "./support.js";

const read = (texts: readonly string[]): JsonObject[] => texts.map((text) => JSON.parse(text) as JsonObject);
const info = { name: "c", version: "1" };

test.each([
  [undefined],
  [{}],
  [{ capabilities: {}, clientInfo: info }],
  [{ protocolVersion: 20250618, capabilities: {}, clientInfo: info }],
  [{ protocolVersion: null, capabilities: {}, clientInfo: info }],
  [{ protocolVersion: "2025-06-18", clientInfo: info }],
  [{ protocolVersion: "2025-06-18", capabilities: [], clientInfo: info }],
  [{ protocolVersion: "2025-06-18", capabilities: {} }],
  [{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: "c" }],
  [{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c" } }],
  [{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { version: "1" } }],
  [{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: 1, version: "1" } }],
])("initialize with params %j gets -32602, and may be sent again [LIFE-01]", async (params) => {
  const raw = await openRaw(createEcho());
  const [refused, agreed] = read(
    await raw.sendAndReceive(sessionRequest(1, "initialize", params), initializeIn("2025-06-18")),
  );
  expect(refused).toMatchObject({ id: 1, error: { code: -32602 } });
  expect(agreed).toMatchObject({ id: "init", result: { protocolVersion: "2025-06-18" } });
});

test.each([...HANDSHAKE])("initialize for %s is answered with the same version [LIFE-02 LIFE-03]", async (version) => {
  const raw = await openRaw(createEcho({ instructions: "Be brief." }));
  expect(read(await raw.sendAndReceive(initializeIn(version)))).toEqual([
    {
      jsonrpc: "2.0",
      id: "init",
      result: {
        protocolVersion: version,
        capabilities: { logging: {}, tools: { listChanged: false } },
        instructions: "Be brief.",
        serverInfo: { name: "test", version: "1.0.0" },
      },
    },
  ]);
});

test.each([
  [["2025-11-25", "2025-06-18"], "Send initialize first"],
  [
    ["2026-07-28", "2025-11-25"],
    "Send initialize first, or the protocol version and the client's capabilities in params._meta of each request",
  ],
])(
  "a request without a handshake to a server of %j gets an error that says what to send",
  async (revisions, advice) => {
    const raw = await openRaw(createEcho({ protocol: { revisions } }));
    const [refused] = read(await raw.sendAndReceive(sessionRequest(1, "tools/list")));
    const message = `Invalid request: tools/list came before initialize. ${advice}`;
    expect(refused).toMatchObject({ error: { code: -32600, message } });
  },
);

test.each(["tolerant", "strict", "off"] as const)(
  "a stateless server requires the _meta of a request, not initialize (%s) [MOD-01]",
  async (lifecycle) => {
    const raw = await openRaw(createEcho({ compat: { lifecycle }, protocol: { revisions: ["2026-07-28"] } }));
    const answers = read(
      await raw.sendAndReceive(
        sessionRequest(1, "tools/list"),
        sessionRequest(2, "ping", { _meta: {} }),
        sessionRequest(3, "server/discover"),
      ),
    );
    const missing = (where: string) => ({ code: -32602, message: `Invalid params: every request needs ${where}` });
    expect(answers).toMatchObject([
      { id: 1, error: missing("params._meta") },
      { id: 2, error: missing('params._meta["io.modelcontextprotocol/protocolVersion"]') },
      { id: 3, error: missing("params._meta") },
    ]);
    expect(read(await raw.sendAndReceive(initializeIn("2025-11-25")))).toMatchObject([{ error: { code: -32022 } }]);
  },
);

test("instructions are omitted if there are none [LIFE-02]", async () => {
  const raw = await openRaw(createEcho());
  const [answer] = read(await raw.sendAndReceive(initializeIn("2025-11-25")));
  expect(Object.keys(answer?.["result"] as JsonObject)).toEqual(["protocolVersion", "capabilities", "serverInfo"]);
});

test.each(["1.0.0", "2024-10-07", "2025-01-01", "", "DRAFT-2025-v2"])(
  "initialize for the unknown version %j is answered with 2025-11-25 [LIFE-04]",
  async (version) => {
    const raw = await openRaw(createEcho());
    const answers = read(await raw.sendAndReceive(initializeIn(version), INITIALIZED, sessionRequest(1, "tools/list")));
    expect(answers).toMatchObject([{ result: { protocolVersion: "2025-11-25" } }, { id: 1, result: {} }]);
  },
);

test("the offered version is one that the server is configured for [LIFE-04]", async () => {
  const raw = await openRaw(createEcho({ protocol: { revisions: ["2024-11-05", "2025-03-26"] } }));
  expect(read(await raw.sendAndReceive(initializeIn("2025-11-25")))).toMatchObject([
    { result: { protocolVersion: "2025-03-26" } },
  ]);
});

test.each(["2026-07-28", "2026-12-01", "2099-01-01"])(
  "initialize for %s is answered with 2025-11-25, and never with a stateless revision [LIFE-05]",
  async (version) => {
    const raw = await openRaw(createEcho());
    expect(read(await raw.sendAndReceive(initializeIn(version)))).toMatchObject([
      { result: { protocolVersion: "2025-11-25" } },
    ]);
  },
);

test("before initialize only ping is served, and the error says what to do [LIFE-06 PING-01]", async () => {
  const raw = await openRaw(createEcho());
  const [pong, ...refusals] = read(
    await raw.sendAndReceive(
      sessionRequest(1, "ping"),
      sessionRequest(2, "tools/list"),
      sessionRequest(3, "tools/call", { name: "echo", arguments: { text: "a" } }),
      sessionRequest(4, "logging/setLevel", { level: "info" }),
      sessionRequest(5, "no/such/method"),
    ),
  );
  expect(pong).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  expect(refusals.map(({ id }) => id)).toEqual([2, 3, 4, 5]);
  for (const { error } of refusals) {
    expect(error).toMatchObject({ code: -32600, message: expect.stringContaining("Send initialize first") });
  }
});

test("notifications/initialized before initialize has no effect [LIFE-06]", async () => {
  const raw = await openRaw(createEcho({ compat: { lifecycle: "strict" } }));
  const [refused, , early] = read(
    await raw.sendAndReceive(
      INITIALIZED,
      sessionRequest(1, "tools/list"),
      initializeIn("2025-06-18"),
      sessionRequest(2, "tools/list"),
    ),
  );
  expect(refused).toMatchObject({ id: 1, error: { code: -32600 } });
  expect(early).toMatchObject({ id: 2, error: { code: -32600 } });
});

onRevisions(HANDSHAKE, "ping gets an empty result at once, also while a tool runs [PING-01]", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool], limits: { callsInFlight: 1 } }));
  const running = client.startRequest("tools/call", { name: "gate" });
  client.send({ jsonrpc: "2.0", id: "p", method: "ping" });
  expect(messagesFrom(client).at(-1)).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
  expect(await client.request("ping", { _meta: { "example.com/a": 1 } })).toEqual({});
  gate.open();
  await running.response;
});

test.each([...HANDSHAKE])(
  "change notifications in %s start after notifications/initialized [LIFE-07]",
  async (version) => {
    const server = createEcho({ dynamic: true });
    const raw = await openRaw(server);
    await raw.sendAndReceive(initializeIn(version));
    server.addTool({ ...echo, name: "second" });
    await settled();
    expect(raw.received).toHaveLength(1);
    await raw.sendAndReceive(INITIALIZED);
    server.addTool({ ...echo, name: "third" });
    await settled();
    expect(raw.received.slice(1)).toEqual(['{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}']);
  },
);

test.each(["2025-06-18", "2025-11-25"])(
  "a tool cannot elicit before notifications/initialized in %s [LIFE-07]",
  async (version) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_, call) => ((await call.elicit("sure", "Sure?", { type: "object", properties: {} })) ? "yes" : "no"),
    });
    const raw = await openRaw(createEcho({ tools: [asking] }));
    const call = sessionRequest(1, "tools/call", { name: "asking" });
    const early = await raw.sendAndReceive(initializeIn(version, { capabilities: { elicitation: {} } }), call);
    expect(read(early.slice(1))).toMatchObject([
      {
        id: 1,
        result: {
          isError: true,
          content: [
            {
              type: "text",
              text: "This tool cannot send elicitation/create: the client has not sent notifications/initialized yet.",
            },
          ],
        },
      },
    ]);
    expect(read(await raw.sendAndReceive(INITIALIZED, call))).toMatchObject([{ id: 1, method: "elicitation/create" }]);
    raw.close();
  },
);

test("requests between initialize and notifications/initialized are served, and the log says so once [LIFE-07]", async () => {
  const logged: LogEntry[] = [];
  const raw = await openRaw(createEcho({ log: (entry) => logged.push(entry) }));
  const answers = read(
    await raw.sendAndReceive(
      initializeIn("2025-11-25"),
      sessionRequest(1, "tools/list"),
      sessionRequest(2, "tools/list"),
      INITIALIZED,
      sessionRequest(3, "tools/list"),
    ),
  );
  expect(answers.map(({ id, result }) => [id, result !== undefined])).toEqual([
    ["init", true],
    [1, true],
    [2, true],
    [3, true],
  ]);
  expect(logged).toEqual([
    { level: "notice", message: "tools/list came before notifications/initialized; it is served", requestId: 1 },
  ]);
});

test.each(["tolerant", "strict", "off"] as const)(
  "with lifecycle %s a second initialize is rejected [LIFE-08]",
  async (lifecycle) => {
    const raw = await openRaw(createEcho({ compat: { lifecycle } }));
    const [first, again, list] = read(
      await raw.sendAndReceive(
        initializeIn("2025-03-26"),
        INITIALIZED,
        initializeIn("2025-11-25"),
        sessionRequest(1, "tools/list"),
      ),
    );
    expect(first).toMatchObject({ result: { protocolVersion: "2025-03-26" } });
    expect(again).toEqual({ jsonrpc: "2.0", id: "init", error: { code: -32600, message: "Already initialized" } });
    expect(list).toMatchObject({ id: 1, result: {} });
  },
);

test("lifecycle strict rejects everything but ping until the handshake is complete", async () => {
  const raw = await openRaw(createEcho({ compat: { lifecycle: "strict" } }));
  expect(
    read(
      await raw.sendAndReceive(
        sessionRequest(1, "tools/list"),
        sessionRequest(2, "ping"),
        initializeIn("2025-11-25"),
        sessionRequest(3, "tools/list"),
        sessionRequest(4, "ping"),
        INITIALIZED,
        sessionRequest(5, "tools/list"),
      ),
    ),
  ).toMatchObject([
    { id: 1, error: { code: -32600, message: "Server not initialized. Send initialize first." } },
    { id: 2, result: {} },
    { id: "init", result: {} },
    { id: 3, error: { code: -32600, message: "Server not initialized. Send initialized notification first." } },
    { id: 4, result: {} },
    { id: 5, result: { tools: [{ name: "echo" }] } },
  ]);
});

test("lifecycle strict serves stateless requests at any time", async () => {
  const raw = await openRaw(createEcho({ compat: { lifecycle: "strict" } }));
  const answers = read(
    await raw.sendAndReceive(
      statelessRequest(1, "tools/list"),
      initializeIn("2025-11-25"),
      statelessRequest(2, "tools/list"),
    ),
  );
  expect(answers).toMatchObject([{ id: 1, result: {} }, { id: "init" }, { id: 2, result: { resultType: "complete" } }]);
});

test("lifecycle off serves without a handshake, as revision 2025-11-25", async () => {
  const raw = await openRaw(createEcho({ compat: { lifecycle: "off" } }));
  const [list, call, level, unknown] = read(
    await raw.sendAndReceive(
      sessionRequest(1, "tools/list"),
      sessionRequest(2, "tools/call", { name: "echo", arguments: { text: "a" } }),
      sessionRequest(3, "logging/setLevel", { level: "error" }),
      sessionRequest(4, "no/such/method"),
    ),
  );
  expect(list).toMatchObject({ id: 1, result: { tools: [{ name: "echo" }] } });
  expect(list?.["result"]).not.toHaveProperty("resultType");
  expect(call).toEqual({ jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text: "a" }], isError: false } });
  expect(level).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
  expect(unknown).toMatchObject({ id: 4, error: { code: -32601 } });
});

const whole = {
  title: "Test",
  description: "A server of a test.",
  websiteUrl: "https://test.example",
  icons: [{ src: "https://test.example/icon.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" as const }],
};

test.each([
  ["2024-11-05", { name: "test", version: "1.0.0" }],
  ["2025-03-26", { name: "test", version: "1.0.0" }],
  ["2025-06-18", { name: "test", version: "1.0.0", title: "Test" }],
  ["2025-11-25", { name: "test", version: "1.0.0", ...whole }],
])("serverInfo has the members of %s [LIFE-09]", async (version, serverInfo) => {
  const raw = await openRaw(createEcho(whole));
  const [answer] = read(await raw.sendAndReceive(initializeIn(version)));
  expect(answer).toHaveProperty("result.serverInfo", serverInfo);
});

test.each(["2025-06-18", "2025-11-25"])(
  "an elicitation in %s without a response times out and is cancelled [LIFE-10 CANC-05]",
  async (version) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_, call) => ((await call.elicit("sure", "Sure?", { type: "object", properties: {} })) ? "yes" : "no"),
    });
    const raw = await openRaw(createEcho({ tools: [asking], limits: { inputTimeoutMs: 20 } }));
    await raw.sendAndReceive(initializeIn(version, { capabilities: { elicitation: {} } }), INITIALIZED);
    await raw.sendAndReceive(sessionRequest(1, "tools/call", { name: "asking" }));
    await settled(60);
    expect(read(raw.received.slice(1))).toMatchObject([
      { id: 1, method: "elicitation/create" },
      {
        method: "notifications/cancelled",
        params: { requestId: 1, reason: "no response within 20 ms" },
      },
      {
        id: 1,
        result: {
          isError: true,
          content: [{ type: "text", text: "The input request failed: no response within 20 ms." }],
        },
      },
    ]);
    expect(await raw.sendAndReceive('{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}')).toEqual([]);
  },
);

test("initialize accepts protocol_version and client_info, with a log message", async () => {
  const logged: LogEntry[] = [];
  const raw = await openRaw(createEcho({ log: (entry) => logged.push(entry) }));
  const params = { protocol_version: "2025-03-26", capabilities: {}, client_info: info };
  expect(read(await raw.sendAndReceive(sessionRequest(1, "initialize", params)))).toMatchObject([
    { id: 1, result: { protocolVersion: "2025-03-26" } },
  ]);
  expect(logged.map(({ message }) => message)).toEqual([
    "initialize: read protocol_version as protocolVersion",
    "initialize: read client_info as clientInfo",
  ]);
});

test("the standard names take precedence, and aliases can be disabled", async () => {
  const both = { ...JSON.parse(initializeIn("2025-06-18")).params, protocol_version: "2024-11-05" } as JsonObject;
  const reading = await openRaw(createEcho());
  expect(read(await reading.sendAndReceive(sessionRequest(1, "initialize", both)))).toMatchObject([
    { result: { protocolVersion: "2025-06-18" } },
  ]);
  const strict = await openRaw(createEcho({ compat: { inputAliases: false } }));
  const alias = { protocol_version: "2025-06-18", capabilities: {}, client_info: info };
  expect(read(await strict.sendAndReceive(sessionRequest(1, "initialize", alias)))).toMatchObject([
    { error: { code: -32602 } },
  ]);
});
