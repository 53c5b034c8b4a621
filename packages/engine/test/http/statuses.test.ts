import { createServer, resource, type ServerOptions, tool } from "@toolwright/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Headers, handshake, modern, openSite, type Sent, type Site } from "./raw-http.js";

const ERAS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
const HANDSHAKE = ERAS.slice(1);
const asking = tool({
  name: "asking",
  description: "Asks for a word.",
  async run(_input, call) {
    await call.elicit("word", "Which word?", { type: "object", properties: { word: { type: "string" } } });
    return "elicited";
  },
});
const failing = tool({
  name: "failing",
  description: "Fails.",
  run: () => {
    throw new Error("broken");
  },
});
const broken = resource({
  uri: "note:///broken",
  name: "broken",
  read: () => {
    throw new Error("broken");
  },
});
const options: ServerOptions = {
  name: "test",
  version: "1.0.0",
  log: () => undefined,
  tools: [asking, failing],
  resources: [broken],
};

let site: Site;
const sessions: Record<string, Headers> = {};
beforeAll(async () => {
  site = await openSite(createServer(options), { rate: false });
  for (const version of HANDSHAKE) sessions[version] = await handshake(site, version);
});
afterAll(() => site.close());

/** A request as a client of this revision sends it. */
function request(version: string, method: string, params: object = {}): Sent {
  if (version !== "2026-07-28")
    return { headers: sessions[version] ?? {}, body: { jsonrpc: "2.0", id: 7, method, params } };
  const { name, uri } = params as { name?: string; uri?: string };
  return modern(method, params as never, { "Mcp-Name": name ?? uri });
}

const headersOf = (version: string): Headers =>
  version === "2026-07-28" ? { "MCP-Protocol-Version": version } : (sessions[version] ?? {});

const seen = ({ status, body }: Answer): unknown => [status, (body["error"] as { code: number } | undefined)?.code];

describe.each(ERAS)("in %s", (version) => {
  const idLess = version < "2025-11-25" ? { id: null } : {};

  test.each([["{"], [""], ["\u0000"], ["{'a':1}"]])(
    "a body that is not JSON gets 400 and -32700: %j [HST-01]",
    async (body) => {
      const answer = await site.send({ headers: headersOf(version), body });
      expect([answer.status, answer.body]).toEqual([
        400,
        { jsonrpc: "2.0", ...idLess, error: { code: -32700, message: expect.stringMatching(/^Parse error: /) } },
      ]);
    },
  );

  test.each([
    [[]],
    ["text"],
    [{}],
    [{ jsonrpc: "1.0", id: 7, method: "tools/list" }],
    [{ jsonrpc: "2.0", id: null, method: "tools/list" }],
    [{ jsonrpc: "2.0", id: 7 }],
  ])("an invalid message gets 400 and -32600: %j [HST-02]", async (body) => {
    expect(seen(await site.send({ headers: headersOf(version), body: JSON.stringify(body) }))).toEqual([400, -32600]);
  });

  test("a batch is served if the revision supports it, otherwise it gets 400 and -32600 [HST-02]", async () => {
    const { headers = {}, body } = request(version, "tools/list");
    const answer = await site.send({ headers, body: [body] });
    if (version === "2025-03-26") expect([answer.status, answer.body]).toMatchObject([200, [{ id: 7 }]]);
    else expect(seen(answer)).toEqual([400, -32600]);
  });

  test.each([["POST"], ["GET"], ["DELETE"]])(
    "%s with an origin or a host that is not allowed gets 403 [HST-03 HST-04]",
    async (method) => {
      const { headers, body } = request(version, "tools/list");
      for (const more of [{ Origin: "http://evil.example" }, { Origin: "null" }, { Host: "evil.example" }]) {
        const answer = await site.send({
          method,
          headers: { ...headers, ...more },
          body: method === "POST" ? body : undefined,
        });
        expect([answer.status, answer.body]).toMatchObject([403, { error: { code: -32600 } }]);
        expect(answer.body).not.toHaveProperty("id");
      }
      const local = await site.send({ headers: { ...headers, Origin: `http://localhost:${site.url.port}` }, body });
      expect(local.status).toBe(200);
    },
  );

  test.each([
    ["text/html", 406],
    ["application/json;q=0, text/event-stream;q=0", 406],
    ["application/json", 200],
    ["text/event-stream", 200],
    ["*/*", 200],
    [undefined, 200],
  ])("Accept: %s gets %d [HST-05]", async (accept, status) => {
    const { headers, body } = request(version, "tools/list");
    expect((await site.send({ headers: { ...headers, Accept: accept }, body })).status).toBe(status);
  });

  test.each([
    ["text/plain", 415],
    [undefined, 415],
    ["application/jsonp", 415],
    ["Application/JSON; charset=utf-8", 200],
  ])("Content-Type: %s gets %d [HST-06]", async (type, status) => {
    const { headers, body } = request(version, "tools/list");
    expect((await site.send({ headers: { ...headers, "Content-Type": type }, body })).status).toBe(status);
  });

  test("an unknown method gets -32601, and 404 only if that does not mean an ended session [HST-07]", async () => {
    const status = version === "2026-07-28" ? 404 : 200;
    for (const method of ["nothing", "prompts/list", "tasks/list"])
      expect(seen(await site.send(request(version, method)))).toEqual([status, -32601]);
  });

  test("a client without elicitation gets the error of its revision [HST-11 MOD-08]", async () => {
    const answer = await site.send(request(version, "tools/call", { name: "asking" }));
    if (version === "2026-07-28") {
      const data = { requiredCapabilities: { elicitation: {} } };
      expect([answer.status, answer.body]).toMatchObject([400, { id: 7, error: { code: -32021, data } }]);
    } else expect([answer.status, answer.body["result"]]).toMatchObject([200, { isError: true }]);
  });

  test("results of tools, resources and prompts get 200, including errors [HST-18]", async () => {
    const failed = await site.send(request(version, "tools/call", { name: "failing" }));
    expect([failed.status, failed.body["result"]]).toMatchObject([200, { isError: true }]);
    const missing = version === "2026-07-28" ? -32602 : -32002;
    expect(seen(await site.send(request(version, "resources/read", { uri: "note:///none" })))).toEqual([200, missing]);
    expect(seen(await site.send(request(version, "resources/read", { uri: "note:///broken" })))).toEqual([200, -32603]);
    expect(seen(await site.send(request(version, "tools/call", { name: "none" })))).toEqual([200, -32602]);
    expect(seen(await site.send(request(version, "tools/list", { cursor: "none" })))).toEqual([200, -32602]);
  });
});

