import type { ToolFilter } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { expect, test, vi } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { ALL_TOOLS, createToolServer, namedTool, namesOf } from "./server.js";

const cases: readonly (readonly [ToolFilter, readonly string[]])[] = [
  [{}, ALL_TOOLS],
  [{ toolsets: ["files"] }, ["read_file", "write_file"]],
  [{ toolsets: ["toolbox"] }, ["read_file", "write_file", "git_log", "saw"]],
  [{ toolsets: ["git"], tools: ["greet"] }, ["greet", "git_log"]],
  [{ tools: ["saw"] }, ["saw"]],
  [{ toolsets: [] }, []],
  [{ exclude: ["saw", "greet"] }, ["read_file", "write_file", "git_log"]],
  [{ tools: ["saw", "greet"], exclude: ["saw"] }, ["greet"]],
  [{ readOnly: true }, ["greet", "read_file", "git_log"]],
  [{ toolsets: ["files"], readOnly: true }, ["read_file"]],
];

for (const [selection, names] of cases) {
  test(`${JSON.stringify(selection)} leaves ${names.join(", ") || "nothing"}`, async () => {
    const server = createToolServer({ toolOptions: { filter: selection } });
    await server.start();
    expect(namesOf(server.tools)).toEqual(names);
    await server.close();
  });
}

everyRevision("a tool that the filter excludes is neither listed nor called", async (open) => {
  const server = createToolServer({
    toolOptions: { filter: { toolsets: ["files"], hint: "start it with --all-tools" } },
  });
  const client = await open(server);
  expect(namesOf(await client.listTools())).toEqual(["read_file", "write_file"]);
  expect(await client.callTool("read_file")).toMatchObject({ content: [{ text: "read_file" }] });
  await expect(client.callTool("saw")).rejects.toMatchObject({
    code: -32602,
    message: "Unknown tool: saw is switched off on this server; start it with --all-tools",
  });
  await expect(client.callTool("read_fil")).rejects.toMatchObject({ data: { didYouMean: "read_file" } });
  await server.close();
});

everyRevision("a tool that changes something is off with readOnly, whatever else is switched on", async (open) => {
  const filter = { readOnly: true, exclude: ["read_file"], hint: "start it with --tools NAME" };
  const server = createToolServer({ toolOptions: { filter } });
  const client = await open(server);
  await expect(client.callTool("write_file")).rejects.toMatchObject({
    message: "Unknown tool: write_file is switched off on this server, which offers only tools that change nothing",
  });
  await expect(client.callTool("read_file")).rejects.toMatchObject({
    message: "Unknown tool: read_file is switched off on this server; start it with --tools NAME",
  });
  await server.close();
});

const REPLACED = [
  namedTool("file_exists", { toolset: "files", replacedBy: "stat_file", annotations: { readOnlyHint: true } }),
  namedTool("stat_file", { toolset: "files", annotations: { readOnlyHint: true } }),
];

everyRevision("a replaced tool is not listed, and can be called where its successor can", async (open) => {
  const server = createToolServer({ tools: REPLACED });
  const client = await open(server);
  expect(namesOf(await client.listTools())).not.toContain("file_exists");
  expect(await client.callTool("file_exists")).toMatchObject({ content: [{ text: "file_exists" }] });
  await server.close();
});

everyRevision("a replaced tool that the filter names is listed", async (open) => {
  const server = createToolServer({ tools: REPLACED, toolOptions: { filter: { tools: ["file_exists"] } } });
  const client = await open(server);
  expect(namesOf(await client.listTools())).toEqual(["file_exists"]);
  await server.close();
});

test.each<[ToolFilter, boolean]>([
  [{ toolsets: ["files"] }, true],
  [{ tools: ["stat_file"] }, true],
  [{ tools: ["file_exists"] }, true],
  [{ readOnly: true }, true],
  [{ tools: ["saw"] }, false],
  [{ exclude: ["stat_file"] }, false],
  [{ exclude: ["file_exists"] }, false],
])("%j: whether a replaced tool can be called is %s", async (filter, isCallable) => {
  const server = createToolServer({ tools: REPLACED, toolOptions: { filter } });
  const client = await connectTestClient(server);
  const called = client.callTool("file_exists").then(
    () => true,
    () => false,
  );
  expect(await called).toBe(isCallable);
  client.close();
  await server.close();
});

