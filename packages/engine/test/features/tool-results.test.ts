import {
  audio,
  Content,
  content,
  embeddedResource,
  image,
  resourceLink,
  type Tool,
  text,
  tool,
} from "@toolwright/engine";
import { describe, expect } from "vitest";
import { z } from "zod";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const WITH_OBJECTS = ["2025-11-25", "2025-06-18"];
const WITHOUT_STRUCTURE = ["2025-03-26", "2024-11-05"];

const returning = (name: string, value: unknown, output?: object): Tool =>
  tool({ name, description: `Returns ${name}.`, ...(output && { output }), run: () => value } as Tool);

const VALUES = serverWith([
  returning("words", "plain words"),
  returning("nothing", undefined),
  returning("object", { n: 1, list: ["x"], gone: undefined }),
  returning("list", [1, "two"]),
  returning("null", null),
  returning("number", 5),
  returning("no", false),
  returning("date", new Date(0)),
]);

const TEXTS = {
  words: "plain words",
  object: '{"n":1,"list":["x"]}',
  list: '[1,"two"]',
  null: "null",
  number: "5",
  no: "false",
  date: '"1970-01-01T00:00:00.000Z"',
};

describe("the return value of a tool", () => {
  everyRevision("is in the content array, and isError is always present [TOOL-14 TOOL-18]", async (open) => {
    const client = await open(VALUES);
    for (const [name, words] of Object.entries(TEXTS)) {
      expect(await client.callTool(name)).toMatchObject({ content: [{ type: "text", text: words }], isError: false });
    }
    expect(await client.callTool("nothing")).toMatchObject({ content: [], isError: false });
  });

  onRevisions([STATELESS], "is structured content of any type, including null [TOOL-16]", async (open) => {
    const client = await open(VALUES);
    const structured = async (name: string) => (await client.callTool(name))["structuredContent"];
    expect(await structured("object")).toEqual({ n: 1, list: ["x"] });
    expect(await structured("list")).toEqual([1, "two"]);
    expect(await structured("null")).toBeNull();
    expect(await structured("number")).toBe(5);
    expect(await structured("no")).toBe(false);
    expect(await structured("date")).toBe("1970-01-01T00:00:00.000Z");
    expect(await client.callTool("words")).not.toHaveProperty("structuredContent");
    expect(await client.callTool("nothing")).not.toHaveProperty("structuredContent");
  });

  onRevisions(WITH_OBJECTS, "is structured content if it is an object [TOOL-16]", async (open) => {
    const client = await open(VALUES);
    expect((await client.callTool("object"))["structuredContent"]).toEqual({ n: 1, list: ["x"] });
    for (const name of ["list", "null", "number", "no", "words", "nothing", "date"]) {
      expect(await client.callTool(name)).not.toHaveProperty("structuredContent");
    }
  });

  onRevisions(WITHOUT_STRUCTURE, "is only text before 2025-06-18 [TOOL-16]", async (open) => {
    const client = await open(VALUES);
    for (const name of Object.keys(TEXTS)) {
      expect(await client.callTool(name)).not.toHaveProperty("structuredContent");
    }
  });

  everyRevision("cannot be a function, a symbol or a bigint", async (open) => {
    const tools = [returning("function", () => 1), returning("symbol", Symbol("s")), returning("bigint", 1n)];
    const client = await open(serverWith(tools));
    for (const name of ["function", "symbol", "bigint"]) {
      const { content: blocks, isError } = await client.callTool(name);
      expect(isError).toBe(true);
      expect(blocks).toMatchObject([
        { text: expect.stringMatching(/^The tool failed unexpectedly\. Reference: \w{8}$/) },
      ]);
    }
  });
});

