import { createServer, type JsonObject, type LogEntry, type Server, type Tool, tool } from "@toolwright/engine";
import { type Client, connect } from "@toolwright/engine/client";
import { expect, onTestFinished, test } from "vitest";
import { ALL } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { namesOf } from "./server.js";

const described = (name: string, input: JsonObject): Tool =>
  tool({ name, description: `Takes ${name}.`, input, run: (value) => JSON.stringify(value) });

const union = described("union", {
  type: "object",
  properties: { id: { type: "string" } },
  required: ["id"],
  oneOf: [
    { properties: { kind: { const: "file" }, path: { type: "string" } }, required: ["kind", "path"] },
    { properties: { kind: { const: "link" }, url: { type: "string" } }, required: ["kind", "url"] },
  ],
});
const referring = described("referring", {
  type: "object",
  properties: { tree: { $ref: "#/$defs/tree" } },
  $defs: {
    tree: {
      type: "object",
      properties: { name: { type: "string" }, below: { type: "array", items: { $ref: "#/$defs/tree" } } },
    },
  },
});
const bare = described("bare", { type: "object", properties: { list: { type: "array" } } });
const plain = described("plain", { type: "object", properties: { text: { type: "string" } }, required: ["text"] });
const odd = described("odd", { type: "object", properties: { "a b": { type: "string" } } });

const createShop = (log: (entry: LogEntry) => void = () => undefined, profiles?: boolean): Server =>
  createServer({
    name: "shop",
    version: "1.0.0",
    tools: [union, referring, bare, plain, odd],
    log,
    ...(profiles !== undefined && { toolOptions: { vendorSchemas: profiles } }),
  });

async function joined(server: Server, name: string, revision: string): Promise<Client> {
  const client = await connect({ server }, { revision, info: { name, version: "1.0.0" } });
  onTestFinished(() => client.close());
  return client;
}

async function schemasFor(server: Server, name: string, revision: string): Promise<Record<string, unknown>> {
  const tools = await (await joined(server, name, revision)).listTools();
  return Object.fromEntries(tools.map((one) => [one.name, one.inputSchema]));
}

const closed = { additionalProperties: false };
const OWN = {
  union: { ...(union.input as object) },
  referring: { ...(referring.input as object), ...closed },
  bare: { ...(bare.input as object), ...closed },
  plain: { ...(plain.input as object), ...closed },
  odd: { ...(odd.input as object), ...closed },
};
const FLAT = {
  type: "object",
  properties: {
    id: { type: "string" },
    kind: { enum: ["file", "link"] },
    path: { type: "string" },
    url: { type: "string" },
  },
  required: ["id", "kind"],
  description: 'Give kind="file" + path, or kind="link" + url.',
};
const INLINE = {
  type: "object",
  properties: {
    tree: {
      type: "object",
      properties: { name: { type: "string" }, below: { type: "array", items: { type: "object" } } },
    },
  },
  ...closed,
};
const FILLED = { type: "object", properties: { list: { type: "array", items: {} } }, ...closed };

for (const revision of ALL) {
  test(`an unknown client gets the schemas unchanged (${revision})`, async () => {
    expect(await schemasFor(createShop(), "my-own-client", revision)).toMatchObject(OWN);
  });

  test(`Claude gets schemas without a union at the root, and not the tool with an invalid property name (${revision})`, async () => {
    const shown = await schemasFor(createShop(), "claude-code", revision);
    expect(Object.keys(shown)).toEqual(["union", "referring", "bare", "plain"]);
    expect(shown).toMatchObject({ union: FLAT, referring: OWN.referring, bare: OWN.bare, plain: OWN.plain });
    expect(shown["union"]).not.toHaveProperty("oneOf");
  });

  test.each([
    ["Visual Studio Code", { union: FLAT, referring: INLINE, bare: FILLED, plain: OWN.plain, odd: OWN.odd }],
    ["cursor-vscode", { union: FLAT, referring: INLINE, bare: FILLED, plain: OWN.plain, odd: OWN.odd }],
    ["gemini-cli-mcp-client", { union: FLAT, referring: INLINE, bare: FILLED, plain: OWN.plain, odd: OWN.odd }],
    ["codex-mcp-client", { union: FLAT, referring: OWN.referring, bare: FILLED, plain: OWN.plain, odd: OWN.odd }],
  ])(`%s gets schemas that its vendor accepts (${revision})`, async (name, expected) => {
    const shown = await schemasFor(createShop(), name, revision);
    expect(shown).toMatchObject(expected);
    if (name !== "codex-mcp-client") expect(JSON.stringify(shown)).not.toContain("$ref");
  });

  test(`vendorSchemas: false sends the schemas unchanged to every client (${revision})`, async () => {
    const shown = await schemasFor(createShop(undefined, false), "claude-code", revision);
    expect(shown).toMatchObject(OWN);
  });
}

