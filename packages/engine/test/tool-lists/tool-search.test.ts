import { createServer, type JsonObject, type Server, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { getEncoding } from "js-tiktoken";
import { expect, onTestFinished, test, vi } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { createToolServer, namesOf } from "./server.js";

const SEARCH_TOOLS = ["search_tools", "describe_tools", "call_tool"];

const add = tool({
  name: "add",
  description: "Adds two numbers. Gives the sum.",
  toolset: "arithmetic",
  input: {
    type: "object",
    properties: { left: { type: "number" }, right: { type: "number" } },
    required: ["left", "right"],
  },
  run: ({ left, right }) => String(left + right),
});
const ask = tool({
  name: "greet_by_name",
  description: "Greets whoever says their name.",
  async run(_input, call) {
    const answer = await call.elicit("name", "Who are you?", {
      type: "object",
      properties: { name: { type: "string" } },
    });
    return `Hello ${answer?.["name"]}`;
  },
});
const step = tool({
  name: "step",
  description: "Takes steps.",
  run(_input, call) {
    call.progress(1);
    return "done";
  },
});
const fail = tool({
  name: "fail",
  description: "Fails.",
  scopes: ["danger"],
  run() {
    throw new ToolError("It broke.", { code: "BROKEN" });
  },
});

const createSearchServer = (options: Partial<ServerOptions> = {}): Server =>
  createServer({
    name: "search",
    version: "1.0.0",
    dynamic: true,
    tools: [add, ask, step, fail],
    toolOptions: { discovery: "progressive" },
    log: () => undefined,
    ...options,
  });

const textOf = (result: object): string => (result as { content: [{ text: string }] }).content[0].text;

everyRevision("three tools are listed, and all can be called", async (open) => {
  const server = createSearchServer();
  const client = await open(server, { responses: { name: { name: "Ada" } } });
  expect(namesOf(await client.listTools())).toEqual(SEARCH_TOOLS);
  expect(textOf(await client.callTool("add", { left: 1, right: 2 }))).toBe("3");
  const call = (name: string, input?: JsonObject) =>
    client.callTool("call_tool", { name, ...(input && { arguments: input }) });
  expect(textOf(await call("add", { left: 1, right: 2 }))).toBe("3");
  expect(textOf(await call("fail"))).toBe("It broke.");
  expect(textOf(await call("call_tool"))).toContain("call_tool cannot call itself");
  await expect(call("ad", {})).rejects.toMatchObject({ code: -32602, data: { didYouMean: "add" } });
  await server.close();
});

onRevisions(
  ["2025-11-25", "2025-06-18", "2026-07-28"],
  "a tool that is called through call_tool can elicit input",
  async (open) => {
    const server = createSearchServer();
    const client = await open(server, { responses: { name: { name: "Ada" } } });
    expect(textOf(await client.callTool("call_tool", { name: "greet_by_name" }))).toBe("Hello Ada");
    await server.close();
  },
);

everyRevision(
  "arguments of a tool that is called through call_tool are corrected or reported by that tool",
  async (open) => {
    const server = createSearchServer();
    const client = await open(server);
    const corrected = await client.callTool("call_tool", { name: "add", arguments: { left: "1", right: 2 } });
    expect(textOf(corrected)).toContain("3");
    const wrong = await client.callTool("call_tool", { name: "add", arguments: { left: "one" } });
    expect(wrong).toMatchObject({ isError: true });
    expect(textOf(wrong)).toContain("right");
    const asText = await client.callTool("call_tool", { name: "add", arguments: '{"left":1,"right":2}' });
    expect(textOf(asText)).toContain("3");
    const wholeAsText = await client.request("tools/call", {
      name: "call_tool",
      arguments: '{"name":"add","arguments":{"left":1,"right":2}}',
    });
    expect(textOf(wholeAsText)).toBe("3");
    const misspelt = await client.callTool("call_tool", { name: "add", args: {} });
    expect(textOf(misspelt)).toContain("args: unknown argument");
    const nameless = await client.callTool("call_tool", { arguments: {} });
    expect(nameless).toMatchObject({ isError: true });
    expect(textOf(nameless)).toContain("name");
    await server.close();
  },
);

everyRevision("arguments of call_tool as a JSON string are parsed like those of the called tool", async (open) => {
  const marked = { annotations: { destructiveHint: true } };
  const input = { type: "object", properties: { items: { type: "array" } } };
  const list = tool({ name: "list", description: "Lists.", input, run: () => "listed" });
  const server = createSearchServer({
    tools: [
      add,
      tool({ ...add, ...marked, name: "erase" }),
      tool({ ...add, correctArguments: false, name: "exact" }),
      list,
    ],
  });
  const client = await open(server);
  const call = (name: string, json: string) =>
    client.request("tools/call", { name: "call_tool", arguments: `{"name":"${name}","arguments":${json}}` });
  const corrected = await call("add", '{"left":1,"right":"2"}');
  expect(textOf(corrected)).toBe("3");
  expect(corrected["_meta"]).toMatchObject({
    "toolwright/corrections": ["read the text as JSON", 'right: read "2" as the number 2'],
  });
  for (const name of ["erase", "exact"])
    await expect(call(name, '{"left":1,"right":2}'), name).rejects.toMatchObject({ code: -32602 });
  const nested = (levels: number) => `{"items":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(textOf(await call("list", nested(100)))).toBe("listed");
  for (const levels of [300, 100_000])
    await expect(call("list", nested(levels))).rejects.toMatchObject({ code: -32602 });
  await server.close();
});

everyRevision("progress of a tool that is called through call_tool reaches the client", async (open) => {
  const server = createSearchServer();
  const client = await open(server);
  await client.callTool("call_tool", { name: "step" }, { _meta: { progressToken: "t" } });
  expect(client.received("notifications/progress")).toMatchObject([{ params: { progressToken: "t", progress: 1 } }]);
  await server.close();
});

everyTransport("tools are searched and described", createSearchServer, async (join) => {
  const client = await join();
  expect(textOf(await client.callTool("search_tools", { query: "sum of numbers" }))).toBe("add: Adds two numbers.");
  expect(textOf(await client.callTool("search_tools", { query: "arithmetic" }))).toBe("add: Adds two numbers.");
  expect(textOf(await client.callTool("search_tools", { query: "weather" }))).toBe(
    "None of the 4 tools matches. The toolsets are: arithmetic.",
  );
  const described = await client.callTool("describe_tools", { names: ["add", "stepp"] });
  expect(JSON.parse(textOf(described))).toEqual([
    {
      name: "add",
      description: "Adds two numbers. Gives the sum.",
      inputSchema: { ...(add.input as object), additionalProperties: false },
    },
    { name: "stepp", error: 'unknown tool; did you mean "step"?' },
  ]);
  expect(await client.callTool("call_tool", { name: "add", arguments: { left: 2, right: 2 } })).toMatchObject({
    content: [{ text: "4" }],
  });
});

test("a call through call_tool is reported as a call of the called tool", async () => {
  const reports: string[] = [];
  const server = createSearchServer({ onCall: ({ name }) => reports.push(name) });
  const client = await connect({ server });
  onTestFinished(() => client.close());
  await client.callTool("call_tool", { name: "add", arguments: { left: 1, right: 1 } });
  expect(reports).toEqual(["add"]);
});

onRevisions(["2025-11-25"], "a tool that is called through call_tool can run as a task", async (open) => {
  const long = tool({ name: "long", description: "Takes long.", taskSupport: "optional", run: () => "at last" });
  const server = createSearchServer({ tools: [long], tasks: true });
  const client = await open(server);
  const created = await client.request("tools/call", { name: "call_tool", arguments: { name: "long" }, task: {} });
  const { taskId } = created["task"] as { taskId: string };
  expect(await client.request("tasks/result", { taskId })).toMatchObject({ content: [{ text: "at last" }] });
  await server.close();
});

everyTransport(
  "discovery changes while the server runs",
  () => createSearchServer({ toolOptions: { discovery: "full" } }),
  async (join, server) => {
    const client = await join();
    const full = ["add", "greet_by_name", "step", "fail"];
    expect(namesOf(await client.listTools())).toEqual(full);
    await expect(client.callTool("call_tool", { name: "add" })).rejects.toMatchObject({ code: -32602 });
    const received: string[] = [];
    const listening = await client.listen({ tools: true }, ({ kind: of }) => received.push(of));
    await server.select({}, "progressive");
    await vi.waitFor(() => expect(received).toContain("tools"));
    expect(namesOf(await client.listTools())).toEqual(SEARCH_TOOLS);
    await server.select({ tools: ["add"] });
    expect(namesOf(await client.listTools())).toEqual(SEARCH_TOOLS);
    await server.select({}, "full");
    expect(namesOf(await client.listTools())).toEqual(full);
    await listening.close();
  },
);

test("of two concurrent selections the later one applies", async () => {
  const server = createSearchServer({ toolOptions: { discovery: "full" } });
  const client = await connect({ server });
  await Promise.all([server.select({}, "progressive"), server.select({ tools: ["add"] }, "full")]);
  expect(namesOf(await client.listTools())).toEqual(["add"]);
  await Promise.all([server.select({}, "full"), server.select({}, "progressive")]);
  expect(namesOf(await client.listTools())).toEqual(SEARCH_TOOLS);
  await server.select({}, "full");
  await Promise.all([server.select({}, "progressive"), server.select({ tools: ["add"] })]);
  expect(namesOf(await client.listTools())).toEqual(SEARCH_TOOLS);
  await client.close();
});

onRevisions(HANDSHAKE, "the search tools respect the tool filter", async (open) => {
  const server = createToolServer({ toolOptions: { discovery: "progressive", filter: { readOnly: true } } });
  const client = await open(server);
  const search = async (query: string) => textOf(await client.callTool("search_tools", { query }));
  expect(await search("write file")).toBe("read_file: Returns read_file.");
  expect(textOf(await client.callTool("describe_tools", { names: ["saw"] }))).toBe(
    '[{"name":"saw","error":"unknown tool"}]',
  );
  await expect(client.callTool("call_tool", { name: "saw" })).rejects.toMatchObject({ code: -32602 });
  await server.close();
});

test("a server with large results also lists the tool that reads them", async () => {
  const server = createSearchServer({ largeResults: true });
  const client = await connect({ server });
  onTestFinished(() => client.close());
  expect(namesOf(await client.listTools())).toEqual([...SEARCH_TOOLS, "read_result"]);
});

test("tools that run as tasks can be called as tasks, and are described so [TSK-02]", async () => {
  const bake = tool({ name: "bake", description: "Bakes.", taskSupport: "required", run: () => "a cake" });
  const client = await connect(
    { server: createSearchServer({ tools: [add, bake], tasks: { pollMs: 20 } }) },
    { revision: "2025-11-25" },
  );
  onTestFinished(() => client.close());
  const listed = await client.listTools();
  expect(listed.find(({ name }) => name === "call_tool")).toMatchObject({ execution: { taskSupport: "optional" } });
  expect(textOf(await client.callTool("describe_tools", { names: ["bake"] }))).toContain(
    '"execution":{"taskSupport":"required"}',
  );
  expect(textOf(await client.callTool("call_tool", { name: "bake" }, { task: true }))).toBe("a cake");
  expect(textOf(await client.callTool("call_tool", { name: "add", arguments: { left: 1, right: 2 } }))).toBe("3");
});

test("a tool with the name of a search tool fails the start", async () => {
  const server = createSearchServer({ tools: [{ ...add, name: "call_tool" }] });
  await expect(server.start()).rejects.toThrow(
    'Cannot register tool "call_tool": the name "call_tool" is already taken',
  );
});

test("the definitions of the search tools have fewer than 600 tokens", async () => {
  const client = await connect({ server: createSearchServer() });
  onTestFinished(() => client.close());
  const shown = (await client.listTools()).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  expect(getEncoding("o200k_base").encode(JSON.stringify(shown)).length).toBeLessThan(600);
});
