import { connect } from "@toolwright/engine/client";
import { createFetchHandler, serveHttp } from "@toolwright/engine/http";
import { expect, onTestFinished, test } from "vitest";
import { everyTarget } from "../support/every-transport.js";
import { ALL_TOOLS, createToolServer, namedTool, namesOf } from "./server.js";

const isHttp = (target: object): boolean =>
  "sse" in target || ("url" in target && /^(?:http|ws)/.test(String(target.url)));

everyTarget(
  "HTTP headers filter the tools that are listed and called",
  createToolServer,
  async ({ target, access }, _server, revision) => {
    const headers = { "X-MCP-Toolsets": "files, git", "X-MCP-Exclude-Tools": "write_file" };
    const client = await connect(target, { revision, ...access, headers });
    onTestFinished(() => client.close());
    const names = namesOf(await client.listTools());
    if (!isHttp(target)) return expect(names).toEqual(ALL_TOOLS);
    expect(names).toEqual(["read_file", "git_log"]);
    expect(await client.callTool("git_log")).toMatchObject({ content: [{ text: "git_log" }] });
    await expect(client.callTool("write_file")).rejects.toMatchObject({ code: -32602 });
  },
);

const headerCases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
  [{ "X-MCP-Tools": "saw,greet" }, ["greet", "saw"]],
  [{ "X-MCP-Toolsets": "git", "X-MCP-Tools": "saw" }, ["git_log", "saw"]],
  [{ "X-MCP-Readonly": "true" }, ["greet", "read_file", "git_log"]],
  [{ "X-MCP-Readonly": "please" }, ["greet", "read_file", "git_log"]],
  [{ "X-MCP-Readonly": "false" }, ALL_TOOLS],
  [{ "X-MCP-Readonly": " Off " }, ALL_TOOLS],
  [{ "X-MCP-Toolsets": "" }, ALL_TOOLS],
  [{ "X-MCP-Toolsets": "all" }, ALL_TOOLS],
];

for (const [headers, names] of headerCases) {
  test(`${JSON.stringify(headers)} leaves ${names.join(", ")}`, async () => {
    const serving = await serveHttp(createToolServer(), { port: 0 });
    onTestFinished(() => serving.close());
    const client = await connect({ url: serving.url }, { headers });
    onTestFinished(() => client.close());
    expect(namesOf(await client.listTools())).toEqual(names);
  });
}

test("the tools of progressive discovery respect the headers", async () => {
  const serving = await serveHttp(createToolServer({ toolOptions: { discovery: "progressive" } }), { port: 0 });
  onTestFinished(() => serving.close());
  const client = await connect({ url: serving.url }, { headers: { "X-MCP-Toolsets": "files" } });
  onTestFinished(() => client.close());
  expect(namesOf(await client.listTools())).toEqual(["search_tools", "describe_tools", "call_tool"]);
  expect(await client.callTool("search_tools", { query: "returns saw read" })).toMatchObject({
    content: [{ text: "read_file: Returns read_file.\nwrite_file: Returns write_file." }],
  });
  expect(await client.callTool("call_tool", { name: "read_file" })).toMatchObject({ content: [{ text: "read_file" }] });
  await expect(client.callTool("call_tool", { name: "saw" })).rejects.toMatchObject({ code: -32602 });
});

test("a tool that needs scopes needs them through call_tool too", async () => {
  const server = createToolServer({
    toolOptions: { discovery: "progressive" },
    tools: [namedTool("danger", { scopes: ["admin"] })],
  });
  const auth = { authenticate: () => ({ principal: "ada", scopes: ["read"] }) };
  const serving = await serveHttp(server, { port: 0, auth });
  onTestFinished(() => serving.close());
  const client = await connect({ url: serving.url }, { token: "t" });
  onTestFinished(() => client.close());
  expect(await client.callTool("call_tool", { name: "saw" })).toMatchObject({ content: [{ text: "saw" }] });
  await expect(client.callTool("call_tool", { name: "danger" })).rejects.toThrow("admin");
});

test("headers never add tools that the server excludes", async () => {
  const serving = await serveHttp(
    createToolServer({ toolOptions: { filter: { toolsets: ["files"], readOnly: true } } }),
    { port: 0 },
  );
  onTestFinished(() => serving.close());
  const headers = { "X-MCP-Tools": "write_file,saw,read_file", "X-MCP-Readonly": "false" };
  const client = await connect({ url: serving.url }, { headers });
  onTestFinished(() => client.close());
  expect(namesOf(await client.listTools())).toEqual(["read_file"]);
  await expect(client.callTool("saw")).rejects.toMatchObject({ code: -32602 });
});

test("two clients of one server have different tools", async () => {
  const serving = await serveHttp(createToolServer(), { port: 0 });
  onTestFinished(() => serving.close());
  const open = async (headers: Record<string, string>) => {
    const client = await connect({ url: serving.url }, { headers });
    onTestFinished(() => client.close());
    return client;
  };
  const [narrowed, whole] = await Promise.all([open({ "X-MCP-Tools": "saw" }), open({})]);
  const [few, all] = await Promise.all([narrowed.listTools(), whole.listTools()]);
  expect([namesOf(few), namesOf(all)]).toEqual([["saw"], ALL_TOOLS]);
});

for (const [header, value, message, suggestion] of [
  ["X-MCP-Toolsets", "gti", 'there is no toolset "gti"; did you mean "git"?', "git"],
  ["X-MCP-Tools", "saww", 'there is no tool "saww"; did you mean "saw"?', "saw"],
  ["X-MCP-Exclude-Tools", "write_fil", 'there is no tool "write_fil"; did you mean "write_file"?', "write_file"],
] as const) {
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    test(`an unknown name in ${header} is rejected with 400 and the closest known name (${revision})`, async () => {
      const handler = createFetchHandler(createToolServer());
      const statuses: number[] = [];
      const fetch = async (url: string, init: RequestInit): Promise<Response> => {
        const response = await handler(new Request(url, init), { remoteAddress: "192.0.2.1" });
        statuses.push(response.status);
        return response;
      };
      const headers = { [header]: value };
      const client = await connect({ url: "https://mcp.example/mcp" }, { revision, fetch, headers });
      onTestFinished(() => client.close());
      const expected = { code: -32600, data: { didYouMean: suggestion } };
      await expect(client.listTools()).rejects.toMatchObject({
        ...expected,
        message: `Invalid request: the tool filter headers are invalid: ${message}`,
      });
      expect(statuses.at(-1)).toBe(400);
      await expect(client.callTool("saw")).rejects.toMatchObject(expected);
    });
  }
}

test("a list that is filtered for one client is not cached for others", async () => {
  const handler = createFetchHandler(
    createToolServer({ protocol: { listCache: { tools: { ttlMs: 60_000, scope: "public" } } } }),
  );
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    handler(new Request(url, init), { remoteAddress: "192.0.2.1" });
  const scopeOf = async (headers: Record<string, string>): Promise<unknown> => {
    const client = await connect({ url: "https://mcp.example/mcp" }, { revision: "2026-07-28", fetch, headers });
    onTestFinished(() => client.close());
    return (await client.request("tools/list"))["cacheScope"];
  };
  expect([await scopeOf({}), await scopeOf({ "X-MCP-Tools": "saw" })]).toEqual(["public", "private"]);
});