everyTransport("arguments are validated against the original schema", createShop, async (join) => {
  const client = await join({ info: { name: "claude-code", version: "2.1.0" } });
  expect(namesOf(await client.listTools())).toEqual(["union", "referring", "bare", "plain"]);
  const right = { id: "1", kind: "file", path: "/a" };
  expect(await client.callTool("union", right)).toMatchObject({ content: [{ text: JSON.stringify(right) }] });
  expect(await client.callTool("union", { id: "1", kind: "file" })).toMatchObject({ isError: true });
  expect(await client.callTool("odd", { "a b": "c" })).toMatchObject({ content: [{ text: '{"a b":"c"}' }] });
});

test("a tool that is not listed for a vendor is logged once", async () => {
  const entries: LogEntry[] = [];
  const server = createShop((entry) => entries.push(entry));
  for (const revision of ["2025-11-25", "2026-07-28", "2025-11-25"]) await schemasFor(server, "claude-code", revision);
  expect(entries).toEqual([
    {
      level: "warning",
      message:
        'tool "odd" is not listed for clients of Anthropic, which would reject it: it has the property "a b". ' +
        "Name properties with 1 to 64 characters of A-Z a-z 0-9 _ . -",
    },
  ]);
});

test("a list that every vendor accepts is identical for all clients", async () => {
  const server = createServer({ name: "plain", version: "1.0.0", tools: [plain] });
  const bytes = async (name: string): Promise<string> =>
    JSON.stringify(await (await joined(server, name, "2025-11-25")).request("tools/list"));
  expect(
    new Set(await Promise.all(["me", "claude-code", "gemini-cli", "codex", "cursor", "zed"].map(bytes))).size,
  ).toBe(1);
});

test("paging works if tools are not listed for a vendor", async () => {
  const server = createServer({
    name: "shop",
    version: "1.0.0",
    tools: [union, odd, bare, plain],
    limits: { pageSize: 1 },
    log: () => undefined,
  });
  const client = await joined(server, "claude-code", "2025-11-25");
  expect(namesOf(await client.listTools())).toEqual(["union", "bare", "plain"]);
});

test("a list that differs by vendor is not cached for all clients [CACHE-03]", async () => {
  const scopeOf = async (tools: readonly Tool[], name: string, profiles = true): Promise<unknown> => {
    const listCache = { tools: { ttlMs: 60_000, scope: "public" } } as const;
    const server = createServer({
      name: "shop",
      version: "1.0.0",
      tools,
      protocol: { listCache },
      toolOptions: { vendorSchemas: profiles },
      log: () => undefined,
    });
    const client = await joined(server, name, "2026-07-28");
    return (await client.request("tools/list"))["cacheScope"];
  };
  const names = ["gateway", "claude-ai", "gemini-cli"];
  expect(await Promise.all(names.map((name) => scopeOf([plain], name)))).toEqual(["public", "public", "public"]);
  expect(await Promise.all(names.map((name) => scopeOf([plain, bare], name)))).toEqual([
    "private",
    "private",
    "private",
  ]);
  expect(await scopeOf([plain, bare], "gateway", false)).toBe("public");
});
