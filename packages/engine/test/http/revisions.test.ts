import { createServer, type ServerOptions, tool } from "@toolwright/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handshake, META, modern, openSite, type Sent, type Site } from "./raw-http.js";

const HANDSHAKE = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const mirrored = tool({
  name: "mirrored",
  description: "Has an argument that a header repeats.",
  input: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
  run: ({ region }) => `in ${region}`,
});
const options: ServerOptions = { name: "test", version: "1.0.0", log: () => undefined, tools: [mirrored] };
const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list" };
const CLIENT = { name: "test", version: "1" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 7,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT },
};
const CALL = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "mirrored", arguments: { region: "eu" } } };

let site: Site;
beforeAll(async () => {
  site = await openSite(createServer(options), { rate: false });
});
afterAll(() => site.close());

const status = async (sent: Sent): Promise<unknown> => {
  const answer = await site.send(sent);
  return [answer.status, (answer.body["error"] as { code: number } | undefined)?.code];
};

describe("a request in a session", () => {
  test.each(HANDSHAKE)("in %s is served regardless of the MCP headers [HDR-15]", async (version) => {
    const session = await handshake(site, version);
    for (const headers of [
      {},
      { "Mcp-Method": "ping", "Mcp-Name": "other", "Mcp-Param-Region": "us" },
      { "Mcp-Name": "=?base64?!?=", "Mcp-Param-Region": "grüße" },
    ]) {
      const answer = await site.send({ headers: { ...session, ...headers }, body: CALL });
      expect([answer.status, answer.body["result"]]).toMatchObject([200, { content: [{ text: "in eu" }] }]);
    }
  });

  test.each(HANDSHAKE)("in %s may omit the version or name another supported one [HTL-13]", async (version) => {
    const session = await handshake(site, version);
    for (const named of [undefined, ...HANDSHAKE]) {
      const headers = { ...session, "MCP-Protocol-Version": named };
      expect(await status({ headers, body: LIST }), named).toEqual([200, undefined]);
      expect((await site.send({ headers, body: { jsonrpc: "2.0", method: "notifications/x" } })).status).toBe(202);
    }
  });

  test.each([["1999-01-01"], ["latest"], [""], ["2025-11-25, 2025-06-18"]])(
    "that names the version %j gets 400 with an error of its revision [HTL-13 HST-09 ERA-07]",
    async (version) => {
      const headers = { ...(await handshake(site, "2025-06-18")), "MCP-Protocol-Version": version };
      expect(await status({ headers, body: LIST })).toEqual([400, -32600]);
      const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
      expect(await status({ headers, body: notification })).toEqual([400, -32600]);
      expect(await status({ headers, body: { jsonrpc: "2.0", id: 1, result: {} } })).toEqual([400, -32600]);
    },
  );

  test("that is a batch with an unsupported version gets 400 as a whole [HTL-13]", async () => {
    const session = await handshake(site, "2025-03-26");
    const batch = [LIST, { jsonrpc: "2.0", method: "notifications/x" }];
    expect((await site.send({ headers: session, body: batch })).status).toBe(200);
    expect(await status({ headers: { ...session, "MCP-Protocol-Version": "1999-01-01" }, body: batch })).toEqual([
      400, -32600,
    ]);
  });

  test("that names a version that this server does not support gets 400 [HTL-13]", async () => {
    const narrow = await openSite(createServer({ ...options, protocol: { revisions: ["2026-07-28", "2025-11-25"] } }));
    const headers = await handshake(narrow, "2025-11-25");
    const answer = await narrow.send({ headers: { ...headers, "MCP-Protocol-Version": "2025-06-18" }, body: LIST });
    await narrow.close();
    expect([answer.status, answer.body["error"]]).toMatchObject([400, { code: -32600 }]);
  });
});

