import { type Tool, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const full = tool({
  name: "full",
  title: "Everything",
  description: "Has every member.",
  input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  output: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  annotations: { title: "All", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  icons: [{ src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }],
  meta: { "example.com/kind": "sample" },
  aliases: ["everything"],
  run: ({ n }) => ({ n }),
});

const named = (name: string): Tool => tool({ name, description: `Is ${name}.`, run: () => name });

const define = (definition: object) => () =>
  serverWith([tool({ name: "broken", description: "d", run: () => "", ...definition })]);

const MEMBERS: Readonly<Record<string, string>> = {
  "2024-11-05": "name description inputSchema",
  "2025-03-26": "name description inputSchema annotations",
  "2025-06-18": "name title description inputSchema outputSchema annotations _meta",
  "2025-11-25": "name title description inputSchema outputSchema annotations icons _meta",
  "2026-07-28": "name title description inputSchema outputSchema annotations icons _meta",
};

describe("tools/list", () => {
  everyRevision("lists only the members that the revision has [TOOL-07]", async (open, revision) => {
    const [shown] = await (await open(serverWith([full]))).listTools();
    expect(Object.keys(shown ?? {}).join(" ")).toBe(MEMBERS[revision]);
    expect(shown).toMatchObject({
      name: "full",
      description: "Has every member.",
      inputSchema: {
        type: "object",
        properties: { n: { type: "number" } },
        required: ["n"],
        additionalProperties: false,
      },
    });
  });

  onRevisions(["2025-11-25", STATELESS], "shows icons with all their members [TOOL-09]", async (open) => {
    const [shown] = await (await open(serverWith([full]))).listTools();
    expect(shown?.["icons"]).toEqual([
      { src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" },
    ]);
  });

  onRevisions(
    ["2025-03-26", "2025-06-18", "2025-11-25", STATELESS],
    "shows hints as they were given and leaves absent ones to their worst meaning [TOOL-08]",
    async (open) => {
      const hinted = tool({
        name: "hinted",
        description: "Reads.",
        annotations: { readOnlyHint: true },
        run: () => "",
      });
      const shown = await (await open(serverWith([named("plain"), hinted]))).listTools();
      expect(shown[0]).not.toHaveProperty("annotations");
      expect(shown[1]?.["annotations"]).toEqual({ readOnlyHint: true });
    },
  );

  everyRevision(
    "has an object schema for every tool, without properties if it has no input [TOOL-03]",
    async (open) => {
      const [bare] = await (await open(serverWith([named("bare")]))).listTools();
      expect(bare?.["inputSchema"]).toEqual({ type: "object", properties: {}, additionalProperties: false });
    },
  );

  onRevisions(
    [STATELESS],
    "keeps every keyword of the input schema, and calls are validated with them [TOOL-05]",
    async (open) => {
      const input = {
        type: "object",
        $defs: { amount: { type: "integer", exclusiveMinimum: 0 } },
        properties: { amount: { $ref: "#/$defs/amount" }, unit: { enum: ["g", "kg"] } },
        dependentRequired: { amount: ["unit"] },
        patternProperties: { "^x-": { type: "string" } },
        unevaluatedProperties: false,
      } as const;
      const weigh = tool({ name: "weigh", description: "Weighs.", input, run: () => "done" });
      const client = await open(serverWith([weigh]));
      expect((await client.listTools())[0]?.["inputSchema"]).toEqual(input);
      expect(await client.callTool("weigh", { amount: 2, unit: "g", "x-note": "soft" })).toMatchObject({
        isError: false,
      });
      expect(await client.callTool("weigh", { amount: 2 })).toMatchObject({ isError: true });
      expect(await client.callTool("weigh", { amount: 0, unit: "g" })).toMatchObject({ isError: true });
      expect(await client.callTool("weigh", { "x-note": 5 })).toMatchObject({ isError: true });
    },
  );

  everyRevision("keeps the order of registration, and names are case-sensitive [TOOL-01 TOOL-02]", async (open) => {
    const names = ["zeta", "alpha", "Alpha", "mid.dle", "a-b_c"];
    const server = serverWith(names.map(named));
    const first = await open(server);
    const second = await open(server);
    for (const client of [first, second, first]) {
      expect((await client.listTools()).map(({ name }) => name)).toEqual(names);
    }
    expect((await first.callTool("alpha"))["content"]).toEqual([{ type: "text", text: "alpha" }]);
    expect((await first.callTool("Alpha"))["content"]).toEqual([{ type: "text", text: "Alpha" }]);
  });

  everyRevision("omits aliases, which can still be called", async (open) => {
    const client = await open(serverWith([full]));
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["full"]);
    expect(await client.callTool("everything", { n: 3 })).toMatchObject({
      content: [{ type: "text", text: '{"n":3}' }],
      isError: false,
    });
  });
});

describe("pages of tools/list", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"];

  everyRevision("contain each tool exactly once, and the last has no cursor [PAGE-02 PAGE-05]", async (open) => {
    for (const pageSize of [1, 3, 7, 8]) {
      const client = await open(serverWith(names.map(named), { limits: { pageSize } }));
      const found: unknown[] = [];
      let pages = 0;
      for (let cursor: unknown, more = true; more; more = cursor !== undefined) {
        const page = await client.request("tools/list", cursor === undefined ? {} : { cursor: cursor as string });
        found.push(...(page["tools"] as { name: string }[]).map(({ name }) => name));
        pages += 1;
        cursor = page["nextCursor"];
        expect("nextCursor" in page).toBe(typeof cursor === "string" && cursor !== "");
      }
      expect(found).toEqual(names);
      expect(pages).toBe(Math.ceil(7 / pageSize));
    }
  });

  everyRevision("reject invalid cursors, and the next request is served [PAGE-03 PAGE-04]", async (open) => {
    const client = await open(serverWith(names.map(named), { limits: { pageSize: 3 } }));
    for (const cursor of ["", "0", "b", "__proto__", "dG9vbHN6", "x".repeat(5000), 3, null, {}, ["a"]]) {
      await expect(client.request("tools/list", { cursor })).rejects.toMatchObject({ code: -32602 });
    }
    expect(await client.listTools()).toHaveLength(7);
  });

  onRevisions(
    [STATELESS],
    "have the same cache hint: no caching, private [CACHE-01 CACHE-02 CACHE-04]",
    async (open) => {
      const client = await open(serverWith(names.map(named), { limits: { pageSize: 3 } }));
      const first = await client.request("tools/list");
      const second = await client.request("tools/list", { cursor: first["nextCursor"] as string });
      const discovered = await client.request("server/discover");
      for (const result of [first, second, discovered]) {
        expect(result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
      }
    },
  );
});

onRevisions(
  [STATELESS],
  "no cache hint is public by default, and only lists have one [CACHE-01 CACHE-03]",
  async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: (_input, call) => call.elicit("sure", "Sure?", { type: "object", properties: { ok: { type: "boolean" } } }),
    });
    const client = await open(serverWith([named("plain"), asking]), { responses: { sure: { ok: true } } });
    await client.request("server/discover");
    await client.listTools();
    await client.callTool("plain");
    await client.callTool("asking");
    const results = client.conversation.filter(({ from }) => from === "server").map(({ message }) => message);
    const hints = results.map((message) => {
      const { resultType, cacheScope, ttlMs } = (message as { result: Record<string, unknown> }).result;
      return [resultType, cacheScope, ttlMs];
    });
    expect(hints).toEqual([
      ["complete", "private", 0],
      ["complete", "private", 0],
      ["complete", undefined, undefined],
      ["input_required", undefined, undefined],
      ["complete", undefined, undefined],
    ]);
  },
);

