import type { Selection } from "@toolwright/engine";
import { expect, test, vi } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { ALL_TOOLS, createWorkshop, namesOf, saying } from "./server.js";

const cases: readonly (readonly [Selection, readonly string[]])[] = [
  [{}, ALL_TOOLS],
  [{ toolsets: ["files"] }, ["read_file", "write_file"]],
  [{ toolsets: ["workshop"] }, ["read_file", "write_file", "git_log", "saw"]],
  [{ toolsets: ["git"], tools: ["greet"] }, ["greet", "git_log"]],
  [{ tools: ["saw"] }, ["saw"]],
  [{ toolsets: [] }, []],
  [{ without: ["saw", "greet"] }, ["read_file", "write_file", "git_log"]],
  [{ tools: ["saw", "greet"], without: ["saw"] }, ["greet"]],
  [{ readOnly: true }, ["greet", "read_file", "git_log"]],
  [{ toolsets: ["files"], readOnly: true }, ["read_file"]],
];

for (const [selection, names] of cases) {
  test(`${JSON.stringify(selection)} leaves ${names.join(", ") || "nothing"}`, async () => {
    const server = createWorkshop({ selection });
    await server.start();
    expect(namesOf(server.tools)).toEqual(names);
    await server.close();
  });
}

everyRevision("a tool outside the selection is neither listed nor called", async (open) => {
  const server = createWorkshop({ selection: { toolsets: ["files"], hint: "start it with --all-tools" } });
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

everyTransport(
  "the selection changes while the server runs",
  () => createWorkshop({ selection: { tools: ["greet"] } }),
  async (join, server) => {
    const client = await join();
    expect(namesOf(await client.listTools())).toEqual(["greet"]);
    const heard: string[] = [];
    const listening = await client.listen({ tools: true }, ({ of }) => heard.push(of));
    await server.select({ toolsets: ["git"] });
    await vi.waitFor(() => expect(heard).toContain("tools"));
    expect(namesOf(await client.listTools())).toEqual(["git_log"]);
    await expect(client.callTool("greet")).rejects.toMatchObject({ code: -32602 });
    await server.select({});
    expect(namesOf(await client.listTools())).toEqual(ALL_TOOLS);
    await listening.close();
  },
);

test("a selection holds for tools that come later", async () => {
  const server = createWorkshop({ selection: { toolsets: ["files"] } });
  await server.start();
  server.addTool(saying("copy_file", { toolset: "files" }));
  server.addTool(saying("plane", { toolset: "wood" }));
  expect(namesOf(server.tools)).toEqual(["read_file", "write_file", "copy_file"]);
  server.removeTool("plane");
  server.removeTool("read_file");
  expect(namesOf(server.tools)).toEqual(["write_file", "copy_file"]);
  await server.close();
});

test("toolsets name all that a server has, offered or not, by toolset and by pack", async () => {
  const server = createWorkshop({ selection: { tools: ["greet"] } });
  await server.start();
  expect(server.toolsets).toEqual([
    { name: "files", tools: ["read_file", "write_file"] },
    { name: "workshop", tools: ["read_file", "write_file", "git_log", "saw"] },
    { name: "git", tools: ["git_log"] },
  ]);
  await server.close();
});

test("an unknown name in the selection fails the start, with the nearest right one", async () => {
  await expect(createWorkshop({ selection: { toolsets: ["file"] } }).start()).rejects.toThrow(
    'Cannot start the server: there is no toolset "file"; did you mean "files"?',
  );
  await expect(createWorkshop({ selection: { without: ["sew"] } }).start()).rejects.toThrow(
    'Cannot start the server: there is no tool "sew"; did you mean "saw"?',
  );
});

test("a selection that cannot be is refused, and changes nothing", async () => {
  const server = createWorkshop({ selection: { tools: ["saw"] } });
  await server.start();
  await expect(server.select({ tools: ["gret"] })).rejects.toThrow(
    'Cannot select tools: there is no tool "gret"; did you mean "greet"?',
  );
  await expect(server.select({ toolset: ["git"] } as Selection)).rejects.toThrow(
    "Cannot select tools: toolset is unknown; did you mean toolsets?",
  );
  await expect(server.select({ tools: "saw" } as unknown as Selection)).rejects.toThrow(
    "Cannot select tools: tools of the selection must be a list of names",
  );
  expect(namesOf(server.tools)).toEqual(["saw"]);
  await server.close();
});

test("a selection changes only where clients are told of changes", async () => {
  const server = createWorkshop({ dynamic: false });
  await server.start();
  await expect(server.select({})).rejects.toThrow("Cannot select tools: create the server with dynamic: true");
  await server.close();
});

test("a toolset is a word", () => {
  expect(() => createWorkshop({ tools: [saying("a", { toolset: "two words" })] })).toThrow(
    'Cannot define tool "a": toolset must be a word of 1 to 64 characters of A-Z a-z 0-9 _ - .',
  );
});

test("the tool that reads on in cut results is left out only by name", async () => {
  const server = createWorkshop({ results: true, selection: { tools: ["saw"] } });
  await server.start();
  expect(namesOf(server.tools)).toEqual(["saw", "read_result"]);
  await server.select({ tools: ["saw"], without: ["read_result"] });
  expect(namesOf(server.tools)).toEqual(["saw"]);
  await server.close();
});

test("what was selected before the start holds when the packs are open", async () => {
  const server = createWorkshop({ selection: { tools: ["greet"] }, discovery: "progressive" });
  await server.select({ toolsets: ["git"] }, "full");
  await server.start();
  expect(namesOf(server.tools)).toEqual(["git_log"]);
  await expect(server.select({}, "some" as "full")).rejects.toThrow(
    "Cannot select tools: discovery must be full or progressive, not some",
  );
  await server.close();
});