describe("without sessions, a request of a revision with a handshake", () => {
  let alone: Site;
  beforeAll(async () => {
    alone = await openSite(createServer(options), { sessions: false });
  });
  afterAll(() => alone.close());

  test.each<string | undefined>([undefined, ...HANDSHAKE])(
    "uses the revision in its header, such as %s [HTL-13 HTL-14 HST-07]",
    async (version) => {
      const headers = { "MCP-Protocol-Version": version, "Mcp-Method": "nothing", "Mcp-Name": "nothing" };
      const listed = await alone.send({ headers, body: LIST });
      expect([listed.status, Object.keys(listed.body["result"] as object)]).toEqual([200, ["tools"]]);
      const unknown = await alone.send({ headers, body: { ...LIST, method: "nothing" } });
      expect([unknown.status, unknown.body["error"]]).toMatchObject([200, { code: -32601 }]);
      const batch = await alone.send({ headers, body: [LIST] });
      expect(batch.status).toBe(version === undefined || version < "2025-06-18" ? 200 : 400);
    },
  );

  test("that names no supported version gets 400 with its id and the versions [HTL-13 HST-09]", async () => {
    const headers = { "MCP-Protocol-Version": "1999-01-01" };
    const message =
      'MCP-Protocol-Version is "1999-01-01", but supported are 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05';
    const error = { code: -32600, message: `Invalid request: ${message}` };
    const answer = await alone.send({ headers, body: LIST });
    expect([answer.status, answer.body]).toEqual([400, { jsonrpc: "2.0", id: 7, error }]);
    for (const body of [{ jsonrpc: "2.0", method: "notifications/x" }, [LIST]]) {
      const { status: refused, body: said } = await alone.send({ headers, body });
      expect([refused, said["error"]]).toEqual([400, error]);
    }
  });
});

describe("initialize", () => {
  test.each([[undefined], ["2025-03-26"], ["1999-01-01"]])(
    "opens a session regardless of its version header, such as %j [HTL-13 ERA-02]",
    async (version) => {
      const headers = { "MCP-Protocol-Version": version, "Mcp-Method": "initialize" };
      const answer = await site.send({ headers, body: INITIALIZE });
      expect([answer.status, answer.body["result"]]).toMatchObject([200, { protocolVersion: "2025-11-25" }]);
      expect(answer.headers["mcp-session-id"]).toMatch(/^[!-~]{36}$/);
    },
  );

  test("that requests an unknown version gets another one [HST-09]", async () => {
    const params = { ...INITIALIZE.params, protocolVersion: "1999-01-01" };
    const answer = await site.send({ body: { ...INITIALIZE, params } });
    expect([answer.status, answer.body["result"]]).toMatchObject([200, { protocolVersion: "2025-11-25" }]);
  });

  test("with _meta of a stateless revision is an unknown method [ERA-03 MOD-09]", async () => {
    const answer = await site.send(modern("initialize", INITIALIZE.params));
    expect([answer.status, answer.body["error"]]).toMatchObject([404, { code: -32601 }]);
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
  });

  test("at a stateless server gets an error with the supported versions [MOD-11]", async () => {
    const stateless = await openSite(createServer({ ...options, protocol: { revisions: ["2026-07-28"] } }));
    const answer = await stateless.send({ body: INITIALIZE });
    const other = await stateless.send({ body: LIST });
    const unknown = await stateless.send({ headers: { "MCP-Protocol-Version": "1999-01-01" }, body: LIST });
    await stateless.close();
    const data = { supported: ["2026-07-28"], requested: "2025-11-25" };
    expect([answer.status, answer.body["error"]]).toMatchObject([400, { code: -32022, data }]);
    for (const { status: refused, body } of [other, unknown])
      expect([refused, body["error"]]).toMatchObject([400, { code: -32602, data: { missing: "_meta" } }]);
  });
});

describe("a header that names the stateless revision", () => {
  test.each([["tools/list"], ["initialize"], ["nothing"]])(
    "makes %s without _meta an invalid stateless request, not a request of a session [ERA-06 MOD-01 HST-08]",
    async (method) => {
      const session = await handshake(site, "2025-11-25");
      for (const more of [{}, { "Mcp-Session-Id": session["Mcp-Session-Id"] }]) {
        const answer = await site.send(modern(method, INITIALIZE.params, more, null));
        const message = "Invalid params: every request needs params._meta";
        const error = { code: -32602, message, data: { missing: "_meta" } };
        expect([answer.status, answer.body]).toEqual([400, { jsonrpc: "2.0", id: 7, error }]);
      }
    },
  );

  test("rejects batches and responses [HST-02]", async () => {
    const headers = { "MCP-Protocol-Version": "2026-07-28" };
    expect(await status({ headers, body: [LIST] })).toEqual([400, -32600]);
    expect(await status({ headers, body: { jsonrpc: "2.0", id: 7, result: {} } })).toEqual([400, -32600]);
  });
});

