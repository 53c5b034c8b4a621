import { type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { ALL, everyRevision, HANDSHAKE } from "../support/every-revision.js";
import {
  createBlockingTool,
  createEcho,
  echo,
  INITIALIZED,
  initializeIn,
  META,
  openRaw,
  sessionRequest,
  settled,
  statelessRequest,
} from "./support.js";

const read = (texts: readonly string[]): JsonObject[] => texts.map((text) => JSON.parse(text) as JsonObject);
const resultsOf = (texts: readonly string[]) =>
  read(texts).map(({ id, result }) => [id, Object.keys(result as object)]);

test.each([...HANDSHAKE])(
  "%s and the stateless revision can be mixed on one connection [ERA-01 ERA-02]",
  async (version) => {
    const raw = await openRaw(createEcho());
    const call = { name: "echo", arguments: { text: "a" } };
    const answers = await raw.sendAndReceive(
      statelessRequest(1, "tools/call", call),
      initializeIn(version),
      INITIALIZED,
      sessionRequest(2, "tools/call", call),
      statelessRequest(3, "tools/call", call),
      sessionRequest(4, "tools/call", call),
      statelessRequest(5, "tools/list"),
      sessionRequest(6, "tools/list"),
      statelessRequest(7, "server/discover"),
    );
    expect(resultsOf(answers)).toEqual([
      [1, ["resultType", "content", "isError", "_meta"]],
      ["init", ["protocolVersion", "capabilities", "serverInfo"]],
      [2, ["content", "isError"]],
      [3, ["resultType", "content", "isError", "_meta"]],
      [4, ["content", "isError"]],
      [5, ["resultType", "tools", "ttlMs", "cacheScope", "_meta"]],
      [6, ["tools"]],
      [7, ["resultType", "supportedVersions", "capabilities", "ttlMs", "cacheScope", "_meta"]],
    ]);
  },
);

test("stateless requests do not initialize the session [ERA-01]", async () => {
  const raw = await openRaw(createEcho());
  const answers = read(await raw.sendAndReceive(statelessRequest(1, "tools/list"), sessionRequest(2, "tools/list")));
  expect(answers).toMatchObject([
    { id: 1, result: {} },
    { id: 2, error: { code: -32600 } },
  ]);
});

test("each connection has its own session [ERA-02]", async () => {
  const server = createEcho();
  const [first, second] = [await openRaw(server), await openRaw(server)];
  await first.sendAndReceive(initializeIn("2025-06-18"), INITIALIZED);
  expect(read(await second.sendAndReceive(sessionRequest(1, "tools/list")))).toMatchObject([
    { error: { code: -32600 } },
  ]);
  expect(read(await second.sendAndReceive(initializeIn("2024-11-05")))).toMatchObject([
    { result: { protocolVersion: "2024-11-05" } },
  ]);
  expect(read(await first.sendAndReceive(sessionRequest(1, "tools/list")))).toMatchObject([{ result: {} }]);
});

test("initialize with stateless metadata is an unknown method, before and after a handshake [ERA-03]", async () => {
  const raw = await openRaw(createEcho());
  const params = { ...(JSON.parse(initializeIn("2025-11-25")) as { params: JsonObject }).params };
  const refused = { id: 1, error: { code: -32601, message: "Method not found: initialize" } };
  expect(read(await raw.sendAndReceive(statelessRequest(1, "initialize", params)))).toMatchObject([refused]);
  expect(read(await raw.sendAndReceive(initializeIn("2025-11-25")))).toMatchObject([{ id: "init", result: {} }]);
  expect(read(await raw.sendAndReceive(statelessRequest(1, "initialize", params)))).toMatchObject([refused]);
});

test.each([...HANDSHAKE])(
  "server/discover does not select a revision, and initialize for %s may follow [ERA-04]",
  async (version) => {
    const raw = await openRaw(createEcho());
    const answers = read(
      await raw.sendAndReceive(
        statelessRequest("probe", "server/discover"),
        statelessRequest("probe", "server/discover").replace("2026-07-28", "2099-01-01"),
        initializeIn(version),
        INITIALIZED,
        sessionRequest(1, "tools/list"),
        sessionRequest(2, "ping"),
      ),
    );
    expect(answers).toMatchObject([
      { id: "probe", result: { resultType: "complete" } },
      { id: "probe", error: { code: -32022 } },
      { id: "init", result: { protocolVersion: version } },
      { id: 1, result: { tools: [{ name: "echo" }] } },
      { id: 2, result: {} },
    ]);
  },
);

test.each([...HANDSHAKE])(
  "_meta with version %s gets -32022 and a hint to use initialize [ERA-05]",
  async (version) => {
    const raw = await openRaw(createEcho());
    await raw.sendAndReceive(initializeIn(version));
    for (const method of ["tools/list", "server/discover", "ping", "initialize"]) {
      expect(
        read(await raw.sendAndReceive(statelessRequest(1, method).replace("2026-07-28", version))),
        method,
      ).toEqual([
        {
          jsonrpc: "2.0",
          id: 1,
          error: {
            code: -32022,
            message: `Unsupported protocol version. ${version} needs a handshake: send initialize`,
            data: {
              supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
              requested: version,
            },
          },
        },
      ]);
    }
  },
);

everyRevision(
  "no message of the stateless revision is sent to a client with a handshake, and vice versa [ERA-07]",
  async (open) => {
    const rich = tool({
      name: "rich",
      title: "Rich",
      description: "Has everything.",
      input: { type: "object", properties: { text: { type: "string" } } },
      output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      annotations: { title: "Rich", readOnlyHint: true },
      icons: [{ src: "https://test.example/i.png" }],
      meta: { "example.com/a": 1 },
      run: ({ text = "" }, call) => {
        call.progress(1, "half");
        call.log("error", { text });
        return { text };
      },
    });
    const server = createEcho({
      title: "Test",
      description: "d",
      websiteUrl: "https://test.example",
      icons: [{ src: "https://test.example/i.png" }],
      instructions: "i",
      dynamic: true,
      tools: [rich],
    });
    // The whole conversation is held against the list of words when the test ends.
    const client = await open(server, { logLevel: "debug" });
    await client.listTools();
    await client.callTool("rich", { text: "a" }, { _meta: { progressToken: 1 } });
    await client.callTool("rich", { wrong: 1 });
    await expect(client.request("no/such/method")).rejects.toMatchObject({ code: -32601 });
    await expect(client.callTool("unheard-of")).rejects.toMatchObject({ code: -32602 });
    server.addTool(echo);
    await settled();
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["rich", "echo"]);
  },
);

