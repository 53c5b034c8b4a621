import { type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, echo, initializeIn, META, messagesFrom, openRaw, statelessRequest } from "./support.js";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const CLIENT = "io.modelcontextprotocol/clientInfo";
const SERVER = "io.modelcontextprotocol/serverInfo";

const modernFact = (fact: string, body: Parameters<typeof onRevisions>[2]) => onRevisions([STATELESS], fact, body);
const read = (texts: readonly string[]): JsonObject[] => texts.map((text) => JSON.parse(text) as JsonObject);
const withMeta = (meta: unknown, method = "tools/list"): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: meta } });

const calling = (id: number, name: string, meta: JsonObject): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, _meta: meta } });

const asking = tool({
  name: "asking",
  description: "Asks.",
  run: async (_, call) => ((await call.elicit("sure", "Sure?", { type: "object", properties: {} })) ? "yes" : "no"),
});

test.each([
  [{ [CAPABILITIES]: {} }, VERSION],
  [{ [VERSION]: 20260728, [CAPABILITIES]: {} }, VERSION],
  [{ [VERSION]: null, [CAPABILITIES]: {} }, VERSION],
  [{ [VERSION]: "2026-07-28" }, CAPABILITIES],
  [{ [VERSION]: "2026-07-28", [CAPABILITIES]: null }, CAPABILITIES],
  [{ [VERSION]: "2026-07-28", [CAPABILITIES]: [] }, CAPABILITIES],
  [{ [VERSION]: "2026-07-28", [CAPABILITIES]: "all" }, CAPABILITIES],
])("a request with the _meta %j gets -32602 [MOD-01]", async (meta, missing) => {
  for (const method of ["tools/list", "tools/call", "server/discover", "subscriptions/listen", "no/such/method"]) {
    const raw = await openRaw(createEcho());
    expect(read(await raw.sendAndReceive(withMeta(meta, method))), method).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32602,
          message: `Invalid params: every request needs params._meta["${missing}"]`,
          data: { missing },
        },
      },
    ]);
  }
});

test("missing _meta members are reported before an unsupported version [MOD-01 MOD-04]", async () => {
  const raw = await openRaw(createEcho());
  expect(read(await raw.sendAndReceive(withMeta({ [VERSION]: "2099-01-01" })))).toMatchObject([
    { error: { code: -32602 } },
  ]);
});

test("server/discover without _meta gets -32602 [MOD-01 MOD-05]", async () => {
  const raw = await openRaw(createEcho());
  for (const text of [
    '{"jsonrpc":"2.0","id":1,"method":"server/discover"}',
    '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{}}}',
  ]) {
    expect(read(await raw.sendAndReceive(text)), text).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  }
});

test("a request without clientInfo is served [MOD-02]", async () => {
  const raw = await openRaw(createEcho());
  const answers = read(
    await raw.sendAndReceive(
      statelessRequest(1, "server/discover"),
      statelessRequest(2, "tools/list"),
      statelessRequest(3, "tools/call", { name: "echo", arguments: { text: "a" } }),
    ),
  );
  expect(answers.map(({ id, result }) => [id, (result as JsonObject)["resultType"]])).toEqual([
    [1, "complete"],
    [2, "complete"],
    [3, "complete"],
  ]);
});

test("capabilities apply only to the request that declares them [MOD-03 MOD-08]", async () => {
  const raw = await openRaw(createEcho({ tools: [asking] }));
  const able = { ...META, [CAPABILITIES]: { elicitation: {} } };
  expect(read(await raw.sendAndReceive(calling(1, "asking", able)))).toMatchObject([
    { id: 1, result: { resultType: "input_required" } },
  ]);
  expect(read(await raw.sendAndReceive(calling(2, "asking", META)))).toEqual([
    {
      jsonrpc: "2.0",
      id: 2,
      error: {
        code: -32021,
        message: "This request needs client capabilities that were not declared: elicitation",
        data: { requiredCapabilities: { elicitation: {} } },
      },
    },
  ]);
});

test("capabilities of a handshake do not apply to stateless requests [MOD-03]", async () => {
  const raw = await openRaw(createEcho({ tools: [asking] }));
  await raw.sendAndReceive(initializeIn("2025-11-25", { capabilities: { elicitation: {} } }));
  expect(read(await raw.sendAndReceive(statelessRequest(1, "tools/call", { name: "asking" })))).toMatchObject([
    { id: 1, error: { code: -32021 } },
  ]);
});

test("call.caller is the client of the current request [MOD-03]", async () => {
  const whoami = tool({
    name: "whoami",
    description: "Says who calls.",
    run: (_, { caller }) => ({ name: caller.info?.["name"] ?? "nobody", level: caller.logLevel ?? "none" }),
  });
  const raw = await openRaw(createEcho({ tools: [whoami] }));
  const named = {
    ...META,
    [CLIENT]: { name: "Ada", version: "1" },
    "io.modelcontextprotocol/logLevel": "error",
  };
  const answers = read(await raw.sendAndReceive(calling(1, "whoami", named), calling(2, "whoami", META)));
  expect(answers.map(({ result }) => (result as JsonObject)["structuredContent"])).toEqual([
    { name: "Ada", level: "error" },
    { name: "nobody", level: "none" },
  ]);
});

