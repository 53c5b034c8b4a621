import { createServer, type JsonObject, type Server, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { countTokens } from "../../packages/toolwright/src/tokens/count-tokens.js";
import { everyRevision, HANDSHAKE, onRevisions } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { createWorkshop, namesOf } from "./server.js";

const THREE = ["search_tools", "describe_tools", "call_tool"];

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
  name: "ask_for_a_name",
  description: "Greets whoever says their name.",
  async run(_input, call) {
    const answer = await call.ask("name", "Who are you?", { type: "object", properties: { name: { type: "string" } } });
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

const createKit = (options: Partial<ServerOptions> = {}): Server =>
  createServer({
    name: "kit",
    version: "1.0.0",
    dynamic: true,
    tools: [add, ask, step, fail],
    discovery: "progressive",
    log: () => undefined,
    ...options,
  });

const textOf = (result: object): string => (result as { content: [{ text: string }] }).content[0].text;

everyRevision("three tools are listed, and all can be called", async (open) => {
  const server = createKit();
  const client = await open(server, { answers: { name: { name: "Ada" } } });
  expect(namesOf(await client.listTools())).toEqual(THREE);
  expect(textOf(await client.callTool("add", { left: 1, right: 2 }))).toBe("3");
  const call = (name: string, given?: JsonObject) =>
    client.callTool("call_tool", { name, ...(given && { arguments: given }) });
  expect(textOf(await call("add", { left: 1, right: 2 }))).toBe("3");
  expect(textOf(await call("fail"))).toBe("It broke.");
  expect(textOf(await call("call_tool"))).toContain("call_tool cannot call itself");
  await expect(call("ad", {})).rejects.toMatchObject({ code: -32602, data: { didYouMean: "add" } });
  await server.close();
});

onRevisions(["2025-11-25", "2025-06-18", "2026-07-28"], "a tool that is called asks its questions", async (open) => {
  const server = createKit();
  const client = await open(server, { answers: { name: { name: "Ada" } } });
  expect(textOf(await client.callTool("call_tool", { name: "ask_for_a_name" }))).toBe("Hello Ada");
  await server.close();
});

everyRevision("wrong arguments of the tool that is called are mended, or told in its own words", async (open) => {
  const server = createKit();
  const client = await open(server);
  const mended = await client.callTool("call_tool", { name: "add", arguments: { left: "1", right: 2 } });
  expect(textOf(mended)).toContain("3");
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
});

everyRevision("a call that comes to call_tool as text is read as the tool would read its own", async (open) => {
  const marked = { annotations: { destructiveHint: true } };
  const input = { type: "object", properties: { items: { type: "array" } } };
  const list = tool({ name: "list", description: "Lists.", input, run: () => "listed" });
  const server = createKit({
    tools: [add, tool({ ...add, ...marked, name: "erase" }), tool({ ...add, repair: false, name: "exact" }), list],
  });
  const client = await open(server);
  const call = (name: string, given: string) =>
    client.request("tools/call", { name: "call_tool", arguments: `{"name":"${name}","arguments":${given}}` });
  const mended = await call("add", '{"left":1,"right":"2"}');
  expect(textOf(mended)).toBe("3");
  expect(mended["_meta"]).toMatchObject({
    "toolwright/repairs": ["read the text as JSON", 'right: read "2" as the number 2'],
  });
  for (const name of ["erase", "exact"])
    await expect(call(name, '{"left":1,"right":2}'), name).rejects.toMatchObject({ code: -32602 });
  const nested = (levels: number) => `{"items":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(textOf(await call("list", nested(100)))).toBe("listed");
  for (const levels of [300, 100_000])
    await expect(call("list", nested(levels))).rejects.toMatchObject({ code: -32602 });
  await server.close();
});

everyRevision("progress of the tool that is called reaches the client", async (open) => {
  const server = createKit();
  const client = await open(server);
  await client.callTool("call_tool", { name: "step" }, { _meta: { progressToken: "t" } });
  expect(client.heard("notifications/progress")).toMatchObject([{ params: { progressToken: "t", progress: 1 } }]);
  await server.close();
});

everyTransport("tools are found by words and described", createKit, async (join) => {
  const client = await join();
  expect(textOf(await client.callTool("search_tools", { query: "sum of numbers" }))).toBe("add: Adds two numbers.");
  expect(textOf(await client.callTool("search_tools", { query: "arithmetic" }))).toBe("add: Adds two numbers.");
  expect(textOf(await client.callTool("search_tools", { query: "weather" }))).toBe(
    "None of the 4 tools has these words. They are about: arithmetic.",
  );
  const described = await client.callTool("describe_tools", { names: ["add", "stepp"] });
  expect(JSON.parse(textOf(described))).toEqual([
    {
      name: "add",
      description: "Adds two numbers. Gives the sum.",
      inputSchema: { ...(add.input as object), additionalProperties: false },
    },
    { name: "stepp", fault: 'unknown tool; did you mean "step"?' },
  ]);
  expect(await client.callTool("call_tool", { name: "add", arguments: { left: 2, right: 2 } })).toMatchObject({
    content: [{ text: "4" }],
  });
});

test("a call through call_tool is observed and limited as the call that it stands for", async () => {
  const reports: string[] = [];
  const server = createKit({ observe: ({ name }) => reports.push(name) });
  const client = await connect({ server });
  onTestFinished(() => client.close());
  await client.callTool("call_tool", { name: "add", arguments: { left: 1, right: 1 } });
  expect(reports).toEqual(["add"]);
});

onRevisions(["2025-11-25"], "a long tool that is called becomes a task", async (open) => {
  const long = tool({ name: "long", description: "Takes long.", long: true, run: () => "at last" });
  const server = createKit({ tools: [long], tasks: true });
  const client = await open(server);
  const created = await client.request("tools/call", { name: "call_tool", arguments: { name: "long" }, task: {} });
  const { taskId } = created["task"] as { taskId: string };
  expect(await client.request("tasks/result", { taskId })).toMatchObject({ content: [{ text: "at last" }] });
  await server.close();
});

everyTransport(
  "discovery changes while the server runs",
  () => createKit({ discovery: "full" }),
  async (join, server) => {
    const client = await join();
    const full = ["add", "ask_for_a_name", "step", "fail"];
    expect(namesOf(await client.listTools())).toEqual(full);
    await expect(client.callTool("call_tool", { name: "add" })).rejects.toMatchObject({ code: -32602 });
    const heard: string[] = [];
    const listening = await client.listen({ tools: true }, ({ of }) => heard.push(of));
    await server.select({}, "progressive");
    await vi.waitFor(() => expect(heard).toContain("tools"));
    expect(namesOf(await client.listTools())).toEqual(THREE);
    await server.select({ tools: ["add"] });
    expect(namesOf(await client.listTools())).toEqual(THREE);
    await server.select({}, "full");
    expect(namesOf(await client.listTools())).toEqual(full);
    await listening.close();
  },
);

test("of two selections that are asked for at once the later one holds", async () => {
  const server = createKit({ discovery: "full" });
  const client = await connect({ server });
  await Promise.all([server.select({}, "progressive"), server.select({ tools: ["add"] }, "full")]);
  expect(namesOf(await client.listTools())).toEqual(["add"]);
  await Promise.all([server.select({}, "full"), server.select({}, "progressive")]);
  expect(namesOf(await client.listTools())).toEqual(THREE);
  await server.select({}, "full");
  await Promise.all([server.select({}, "progressive"), server.select({ tools: ["add"] })]);
  expect(namesOf(await client.listTools())).toEqual(THREE);
  await client.close();
});

onRevisions(HANDSHAKE, "the three obey the selection", async (open) => {
  const server = createWorkshop({ discovery: "progressive", selection: { readOnly: true } });
  const client = await open(server);
  const search = async (query: string) => textOf(await client.callTool("search_tools", { query }));
  expect(await search("write file")).toBe("read_file: Says read_file.");
  expect(textOf(await client.callTool("describe_tools", { names: ["saw"] }))).toBe(
    '[{"name":"saw","fault":"unknown tool"}]',
  );
  await expect(client.callTool("call_tool", { name: "saw" })).rejects.toMatchObject({ code: -32602 });
  await server.close();
});

test("a server with results that are cut also lists the tool that reads on in them", async () => {
  const server = createKit({ results: true });
  const client = await connect({ server });
  onTestFinished(() => client.close());
  expect(namesOf(await client.listTools())).toEqual([...THREE, "read_result"]);
});

test("tools that become tasks can be called as such, and are described so [TSK-02]", async () => {
  const bake = tool({ name: "bake", description: "Bakes.", long: "task-only", run: () => "a cake" });
  const client = await connect(
    { server: createKit({ tools: [add, bake], tasks: { pollMs: 20 } }) },
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

test("a tool that is named like one of the three fails the start", async () => {
  const server = createKit({ tools: [{ ...add, name: "call_tool" }] });
  await expect(server.start()).rejects.toThrow('Cannot register tool "call_tool": the name "call_tool" is taken');
});

test("what a model is given of the three costs less than 600 tokens", async () => {
  const client = await connect({ server: createKit() });
  onTestFinished(() => client.close());
  const shown = (await client.listTools()).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  expect(countTokens(JSON.stringify(shown))).toBeLessThan(600);
});