describe("content blocks", () => {
  const blocks = serverWith([
    tool({
      name: "all",
      description: "Returns each kind.",
      run: () =>
        content(
          { ...text("words"), annotations: { audience: ["user"], priority: 1, lastModified: "2026-01-01T00:00:00Z" } },
          image(new Uint8Array([1, 2, 3]), "image/png"),
          embeddedResource("file:///notes.txt", { text: "note" }, "text/plain"),
          audio("AQID", "audio/wav"),
          resourceLink("file:///big.bin", "big.bin", {
            title: "The big one",
            icons: [{ src: "https://example.com/i.png" }],
          }),
          { type: "resource", resource: { uri: "file:///x", text: "x", _meta: { "example.com/k": 1 } } },
          { ...text("noted"), _meta: { "example.com/k": 1 } },
        ),
    }),
  ]);
  const always = [
    { type: "image", data: "AQID", mimeType: "image/png" },
    { type: "resource", resource: { uri: "file:///notes.txt", mimeType: "text/plain", text: "note" } },
  ];
  const sound = { type: "audio", data: "AQID", mimeType: "audio/wav" };
  const soundAsResource = {
    type: "resource",
    resource: { uri: "content:audio", mimeType: "audio/wav", blob: "AQID" },
  };
  const link = { type: "resource_link", uri: "file:///big.bin", name: "big.bin", title: "The big one" };
  const linkAsText = { type: "text", text: "The big one: file:///big.bin" };
  const dated = { audience: ["user"], priority: 1, lastModified: "2026-01-01T00:00:00Z" };
  const undated = { audience: ["user"], priority: 1 };
  const newest: object[] = [
    { type: "text", text: "words", annotations: dated },
    ...always,
    sound,
    { ...link, icons: [{ src: "https://example.com/i.png" }] },
    { type: "resource", resource: { uri: "file:///x", text: "x", _meta: { "example.com/k": 1 } } },
    { type: "text", text: "noted", _meta: { "example.com/k": 1 } },
  ];
  const plain = [
    { type: "resource", resource: { uri: "file:///x", text: "x" } },
    { type: "text", text: "noted" },
  ];
  const words = { type: "text", text: "words", annotations: undated };
  const EXPECTED: Readonly<Record<string, unknown>> = {
    "2026-07-28": newest,
    "2025-11-25": newest,
    "2025-06-18": newest.with(4, link),
    "2025-03-26": [words, ...always, sound, linkAsText, ...plain],
    "2024-11-05": [words, ...always, soundAsResource, linkAsText, ...plain],
  };

  everyRevision("are converted to the types that the revision has [TOOL-15]", async (open, revision) => {
    const result = await (await open(blocks)).callTool("all");
    expect(result["content"]).toEqual(EXPECTED[revision]);
    expect(result).not.toHaveProperty("structuredContent");
  });
});

everyRevision(
  "structured content that is not an object is repeated as text, once [TOOL-18]",
  async (open, revision) => {
    const tools = [
      returning("list", new Content([text("two")], [1, 2])),
      returning("nothing", new Content([], null)),
      returning("said", new Content([text("[1,2]")], [1, 2])),
    ];
    const client = await open(serverWith(tools));
    const [list, nothing, said] = await Promise.all(tools.map(({ name }) => client.callTool(name)));
    expect(list?.["content"]).toEqual([
      { type: "text", text: "two" },
      { type: "text", text: "[1,2]" },
    ]);
    expect(nothing?.["content"]).toEqual([{ type: "text", text: "null" }]);
    expect(said?.["content"]).toEqual([{ type: "text", text: "[1,2]" }]);
    if (revision === STATELESS) expect(list?.["structuredContent"]).toEqual([1, 2]);
    else expect(list).not.toHaveProperty("structuredContent");
  },
);