test.each(["2099-01-01", "", "1.0.0", "2026-07-28 ", "draft"])(
  "the version %j gets -32022 [MOD-04]",
  async (version) => {
    const raw = await openRaw(createEcho());
    for (const method of ["tools/list", "server/discover", "no/such/method"]) {
      expect(read(await raw.sendAndReceive(withMeta({ ...META, [VERSION]: version }, method))), method).toEqual([
        {
          jsonrpc: "2.0",
          id: 1,
          error: {
            code: -32022,
            message: "Unsupported protocol version",
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

modernFact(
  "server/discover needs no handshake and returns versions, capabilities and server info [MOD-05 MOD-06]",
  async (open) => {
    const client = await open(createEcho({ instructions: "Be brief.", dynamic: true }));
    const expected = {
      resultType: "complete",
      supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
      capabilities: { logging: {}, tools: { listChanged: true } },
      instructions: "Be brief.",
      ttlMs: 0,
      cacheScope: "private",
      _meta: { [SERVER]: { name: "test", version: "1.0.0" } },
    };
    expect(await client.request("server/discover")).toEqual(expected);
    expect(await client.request("server/discover")).toEqual(expected);
  },
);

test("server/discover returns the versions that the server is configured for [MOD-06]", async () => {
  const raw = await openRaw(createEcho({ protocol: { revisions: ["2024-11-05", "2026-07-28"] } }));
  expect(read(await raw.sendAndReceive(statelessRequest(1, "server/discover")))).toMatchObject([
    { result: { supportedVersions: ["2026-07-28", "2024-11-05"] } },
  ]);
});

modernFact("every result has the server info in its _meta, unless that is disabled [MOD-07]", async (open) => {
  const serverInfo = { name: "test", version: "1.0.0", title: "Test", websiteUrl: "https://test.example" };
  for (const identify of [true, false]) {
    const client = await open(
      createEcho({ ...serverInfo, protocol: { includeServerInfo: identify }, tools: [echo, asking] }),
      {
        responses: { sure: {} },
      },
    );
    await client.request("server/discover");
    await client.listTools();
    await client.callTool("echo", { text: "a" });
    await client.callTool("echo", {});
    await client.callTool("asking");
    expect(messagesFrom(client)).toHaveLength(6);
    for (const { result } of messagesFrom(client)) {
      expect((result as JsonObject)["_meta"]).toEqual(identify ? { [SERVER]: serverInfo } : undefined);
    }
  }
});

modernFact("a client that declares other modes than forms lacks the capability [MOD-08]", async (open) => {
  const client = await open(createEcho({ tools: [asking] }), { capabilities: { elicitation: { url: {} } } });
  await expect(client.callTool("asking")).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: {} } },
  });
});

modernFact("the methods of revisions with a handshake get -32601 [MOD-09]", async (open) => {
  const client = await open(createEcho({ compat: { lifecycle: "off" } }));
  for (const [method, params] of Object.entries({
    initialize: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
    ping: {},
    "logging/setLevel": { level: "info" },
    "resources/subscribe": { uri: "file:///a" },
    "resources/unsubscribe": { uri: "file:///a" },
  })) {
    await expect(client.request(method, params), method).rejects.toMatchObject({
      code: -32601,
      message: `Method not found: ${method}`,
    });
  }
});

modernFact("clientInfo changes nothing [MOD-10]", async (open) => {
  const server = createEcho();
  const answers: unknown[] = [];
  for (const info of [
    { name: "a", version: "1" },
    { name: "claude-ai", version: "0.0.1", title: "Claude" },
    { name: "", version: "" },
    {},
  ]) {
    const client = await open(server);
    answers.push([
      await client.request("server/discover", { _meta: { [CLIENT]: info } }),
      await client.request("tools/list", { _meta: { [CLIENT]: info } }),
      await client.callTool("echo", { text: "a" }, { _meta: { [CLIENT]: info } }),
    ]);
  }
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test("a stateless-only server names its versions in the error to initialize [MOD-11]", async () => {
  const raw = await openRaw(createEcho({ protocol: { revisions: ["2026-07-28"] } }));
  expect(read(await raw.sendAndReceive(initializeIn("2025-11-25")))).toEqual([
    {
      jsonrpc: "2.0",
      id: "init",
      error: {
        code: -32022,
        message: "Unsupported protocol version",
        data: { supported: ["2026-07-28"], requested: "2025-11-25" },
      },
    },
  ]);
  expect(read(await raw.sendAndReceive('{"jsonrpc":"2.0","id":1,"method":"ping"}'))).toMatchObject([
    { error: { code: -32602 } },
  ]);
});

modernFact("the list of tools is the same on every connection and after other calls [MOD-12]", async (open) => {
  const server = createEcho({ tools: [echo, asking] });
  const first = await open(server, { principal: "ada" });
  const second = await open(server, { principal: "bob", capabilities: {} });
  const list = await first.request("tools/list");
  await first.callTool("echo", { text: "a" });
  await second.callTool("echo", {});
  expect(await second.request("tools/list")).toEqual(list);
  expect(await first.request("tools/list")).toEqual(list);
});