describe("an invalid definition is rejected with the name of the tool", () => {
  test.each([
    ["a name with a blank", { name: "two words" }, 'Cannot define tool "two words": a name has 1 to 128 characters'],
    ["an empty name", { name: "" }, 'Cannot define tool "": a name has 1 to 128 characters'],
    ["a name that is too long", { name: "n".repeat(129) }, "a name has 1 to 128 characters"],
    ["a name that is no text", { name: 7 }, "Cannot define tool 7: a name has 1 to 128 characters"],
    ["no description", { description: "" }, 'Cannot define tool "broken": description is missing'],
    ["no run", { run: undefined }, 'Cannot define tool "broken": run is not a function'],
    ["a timeout of nothing", { timeoutMs: 0 }, 'Cannot define tool "broken": timeoutMs must be a positive number'],
    ["a foreign icon", { icons: [{ src: "file:///etc/icon.png" }] }, "icons[0].src must be an https: or data: URI"],
    ["an icon without src", { icons: [{}] }, "icons[0].src must be an https: or data: URI"],
    [
      "an input that is no object",
      { input: { type: "array" } },
      'Cannot register tool "broken": cannot read the input schema',
    ],
    ["an input that is no schema", { input: 7 }, 'Cannot register tool "broken": cannot read the input schema'],
    ["an unknown type", { input: { type: "object", properties: { a: { type: "text" } } } }, "#/properties/a"],
    ["an output that is no schema", { output: { type: "objekt" } }, 'Cannot register tool "broken": cannot read'],
  ])("%s [TOOL-02 TOOL-09]", (_case, definition, message) => {
    expect(define(definition)).toThrow(TypeError);
    expect(define(definition)).toThrow(message);
  });

  test("a name of 128 characters is valid [TOOL-02]", () => {
    expect(serverWith([named("n".repeat(128))]).tools).toHaveLength(1);
  });

  test.each([
    [
      "two tools of one name",
      [named("same"), named("same")],
      'Cannot register tool "same": the name "same" is already taken',
    ],
    [
      "an alias that another tool has",
      ["first", "second"].map((name) => tool({ name, description: "d", aliases: ["x"], run: () => "" })),
      'Cannot register tool "second": the name "x" is already taken',
    ],
    [
      "two equal aliases",
      [tool({ name: "one", description: "d", aliases: ["x", "x"], run: () => "" })],
      'Cannot register tool "one": the name "x" is already taken',
    ],
  ])("%s [TOOL-02]", (_case, tools, message) => {
    expect(() => serverWith(tools)).toThrow(new TypeError(message));
  });
});