describe("an output schema", () => {
  const count = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const tools = [
    returning("right", { n: 1 }, count),
    returning("wrong", { n: "secret value" }, count),
    returning("missing", undefined, count),
    returning("blocks", content(text("only blocks")), count),
    returning("both", new Content([text("one")], { n: 1 }), count),
    returning("stripped", { n: 1, internal: "x" }, z.object({ n: z.number() })),
    returning("made", new Content([text("made")], { internal: "x" }), z.object({ n: z.number().default(3) })),
    returning("filled", {}, { type: "object", properties: { n: { type: "number", default: 3 } } }),
  ];
  const modern = ["2025-06-18", "2025-11-25", STATELESS];

  onRevisions(modern, "is listed, and the result matches it [TOOL-17 TOOL-18]", async (open) => {
    const client = await open(serverWith(tools));
    expect((await client.listTools())[0]?.["outputSchema"]).toEqual(count);
    expect(await client.callTool("right")).toMatchObject({
      content: [{ type: "text", text: '{"n":1}' }],
      structuredContent: { n: 1 },
      isError: false,
    });
    expect(await client.callTool("both")).toMatchObject({
      content: [{ type: "text", text: "one" }],
      structuredContent: { n: 1 },
    });
  });

  onRevisions(modern, "that is a union or a reference to objects is listed with type object", async (open) => {
    const named = z.object({ n: z.number() }).meta({ id: "Counted" });
    const chosen = z.union([z.object({ n: z.number() }), z.object({ words: z.string() })]);
    const client = await open(serverWith([returning("named", { n: 1 }, named), returning("chosen", { n: 1 }, chosen)]));
    const isOfObjects = { outputSchema: { type: "object" } };
    expect(await client.listTools()).toMatchObject([isOfObjects, isOfObjects]);
    for (const name of ["named", "chosen"])
      expect(await client.callTool(name)).toMatchObject({ structuredContent: { n: 1 } });
  });

  onRevisions(modern, "transforms the result, in the text and in the structured content [TOOL-18]", async (open) => {
    const client = await open(serverWith(tools));
    const stripped = await client.callTool("stripped");
    expect(stripped["structuredContent"]).toEqual({ n: 1 });
    expect(stripped["content"]).toEqual([{ type: "text", text: '{"n":1}' }]);
    const filled = await client.callTool("filled");
    expect(filled["structuredContent"]).toEqual({ n: 3 });
    expect(filled["content"]).toEqual([{ type: "text", text: '{"n":3}' }]);
    const made = await client.callTool("made");
    expect(made["structuredContent"]).toEqual({ n: 3 });
    expect(made["content"]).toEqual([{ type: "text", text: "made" }]);
  });

  everyRevision("turns an invalid result into an error that does not contain the value [TOOL-17]", async (open) => {
    const log: { error?: unknown }[] = [];
    const client = await open(serverWith(tools, { log: (entry) => void log.push(entry) }));
    for (const name of ["wrong", "missing", "blocks"]) {
      const result = await client.callTool(name);
      expect(result["isError"]).toBe(true);
      expect(result).not.toHaveProperty("structuredContent");
      expect(JSON.stringify(result)).not.toContain("secret value");
    }
    expect(String(log[0]?.error)).toContain(
      "The result does not match the tool's output schema: n: expected an integer",
    );
  });
});

describe("an output schema that is not of type object", () => {
  const tools = [
    returning("list", ["a"], { type: "array", items: { type: "string" } }),
    returning("word", "a", z.string()),
    returning("nothing", null, { type: "null" }),
  ];

  onRevisions([STATELESS], "is listed and applied from 2026-07-28 on [TOOL-16 TOOL-19]", async (open) => {
    const client = await open(serverWith(tools));
    expect((await client.listTools()).map(({ outputSchema }) => outputSchema)).toEqual([
      { type: "array", items: { type: "string" } },
      { type: "string" },
      { type: "null" },
    ]);
    expect(await client.callTool("list")).toMatchObject({ content: [{ text: '["a"]' }], structuredContent: ["a"] });
    expect(await client.callTool("word")).toMatchObject({ content: [{ text: '"a"' }], structuredContent: "a" });
    expect(await client.callTool("nothing")).toMatchObject({ content: [{ text: "null" }], structuredContent: null });
  });

  onRevisions(WITH_OBJECTS, "is omitted before, together with the structured content [TOOL-19]", async (open) => {
    const client = await open(serverWith(tools));
    for (const shown of await client.listTools()) expect(shown).not.toHaveProperty("outputSchema");
    const list = await client.callTool("list");
    expect(list).toMatchObject({ content: [{ type: "text", text: '["a"]' }], isError: false });
    expect(list).not.toHaveProperty("structuredContent");
  });
});