describe("a stateless request", () => {
  test.each([["gone"], ["live"]])(
    "with the id of a session that is %s is served without returning an id [ERA-08]",
    async (kind) => {
      const id = kind === "live" ? (await handshake(site, "2025-11-25"))["Mcp-Session-Id"] : "gone";
      const answer = await site.send(modern("tools/list", {}, { "Mcp-Session-Id": id }));
      expect([answer.status, answer.body["result"]]).toMatchObject([200, { resultType: "complete" }]);
      expect(answer.headers["mcp-session-id"]).toBeUndefined();
      const refused = await site.send(
        modern("tools/list", {}, { "Mcp-Session-Id": id, "MCP-Protocol-Version": undefined }),
      );
      expect([refused.status, refused.body["error"]]).toMatchObject([400, { code: -32020 }]);
    },
  );

  test("is served independently of a session [ERA-01 MOD-03]", async () => {
    const session = await handshake(site, "2025-03-26");
    expect((await site.send(modern("server/discover", {}))).body["result"]).toMatchObject({ resultType: "complete" });
    const answer = await site.send({ headers: session, body: LIST });
    expect(Object.keys(answer.body["result"] as object)).toEqual(["tools"]);
  });

  const version = (named: string) => ({ ...META, "io.modelcontextprotocol/protocolVersion": named });
  test.each<[string, Sent, number, number]>([
    ["no version header", modern("tools/list", {}, { "MCP-Protocol-Version": undefined }), 400, -32020],
    [
      "no capabilities",
      modern("tools/list", {}, {}, { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }),
      400,
      -32602,
    ],
    [
      "a handshake revision",
      modern("tools/list", {}, { "MCP-Protocol-Version": "2025-11-25" }, version("2025-11-25")),
      400,
      -32022,
    ],
    ["an unknown revision", modern("tools/list", {}, { "MCP-Protocol-Version": "v9" }, version("v9")), 400, -32022],
    ["a method of sessions", modern("ping", {}), 404, -32601],
    ["an unknown method", modern("nothing", {}), 404, -32601],
  ])("with %s is rejected with its own id [ERA-11 ERA-05 MOD-04 MOD-09]", async (_fault, sent, refused, code) => {
    for (const id of [7, "seven", "", 0]) {
      const answer = await site.send({ ...sent, body: { ...(sent.body as object), id } });
      expect(answer.headers["content-type"]).toBe("application/json");
      expect([answer.status, answer.body]).toMatchObject([refused, { jsonrpc: "2.0", id, error: { code } }]);
    }
  });
});

describe("a notification", () => {
  const said = { jsonrpc: "2.0", method: "notifications/x" };
  const marked = { ...said, params: { _meta: META } };
  const stateless = { "MCP-Protocol-Version": "2026-07-28" };

  test.each([
    ["a version", stateless, said],
    ["a version and its method", { ...stateless, "Mcp-Method": "notifications/x" }, said],
    ["a version, its method and _meta", { ...stateless, "Mcp-Method": "notifications/x" }, marked],
  ])("with %s is accepted [HST-15]", async (_headers, headers, body) => {
    const answer = await site.send({ headers, body });
    expect([answer.status, answer.text]).toEqual([202, ""]);
  });

  test("with another method in its header is rejected without an id [HST-15]", async () => {
    const message =
      'Header mismatch: Mcp-Method is "notifications/y", but method is "notifications/x"; both must be equal';
    for (const body of [said, marked]) {
      const answer = await site.send({ headers: { ...stateless, "Mcp-Method": "notifications/y" }, body });
      expect([answer.status, answer.body]).toEqual([400, { jsonrpc: "2.0", error: { code: -32020, message } }]);
    }
  });

  test("in a session is accepted regardless of its method header [HDR-15]", async () => {
    const session = await handshake(site, "2025-11-25");
    const answer = await site.send({ headers: { ...session, "Mcp-Method": "notifications/y" }, body: said });
    expect([answer.status, answer.text]).toEqual([202, ""]);
  });
});

test("valid headers do not grant more than the token [HDR-13]", async () => {
  const scoped = tool({ ...mirrored, scopes: ["admin"] });
  const guarded = await openSite(createServer({ ...options, tools: [scoped] }), {
    auth: { authenticate: () => ({ principal: "ada", scopes: ["user"] }), selfCheck: "off" },
  });
  const headers = { "Mcp-Name": "mirrored", "Mcp-Param-Region": "eu", "Mcp-Param-Scope": "admin" };
  const answer = await guarded.send(modern("tools/call", { name: "mirrored", arguments: { region: "eu" } }, headers));
  await guarded.close();
  expect([answer.status, answer.body["error"]]).toMatchObject([403, { data: { requiredScopes: ["admin"] } }]);
});