everyTransport(
  "the filter changes while the server runs",
  () => createToolServer({ toolOptions: { filter: { tools: ["greet"] } } }),
  async (join, server) => {
    const client = await join();
    expect(namesOf(await client.listTools())).toEqual(["greet"]);
    const received: string[] = [];
    const listening = await client.listen({ tools: true }, ({ kind: of }) => received.push(of));
    await server.select({ toolsets: ["git"] });
    await vi.waitFor(() => expect(received).toContain("tools"));
    expect(namesOf(await client.listTools())).toEqual(["git_log"]);
    await expect(client.callTool("greet")).rejects.toMatchObject({ code: -32602 });
    await server.select({});
    expect(namesOf(await client.listTools())).toEqual(ALL_TOOLS);
    await listening.close();
  },
);

test("a filter applies to tools that are added later", async () => {
  const server = createToolServer({ toolOptions: { filter: { toolsets: ["files"] } } });
  await server.start();
  server.addTool(namedTool("copy_file", { toolset: "files" }));
  server.addTool(namedTool("plane", { toolset: "wood" }));
  expect(namesOf(server.tools)).toEqual(["read_file", "write_file", "copy_file"]);
  server.removeTool("plane");
  server.removeTool("read_file");
  expect(namesOf(server.tools)).toEqual(["write_file", "copy_file"]);
  await server.close();
});

test("server.toolsets contains all tools, available or not, by toolset and by pack", async () => {
  const server = createToolServer({ toolOptions: { filter: { tools: ["greet"] } } });
  await server.start();
  expect(server.toolsets).toEqual([
    { name: "files", tools: ["read_file", "write_file"] },
    { name: "toolbox", tools: ["read_file", "write_file", "git_log", "saw"] },
    { name: "git", tools: ["git_log"] },
  ]);
  await server.close();
});

test("an unknown name in the filter fails the start, with the closest known name", async () => {
  await expect(createToolServer({ toolOptions: { filter: { toolsets: ["file"] } } }).start()).rejects.toThrow(
    'Cannot start the server: there is no toolset "file"; did you mean "files"?',
  );
  await expect(createToolServer({ toolOptions: { filter: { exclude: ["sew"] } } }).start()).rejects.toThrow(
    'Cannot start the server: there is no tool "sew"; did you mean "saw"?',
  );
});

test("an invalid filter is rejected, and changes nothing", async () => {
  const server = createToolServer({ toolOptions: { filter: { tools: ["saw"] } } });
  await server.start();
  await expect(server.select({ tools: ["gret"] })).rejects.toThrow(
    'Cannot select tools: there is no tool "gret"; did you mean "greet"?',
  );
  await expect(server.select({ toolset: ["git"] } as ToolFilter)).rejects.toThrow(
    "Cannot select tools: unknown option toolset; did you mean toolsets?",
  );
  await expect(server.select({ tools: "saw" } as unknown as ToolFilter)).rejects.toThrow(
    "Cannot select tools: tools must be an array of names",
  );
  expect(namesOf(server.tools)).toEqual(["saw"]);
  await server.close();
});

test("the filter can change only if the server is dynamic", async () => {
  const server = createToolServer({ dynamic: false });
  await server.start();
  await expect(server.select({})).rejects.toThrow("Cannot select tools: create the server with dynamic: true");
  await server.close();
});

test("the name of a toolset has a limited syntax", () => {
  expect(() => createToolServer({ tools: [namedTool("a", { toolset: "two words" })] })).toThrow(
    'Cannot define tool "a": toolset must have 1 to 64 characters of A-Z a-z 0-9 _ - .',
  );
});

test("the tool that reads truncated results is excluded only by name", async () => {
  const server = createToolServer({ largeResults: true, toolOptions: { filter: { tools: ["saw"] } } });
  await server.start();
  expect(namesOf(server.tools)).toEqual(["saw", "read_result"]);
  await server.select({ tools: ["saw"], exclude: ["read_result"] });
  expect(namesOf(server.tools)).toEqual(["saw"]);
  await server.close();
});

test("a filter that is set before the start applies to the packs", async () => {
  const server = createToolServer({ toolOptions: { filter: { tools: ["greet"] }, discovery: "progressive" } });
  await server.select({ toolsets: ["git"] }, "full");
  await server.start();
  expect(namesOf(server.tools)).toEqual(["git_log"]);
  await expect(server.select({}, "some" as "full")).rejects.toThrow(
    "Cannot select tools: discovery must be one of full, progressive, not some",
  );
  await server.close();
});
