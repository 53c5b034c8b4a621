import { type Tool, tool } from "@toolwright/engine";
import * as v from "valibot";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const cityJson = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** A Standard Schema of a library that writes JSON Schema, as the newest version of the standard has it. */
const valibot = {
  "~standard": { ...v.object({ city: v.string() })["~standard"], jsonSchema: { input: () => cityJson } },
};

const SOURCES = {
  zod: z.object({ city: z.string() }),
  valibot,
  json: cityJson,
  draft07: { $schema: "http://json-schema.org/draft-07/schema#", ...cityJson },
};

const inCity = (name: string, input: object): Tool =>
  tool({ name, description: "Says where.", input, run: ({ city }: { city: string }) => `in ${city}` } as Tool);

const define = (name: string, input: object) => () => serverWith([inCity(name, input)]);

describe("an input schema in zod, another Standard Schema, JSON Schema or draft-07", () => {
  const tools = Object.entries(SOURCES).map(([name, input]) => inCity(name, input));

  everyRevision("is listed as JSON Schema and validated the same way [TOOL-04]", async (open) => {
    const client = await open(serverWith(tools));
    for (const shown of await client.listTools()) {
      expect(shown["inputSchema"]).toMatchObject({ ...cityJson, additionalProperties: false });
    }
    for (const name of Object.keys(SOURCES)) {
      expect(await client.callTool(name, { city: "Bern" })).toMatchObject({ content: [{ text: "in Bern" }] });
      const wrong = await client.callTool(name, { city: 5 });
      expect(wrong).toMatchObject({ isError: true });
      expect((wrong["content"] as { text: string }[])[0]?.text).toContain("- city: expected a string, got 5");
    }
  });

  onRevisions(["2025-11-25", STATELESS], "keeps a $schema that names another dialect [TOOL-04]", async (open) => {
    const shown = await (await open(serverWith(tools))).listTools();
    const dialects = shown.map(({ inputSchema }) => (inputSchema as { $schema?: string }).$schema);
    expect(dialects).toEqual([undefined, undefined, undefined, "http://json-schema.org/draft-07/schema#"]);
  });
});

describe("an asynchronous schema", () => {
  const even = z.object({ n: z.number().refine(async (n) => n % 2 === 0, "must be even") });
  const halve = tool({
    name: "halve",
    description: "Halves.",
    input: even,
    output: even,
    run: ({ n }) => ({ n: n / 2 }),
  });

  everyRevision("is awaited, for input and output", async (open) => {
    const client = await open(serverWith([halve]));
    expect(await client.callTool("halve", { n: 4 })).toMatchObject({ content: [{ text: '{"n":2}' }], isError: false });
    const odd = await client.callTool("halve", { n: 3 });
    expect(odd["isError"]).toBe(true);
    expect((odd["content"] as { text: string }[])[0]?.text).toContain("- n: must be even");
    expect(await client.callTool("halve", { n: 2 })).toMatchObject({
      content: [{ text: expect.stringMatching(/^The tool failed unexpectedly/) }],
      isError: true,
    });
  });
});

describe("a JSON Schema dialect", () => {
  const pair = { type: "array", items: [{ type: "string" }, { type: "integer" }], additionalItems: false };
  const draft07 = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { pair, a: { type: "string" }, b: { type: "string" } },
    dependencies: { a: ["b"] },
  };

  onRevisions(["2025-11-25", STATELESS], "that is declared is honoured [TOOL-04]", async (open) => {
    const client = await open(serverWith([tool({ name: "old", description: "d", input: draft07, run: () => "ok" })]));
    expect(await client.callTool("old", { pair: ["x", 1] })).toMatchObject({ isError: false });
    expect(await client.callTool("old", { pair: ["x", "y"] })).toMatchObject({ isError: true });
    expect(await client.callTool("old", { pair: ["x", 1, 2] })).toMatchObject({ isError: true });
    expect(await client.callTool("old", { a: "1" })).toMatchObject({ isError: true });
    expect(await client.callTool("old", { a: "1", b: "2" })).toMatchObject({ isError: false });
  });

  test.each(["http://json-schema.org/draft-04/schema#", "https://example.com/dialect", 7])(
    "that is unknown is rejected in the definition: %s [TOOL-04]",
    ($schema) => {
      expect(define("foreign", { $schema, type: "object" })).toThrow(
        `Cannot register tool "foreign": cannot read the input schema: $schema ${JSON.stringify($schema)} is neither draft 2020-12 nor draft-07`,
      );
    },
  );
});

describe("a $ref", () => {
  test("to another document is never fetched, and the definition is rejected [TOOL-06 SEC-06]", () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network in this test"));
    try {
      for (const $ref of [
        "https://example.com/a.json",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "b.json",
      ]) {
        expect(define("reaching", { type: "object", properties: { a: { $ref } } })).toThrow(
          new TypeError(
            `Cannot register tool "reaching": cannot read the input schema at #/properties/a: $ref ${JSON.stringify($ref)} is outside this schema; remote schemas are never fetched`,
          ),
        );
      }
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
    }
  });

  everyRevision("in arguments is not followed [TOOL-06 SEC-06]", async (open) => {
    const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network in this test"));
    const anything = tool({
      name: "open",
      description: "Takes anything.",
      input: { type: "object", properties: { any: {} } },
      run: ({ any }) => JSON.stringify(any),
    });
    try {
      const client = await open(serverWith([anything]));
      const any = { $ref: "https://example.com/a.json", $schema: "https://example.com/s", $id: "file:///etc/passwd" };
      expect(await client.callTool("open", { any })).toMatchObject({ content: [{ text: JSON.stringify(any) }] });
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
    }
  });

  onRevisions([STATELESS], "inside the schema is followed, also if it is recursive [TOOL-06]", async (open) => {
    const tree = tool({
      name: "tree",
      description: "Takes a tree.",
      input: {
        type: "object",
        properties: { root: { $ref: "#/$defs/node" } },
        required: ["root"],
        $defs: {
          node: {
            type: "object",
            properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
            required: ["name"],
          },
        },
      },
      run: () => "a tree",
    });
    const client = await open(serverWith([tree]));
    const leaf = { name: "leaf" };
    expect(await client.callTool("tree", { root: { name: "r", children: [leaf, leaf] } })).toMatchObject({
      isError: false,
    });
    expect(await client.callTool("tree", { root: { name: "r", children: [leaf, {}] } })).toMatchObject({
      isError: true,
    });
  });

  test("without a target is rejected in the definition [TOOL-06]", () => {
    expect(define("lost", { type: "object", properties: { a: { $ref: "#/$defs/none" } } })).toThrow(
      'Cannot register tool "lost": cannot read the input schema at #/properties/a: $ref "#/$defs/none" points to nothing',
    );
  });
});

describe("a schema is limited", () => {
  test("in depth [TOOL-06 SEC-07]", () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 100; level += 1) deep = { type: "array", items: deep };
    expect(define("huge", { type: "object", properties: { deep } })).toThrow(
      'Cannot register tool "huge": cannot read the input schema: it is nested more than 64 levels deep',
    );
  });

  test("in size [TOOL-06 SEC-07]", () => {
    const properties = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`p${at}`, { type: "string" }]));
    expect(define("huge", { type: "object", properties })).toThrow(
      'Cannot register tool "huge": cannot read the input schema: it has more than 10000 subschemas',
    );
  });
});