describe.each(HANDSHAKE)("a session of %s", (version) => {
  const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };

  test("is required: without its id everything except initialize gets 400 [HST-12 HST-15]", async () => {
    const headers = { "MCP-Protocol-Version": version };
    expect(seen(await site.send({ headers, body: list }))).toEqual([400, -32600]);
    expect(seen(await site.send({ headers, body: notification }))).toEqual([400, -32600]);
    expect(seen(await site.send({ method: "GET", headers }))).toEqual([400, -32600]);
    expect(seen(await site.send({ method: "DELETE", headers }))).toEqual([400, -32600]);
  });

  test("that has ended or never existed gets 404 [HST-13 HST-15]", async () => {
    const over = await handshake(site, version);
    expect((await site.send({ method: "DELETE", headers: over })).status).toBe(204);
    for (const headers of [over, { ...over, "Mcp-Session-Id": "never" }]) {
      expect(seen(await site.send({ headers, body: list }))).toEqual([404, -32600]);
      expect(seen(await site.send({ headers, body: notification }))).toEqual([404, -32600]);
      expect(seen(await site.send({ method: "GET", headers }))).toEqual([404, -32600]);
      expect(seen(await site.send({ method: "DELETE", headers }))).toEqual([404, -32600]);
    }
  });
});

test("a long-lived call gets 406 if the client accepts no stream [HST-05]", async () => {
  const answer = await site.send(modern("subscriptions/listen", { notifications: {} }, { Accept: "application/json" }));
  expect([answer.status, answer.body]).toMatchObject([406, { id: 7, error: { code: -32600 } }]);
});

test.each([["PUT"], ["PATCH"]])("%s gets 405 with the allowed methods [HST-14]", async (method) => {
  const answer = await site.send({ method });
  expect([answer.status, answer.headers["allow"]]).toEqual([405, "GET, POST, DELETE"]);
});

test.each(["GET", "DELETE"])(
  "%s gets 405 if sessions are disabled, and for stateless clients [HST-14 ERA-12]",
  async (method) => {
    const headers = { "Mcp-Session-Id": "x" };
    const stateless = await openSite(createServer({ ...options, protocol: { revisions: ["2026-07-28"] } }));
    const without = await openSite(createServer(options), { sessions: false });
    const answers = [
      await stateless.send({ method, headers }),
      await without.send({ method, headers }),
      await site.send({ method, headers: { "MCP-Protocol-Version": "2026-07-28" } }),
    ];
    await stateless.close();
    await without.close();
    for (const { status, headers: said } of answers) expect([status, said["allow"]]).toEqual([405, "POST"]);
  },
);

test("GET and DELETE apply to the session in their header [ERA-12]", async () => {
  const headers = await handshake(site, "2025-11-25");
  expect((await site.send({ method: "GET", headers: { ...headers, Accept: "application/json" } })).status).toBe(406);
  expect((await site.send({ method: "DELETE", headers })).status).toBe(204);
  expect((await site.send({ method: "DELETE", headers })).status).toBe(404);
});