test.each([...ALL])("a cancellation matches the request by id, here in %s [ERA-09]", async (version) => {
  const gate = createBlockingTool();
  const raw = await openRaw(createEcho({ tools: [gate.tool] }));
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"one","reason":"enough"}}';
  const marked = JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: "two", reason: "enough", _meta: META },
  });
  const isModern = version === "2026-07-28";
  await raw.sendAndReceive(initializeIn(isModern ? "2025-11-25" : version), INITIALIZED);
  const call = (id: string) =>
    (isModern ? statelessRequest : sessionRequest)(id, "tools/call", { name: "gate", arguments: { id } });
  expect(await raw.sendAndReceive(call("one"), call("two"), cancel, marked)).toEqual([]);
  expect(gate.stopped).toEqual(["one: enough", "two: enough"]);
});

test("a change notifies the session and the tagged listen call, once each [ERA-10]", async () => {
  const server = createEcho({ dynamic: true });
  const raw = await openRaw(server);
  await raw.sendAndReceive(
    initializeIn("2025-11-25"),
    INITIALIZED,
    statelessRequest("listen", "subscriptions/listen", { notifications: { toolsListChanged: true } }),
  );
  const before = raw.received.length;
  server.addTool({ ...echo, name: "second" });
  server.addTool({ ...echo, name: "third" });
  await settled();
  expect(raw.received.slice(before).toSorted()).toEqual(
    [
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"listen"}}}',
    ].toSorted(),
  );
});

test("a change notifies neither a connection without a session nor a listen call without the subscription [ERA-10]", async () => {
  const server = createEcho({ dynamic: true });
  const [bare, modest] = [await openRaw(server), await openRaw(server)];
  await modest.sendAndReceive(
    statelessRequest(1, "subscriptions/listen", { notifications: { promptsListChanged: true } }),
  );
  server.addTool({ ...echo, name: "second" });
  await settled();
  expect(bare.received).toEqual([]);
  expect(read(modest.received)).toMatchObject([{ method: "notifications/subscriptions/acknowledged" }]);
});
