import { createFetchHandler, serveHttp } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { expect, onTestFinished, test } from "vitest";
import { everyTarget } from "../support/every-transport.js";
import { ALL_TOOLS, createWorkshop, namesOf, saying } from "./server.js";

const isHttp = (target: object): boolean =>
  "sse" in target || ("url" in target && /^(?:http|ws)/.test(String(target.url)));

everyTarget(
  "where there are headers, they narrow what is listed and called",
  createWorkshop,
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
    const serving = await serveHttp(createWorkshop(), { port: 0 });
    onTestFinished(() => serving.close());
    const client = await connect({ url: serving.url }, { headers });
    onTestFinished(() => client.close());
    expect(namesOf(await client.listTools())).toEqual(names);
  });
}

test("the three tools of progressive discovery obey the headers", async () => {
  const serving = await serveHttp(createWorkshop({ discovery: "progressive" }), { port: 0 });
  onTestFinished(() => serving.close());
  const client = await connect({ url: serving.url }, { headers: { "X-MCP-Toolsets": "files" } });
  onTestFinished(() => client.close());
  expect(namesOf(await client.listTools())).toEqual(["search_tools", "describe_tools", "call_tool"]);
  expect(await client.callTool("search_tools", { query: "says saw read" })).toMatchObject({
    content: [{ text: "read_file: Says read_file.\nwrite_file: Says write_file." }],
  });
  expect(await client.callTool("call_tool", { name: "read_file" })).toMatchObject({ content: [{ text: "read_file" }] });
  await expect(client.callTool("call_tool", { name: "saw" })).rejects.toMatchObject({ code: -32602 });
});

test("a tool that needs scopes needs them through call_tool too", async () => {
  const server = createWorkshop({ discovery: "progressive", tools: [saying("danger", { scopes: ["admin"] })] });
  const auth = { authenticate: () => ({ principal: "ada", scopes: ["read"] }) };
  const serving = await serveHttp(server, { port: 0, auth });
  onTestFinished(() => serving.close());
  const client = await connect({ url: serving.url }, { token: "t" });
  onTestFinished(() => client.close());
  expect(await client.callTool("call_tool", { name: "saw" })).toMatchObject({ content: [{ text: "saw" }] });
  await expect(client.callTool("call_tool", { name: "danger" })).rejects.toThrow("admin");
});

test("headers never bring back what the server leaves out", async () => {
  const serving = await serveHttp(createWorkshop({ selection: { toolsets: ["files"], readOnly: true } }), { port: 0 });
  onTestFinished(() => serving.close());
  const headers = { "X-MCP-Tools": "write_file,saw,read_file", "X-MCP-Readonly": "false" };
  const client = await connect({ url: serving.url }, { headers });
  onTestFinished(() => client.close());
  expect(namesOf(await client.listTools())).toEqual(["read_file"]);
  await expect(client.callTool("saw")).rejects.toMatchObject({ code: -32602 });
});

test("two clients of one server have each their own tools", async () => {
  const serving = await serveHttp(createWorkshop(), { port: 0 });
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

for (const [header, value, message, meant] of [
  ["X-MCP-Toolsets", "gti", 'there is no toolset "gti"; did you mean "git"?', "git"],
  ["X-MCP-Tools", "saww", 'there is no tool "saww"; did you mean "saw"?', "saw"],
  ["X-MCP-Exclude-Tools", "write_fil", 'there is no tool "write_fil"; did you mean "write_file"?', "write_file"],
] as const) {
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    test(`an unknown name in ${header} is refused with 400 and the nearest right one (${revision})`, async () => {
      const handler = createFetchHandler(createWorkshop());
      const statuses: number[] = [];
      const fetch = async (url: string, init: RequestInit): Promise<Response> => {
        const response = await handler(new Request(url, init), { peer: "192.0.2.1" });
        statuses.push(response.status);
        return response;
      };
      const headers = { [header]: value };
      const client = await connect({ url: "https://mcp.example/mcp" }, { revision, fetch, headers });
      onTestFinished(() => client.close());
      const told = { code: -32600, data: { didYouMean: meant } };
      await expect(client.listTools()).rejects.toMatchObject({
        ...told,
        message: `Invalid request: the headers of the request choose tools, but ${message}`,
      });
      expect(statuses.at(-1)).toBe(400);
      await expect(client.callTool("saw")).rejects.toMatchObject(told);
    });
  }
}

test("a list that is narrowed for one client is not to be kept for others", async () => {
  const handler = createFetchHandler(createWorkshop({ listCache: { tools: { ttlMs: 60_000, scope: "public" } } }));
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    handler(new Request(url, init), { peer: "192.0.2.1" });
  const scopeOf = async (headers: Record<string, string>): Promise<unknown> => {
    const client = await connect({ url: "https://mcp.example/mcp" }, { revision: "2026-07-28", fetch, headers });
    onTestFinished(() => client.close());
    return (await client.request("tools/list"))["cacheScope"];
  };
  expect([await scopeOf({}), await scopeOf({ "X-MCP-Tools": "saw" })]).toEqual(["public", "private"]);
});
