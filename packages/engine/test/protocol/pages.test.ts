import { type Json, type JsonObject, prompt, resource, resourceTemplate } from "@toolwright/engine";
import { expect } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { createEcho, echo } from "./support.js";

const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...echo, name: `tool-${at}` }));
const namesOf = (page: JsonObject) => (page["tools"] as JsonObject[]).map(({ name }) => name);

everyRevision("tools/list accepts a cursor and returns the next page [PAGE-01]", async (open) => {
  const client = await open(createEcho({ tools: many(5), limits: { pageSize: 2 } }));
  const first = await client.request("tools/list");
  expect(namesOf(first)).toEqual(["tool-0", "tool-1"]);
  const second = await client.request("tools/list", { cursor: first["nextCursor"] as Json });
  expect(namesOf(second)).toEqual(["tool-2", "tool-3"]);
  const third = await client.request("tools/list", { cursor: second["nextCursor"] as Json });
  expect(namesOf(third)).toEqual(["tool-4"]);
});

/** A server with so many of everything, and how each list names its entries. */
const everything = (count: number) =>
  createEcho({
    tools: many(count),
    prompts: many(count).map(({ name }) => prompt({ name, description: "d", run: () => "" })),
    resources: many(count).flatMap(({ name }) => [
      resource({ uri: `x:${name}`, name, read: () => "" }),
      resourceTemplate({ uri: `x:${name}/{id}`, name, read: () => "" }),
    ]),
    limits: { pageSize: 4 },
  });
const LISTS = [
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
] as const;

everyRevision("a cursor is valid for one list only, even if another has the same names [PAGE-04]", async (open) => {
  const client = await open(everything(10));
  const { nextCursor = "" } = await client.request("tools/list");
  await expect(client.request("prompts/list", { cursor: nextCursor })).rejects.toMatchObject({ code: -32602 });
});

everyRevision(
  "each list accepts its own cursors and rejects those of other lists [PAGE-01 PAGE-04 PAGE-05]",
  async (open) => {
    const client = await open(everything(10));
    const cursors: [string, string][] = [];
    for (const [method, member] of LISTS) {
      const names: unknown[] = [];
      let params: JsonObject = {};
      for (let page = await client.request(method); ; page = await client.request(method, params)) {
        const entries = page[member] as JsonObject[];
        expect(entries.length, method).toBeLessThanOrEqual(4);
        names.push(...entries.map(({ name }) => name));
        if (!("nextCursor" in page)) break;
        params = { cursor: page["nextCursor"] };
        cursors.push([method, page["nextCursor"] as string]);
      }
      expect(names, method).toEqual(many(10).map(({ name }) => name));
      for (const cursor of ["", "made up", 5]) {
        await expect(client.request(method, { cursor }), method).rejects.toMatchObject({ code: -32602 });
      }
    }
    for (const [from, cursor] of cursors) {
      if (!from.startsWith("resources/")) continue;
      await expect(client.request("tools/list", { cursor })).rejects.toMatchObject({ code: -32602 });
    }
  },
);

everyRevision("nextCursor is present if there are more entries, and never null [PAGE-02]", async (open) => {
  for (const [count, pages] of [
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ] as const) {
    const client = await open(createEcho({ tools: many(count), dynamic: true, limits: { pageSize: 2 } }));
    let seen = 1;
    let page = await client.request("tools/list");
    for (; "nextCursor" in page; seen += 1) {
      expect(page["nextCursor"]).toEqual(expect.stringMatching(/./));
      page = await client.request("tools/list", { cursor: page["nextCursor"] });
    }
    expect(seen, `${count} tools`).toBe(pages);
  }
});

everyRevision("invalid cursors get -32602, also an empty one [PAGE-03 PAGE-04]", async (open) => {
  const client = await open(createEcho({ tools: many(5), limits: { pageSize: 2 } }));
  const { nextCursor } = (await client.request("tools/list")) as { nextCursor: string };
  for (const cursor of ["", "made up", "0", "2", "tool-1", `${nextCursor}A`, " ", "\ud800"]) {
    await expect(client.request("tools/list", { cursor }), cursor).rejects.toMatchObject({
      code: -32602,
      message: "Invalid params: the cursor is unknown or has expired; list again without one",
    });
  }
  for (const cursor of [null, 0, 2, true, {}, []] as Json[]) {
    await expect(client.request("tools/list", { cursor }), JSON.stringify(cursor)).rejects.toMatchObject({
      code: -32602,
      message: "Invalid params: cursor must be a string",
    });
  }
});

everyRevision("a cursor is opaque [PAGE-03]", async (open) => {
  const client = await open(createEcho({ tools: many(3), limits: { pageSize: 1 } }));
  const { nextCursor } = await client.request("tools/list");
  expect(nextCursor).toMatch(/^[\w-]+$/);
  expect(nextCursor).not.toContain("tool-0");
});

everyRevision("the pages contain each tool exactly once and in order [PAGE-05]", async (open) => {
  const server = createEcho({ tools: many(23), limits: { pageSize: 4 } });
  const client = await open(server);
  const expected = Array.from({ length: 23 }, (_, at) => `tool-${at}`);
  for (let round = 0; round < 2; round += 1) {
    expect((await client.listTools()).map(({ name }) => name)).toEqual(expected);
  }
  const other = await open(server);
  expect((await other.listTools()).map(({ name }) => name)).toEqual(expected);
});

everyRevision("a cursor stays valid when other tools change, and expires with its own tool [PAGE-04]", async (open) => {
  const server = createEcho({ tools: many(5), dynamic: true, limits: { pageSize: 2 } });
  const client = await open(server);
  const { nextCursor: cursor } = (await client.request("tools/list")) as { nextCursor: string };
  server.removeTool("tool-0");
  expect(namesOf(await client.request("tools/list", { cursor }))).toEqual(["tool-2", "tool-3"]);
  server.removeTool("tool-1");
  await expect(client.request("tools/list", { cursor })).rejects.toMatchObject({ code: -32602 });
});
