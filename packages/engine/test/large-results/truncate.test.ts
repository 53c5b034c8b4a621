import {
  audio,
  Content,
  content,
  createServer,
  embeddedResource,
  image,
  type JsonObject,
  resourceLink,
  text,
  tool,
} from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { ALL, everyRevision, onRevisions } from "../support/every-revision.js";
import { manyLines, referenceOf, serverReturning, textOf } from "./server.js";

const structuredRevisions = ALL.slice(0, 3);
const plainRevisions = ALL.slice(3);

everyRevision("a text over the budget is truncated, and says how to read the rest", async (open) => {
  const client = await open(serverReturning({ log: manyLines(500) }));
  const result = await client.callTool("log");
  const { handle, ...reference } = referenceOf(result);
  expect(reference).toEqual({ bytes: 4391, lines: 500, expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(handle).toMatch(/^result:\/\/[0-9a-f]{32}$/);
  expect(result["isError"]).toBe(false);
  const [excerpt = "", description = ""] = textOf(result).split("\n\n");
  expect(excerpt.startsWith("line 1\nline 2\n")).toBe(true);
  expect(excerpt.endsWith("\nline 123")).toBe(true);
  expect(description.split("\n")).toEqual([
    "The result is too large to show: 4391 bytes in 500 lines. The first 999 bytes are shown.",
    `All of it is stored as ${handle} until ${reference.expiresAt}. Read more with the tool read_result, for example:`,
    `- the next part: {"handle":"${handle}","from_line":124}`,
    `- a search: {"handle":"${handle}","search":"text"}`,
  ]);
});

onRevisions(structuredRevisions, "a truncated result links to the whole", async (open) => {
  const client = await open(serverReturning({ log: manyLines(500) }));
  const result = await client.callTool("log");
  expect((result["content"] as JsonObject[])[1]).toEqual({
    type: "resource_link",
    uri: referenceOf(result).handle,
    name: "result of log",
    mimeType: "text/plain",
    size: 4391,
  });
});

onRevisions(plainRevisions, "a truncated result names the whole in text in revisions without links", async (open) => {
  const client = await open(serverReturning({ log: manyLines(500) }));
  const result = await client.callTool("log");
  expect((result["content"] as JsonObject[])[1]).toEqual({
    type: "text",
    text: `result of log: ${referenceOf(result).handle}`,
  });
});

everyRevision(
  "a result with exactly as many bytes as the budget is whole, one with one more is truncated",
  async (open) => {
    const client = await open(serverReturning({ at: "é".repeat(500), over: `${"é".repeat(500)}!` }));
    const at = await client.callTool("at");
    expect(textOf(at)).toBe("é".repeat(500));
    expect(at["content"]).toHaveLength(1);
    expect(referenceOf(await client.callTool("over")).bytes).toBe(1001);
  },
);

describe("the excerpt", () => {
  test.each([
    ["two bytes", "é", 499],
    ["three bytes", "€", 333],
    ["four bytes", "😀", 249],
  ])("never ends within a character of %s", async (_, character, whole) => {
    const client = await connectTestClient(serverReturning({ one: `x${character.repeat(2000)}` }));
    const excerpt = textOf(await client.callTool("one")).split("\n\n")[0];
    expect(excerpt).toBe(`x${character.repeat(whole)}`);
  });

  test("shows a lone surrogate as U+FFFD", async () => {
    const client = await connectTestClient(serverReturning({ one: `\uD83D${"x".repeat(2000)}` }));
    expect(textOf(await client.callTool("one")).startsWith("\uFFFDxxx")).toBe(true);
  });

  test("is continued by bytes if it does not end with a line", async () => {
    const client = await connectTestClient(serverReturning({ one: "x".repeat(2000) }));
    const result = await client.callTool("one");
    expect(textOf(result)).toContain(`- the next part: {"handle":"${referenceOf(result).handle}","from_byte":1000}`);
  });
});

describe("JSON", () => {
  const value = {
    items: Array.from({ length: 200 }, (_, id) => ({ id, name: "n", more: { deep: 1 } })),
    total: 200,
    next: null,
    names: [],
  };

  everyRevision("is truncated with its structure, two levels deep", async (open) => {
    const client = await open(serverReturning({ list: value }));
    const result = await client.callTool("list");
    expect(result["structuredContent"]).toBeUndefined();
    expect(result["isError"]).toBe(false);
    expect(textOf(result)).toContain(
      '\nStructure: object {"items": array of 200, the first: object {"id": number, "name": string of 1 characters, ' +
        '"more": object with 1 key}, "total": number, "next": null, "names": empty array}.\n',
    );
    expect(textOf(result)).toContain(`- one value: {"handle":"${referenceOf(result).handle}","pointer":"/items/0"}`);
  });

  test("in a text is recognized", async () => {
    const client = await connectTestClient(serverReturning({ text: JSON.stringify([value], undefined, 2) }));
    expect(textOf(await client.callTool("text"))).toContain("Structure: array of 1, the first: object {");
  });

  test.each([
    ["two values", `${JSON.stringify(value)}\n${JSON.stringify(value)}`],
    ["a log that starts with a bracket", `[INFO] ${"x".repeat(2000)}`],
    ["a missing bracket", JSON.stringify(value).slice(0, -1)],
    ["a trailing comma", `[${"1,".repeat(1000)}]`],
  ])("is not recognized in a text with %s", async (_, output) => {
    const client = await connectTestClient(serverReturning({ text: output }));
    expect(textOf(await client.callTool("text"))).not.toContain("Structure");
  });
});

describe("a tool with an output schema", () => {
  const serverFor = (budgetBytes?: number) =>
    createServer({
      name: "test",
      version: "1.0.0",
      largeResults: { budgetBytes: 1000 },
      tools: [
        tool({
          name: "list",
          description: "Lists.",
          output: { type: "object", properties: { items: { type: "array" } }, required: ["items"] },
          ...(budgetBytes !== undefined && { budgetBytes }),
          run: () => ({ items: Array.from({ length: 500 }, (_, at) => at) }),
        }),
      ],
    });

  onRevisions(structuredRevisions, "returns an error that says that nothing failed", async (open) => {
    const client = await open(serverFor());
    const result = await client.callTool("list");
    expect(result["isError"]).toBe(true);
    expect(result["structuredContent"]).toBeUndefined();
    expect(textOf(result)).toMatch(/^Nothing failed: .*\n\n\{"items":\[0,1,2,/);
    expect((result["_meta"] as JsonObject)["toolwright/failure"]).toEqual({ code: "RESULT_CUT" });
    expect(referenceOf(result).bytes).toBe(1901);
  });

  onRevisions(plainRevisions, "is truncated without an error in revisions without output schemas", async (open) => {
    const client = await open(serverFor());
    const result = await client.callTool("list");
    expect(result["isError"]).toBe(false);
    expect(textOf(result)).toMatch(/^\{"items":\[0,1,2,/);
  });

  everyRevision("is never truncated with an infinite budget", async (open) => {
    const client = await open(serverFor(Number.POSITIVE_INFINITY));
    const result = await client.callTool("list");
    expect(result["isError"]).toBe(false);
    expect(textOf(result)).toHaveLength(1901);
  });
});

describe("blocks", () => {
  everyRevision("that are small are kept, texts are joined, images are omitted", async (open) => {
    const blocks = content(
      text("first"),
      image(new Uint8Array(3000), "image/png"),
      text(manyLines(300)),
      text("last"),
      embeddedResource("file:///x", { text: "more" }),
    );
    const client = await open(serverReturning({ blocks }));
    const result = await client.callTool("blocks");
    const texts = (result["content"] as { text?: string }[]).map(({ text: one }) => one ?? "");
    expect(texts[0]).toBe("first");
    expect(texts[1]).toMatch(
      /^The image \(image\/png, 3000 bytes\) is too large to show and was omitted. It can be read as the resource result:/,
    );
    expect(texts[3]).toMatch(/^line 1\n/);
    expect(texts[3]).toContain("The text is too large to show: 2601 bytes in 302 lines");
    expect(texts[3]).toContain("It consists of 3 blocks, joined with newlines.");
    const { also, ...first } = referenceOf(result) as unknown as { also: JsonObject[]; bytes: number };
    expect(first.bytes).toBe(3000);
    expect(also.map(({ bytes }) => bytes)).toEqual([2601]);
  });

  test("within the budget are unchanged", async () => {
    const blocks = content(text("a".repeat(400)), audio(new Uint8Array(500), "audio/wav"), resourceLink("x://y", "y"));
    const client = await connectTestClient(serverReturning({ blocks }));
    expect((await client.callTool("blocks"))["content"]).toHaveLength(3);
  });

  test("that are empty cannot fill a message", async () => {
    const server = createServer({
      name: "test",
      version: "1.0.0",
      largeResults: true,
      limits: { messageBytes: 100_000 },
      tools: [tool({ name: "many", description: "Many.", run: () => content(...Array(5000).fill(text(""))) })],
    });
    const client = await connectTestClient(server);
    const result = await client.callTool("many");
    expect(result["isError"]).toBe(false);
    expect((result["content"] as []).length).toBe(1002);
  });

  test("with structured content keep it if it fits, and have a handle for it if not", async () => {
    const long = text("w".repeat(1500));
    const client = await connectTestClient(
      serverReturning({
        small: new Content([long], { a: 1 }),
        large: new Content([text("short")], { list: manyLines(300) }),
      }),
    );
    const small = await client.callTool("small");
    expect(small["structuredContent"]).toEqual({ a: 1 });
    expect(textOf(small)).toContain("The first 993 bytes are shown.");
    const large = await client.callTool("large");
    expect(large["structuredContent"]).toBeUndefined();
    const [first, second] = large["content"] as { text: string }[];
    expect(first?.text).toBe("short");
    expect(second?.text).toContain("The structured content is too large to show");
  });
});

describe("the message limit", () => {
  const huge = (results: boolean, value: unknown, budgetBytes = Number.POSITIVE_INFINITY) =>
    createServer({
      name: "test",
      version: "1.0.0",
      largeResults: results,
      limits: { messageBytes: 1_000_000 },
      tools: [tool({ name: "huge", description: "Huge.", budgetBytes, run: () => value as string })],
    });

  everyRevision("turns a result into a handle, whatever its budget is", async (open) => {
    const client = await open(huge(true, "x".repeat(1_000_000)));
    const result = await client.callTool("huge");
    expect(result["isError"]).toBe(false);
    expect(referenceOf(result).bytes).toBe(1_000_000);
    expect(textOf(result)).toContain("The first 65536 bytes are shown.");
  });

  test.each([
    ["characters that JSON escapes", "\u0001".repeat(180_000)],
    ["a value that is both text and structured content", { text: "x".repeat(600_000) }],
  ])("counts %s as encoded", async (_, value) => {
    const client = await connectTestClient(huge(true, value));
    const result = await client.callTool("huge");
    expect(result["isError"]).toBe(false);
    expect(referenceOf(result).handle).toBeDefined();
  });

  test("does not truncate a result that just fits", async () => {
    const client = await connectTestClient(huge(true, "x".repeat(990_000)));
    expect(textOf(await client.callTool("huge"))).toHaveLength(990_000);
  });

  test("is an error without largeResults", async () => {
    const client = await connectTestClient(huge(false, "x".repeat(1_000_000)));
    expect((await client.callTool("huge"))["structuredContent"]).toMatchObject({ code: "RESULT_TOO_LARGE" });
  });
});

describe("the option largeResults", () => {
  everyRevision("adds the tool and the resource template", async (open) => {
    const on = await open(serverReturning({}, true));
    expect((await on.listTools()).map(({ name }) => name)).toEqual(["read_result"]);
    const { resourceTemplates } = await on.request("resources/templates/list");
    expect((resourceTemplates as JsonObject[]).map(({ uriTemplate }) => uriTemplate)).toEqual(["result://{id}"]);
    expect((await on.request("resources/list"))["resources"]).toEqual([]);
    const off = await open(serverReturning({ log: "x".repeat(100_000) }, false));
    expect((await off.listTools()).map(({ name }) => name)).toEqual(["log"]);
    expect(textOf(await off.callTool("log"))).toHaveLength(100_000);
  });

  test("adds a read-only tool", async () => {
    const client = await connectTestClient(serverReturning({}, true));
    const [listed] = await client.listTools();
    expect(listed?.["annotations"]).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  });

  test.each([
    ["name", { name: "read_result" }],
    ["alias", { name: "mine", aliases: ["read_result"] }],
  ])("fails at the start if a tool has its name as %s", async (_, names) => {
    const own = tool({ ...names, description: "Mine.", run: () => "x" });
    const server = createServer({ name: "test", version: "1.0.0", largeResults: true, tools: [own] });
    await expect(server.start()).rejects.toThrow(
      new TypeError(
        `Cannot register tool "${names.name}": with largeResults, the name "read_result" is already taken. ` +
          "Rename the tool, or create the server without largeResults",
      ),
    );
  });

  test.each([
    [{ budgetBytes: 0 }, "Cannot create the server: largeResults.budgetBytes must be a positive number"],
    [{ maxResults: 1.5 }, "Cannot create the server: largeResults.maxResults must be an integer"],
    [{ budget: 1 }, "Cannot create the server: unknown option largeResults.budget; expected one of "],
  ])("is rejected with the value %j", (options, message) => {
    expect(() => serverReturning({}, options as object)).toThrow(message);
  });

  test("is rejected with an invalid budget of a tool", () => {
    const define = () => tool({ name: "a", description: "A.", budgetBytes: -1, run: () => "x" });
    expect(define).toThrow(new TypeError('Cannot define tool "a": budgetBytes must be a positive number'));
  });
});

test("a truncated result has the correction notice too", async () => {
  const server = createServer({
    name: "test",
    version: "1.0.0",
    largeResults: { budgetBytes: 100 },
    tools: [
      tool({
        name: "repeat",
        description: "Repeats.",
        input: { type: "object", properties: { times: { type: "integer" } } },
        run: ({ times = 0 }) => "x".repeat(times),
      }),
    ],
  });
  const client = await connectTestClient(server);
  const result = await client.callTool("repeat", { times: "500" });
  expect(referenceOf(result).bytes).toBe(500);
  expect((result["_meta"] as JsonObject)["toolwright/corrections"]).toHaveLength(1);
  expect((result["content"] as { text: string }[]).at(-1)?.text).toMatch(/^Note: the arguments were corrected/);
});

test("a result that exceeds a message limit that was lowered meanwhile is truncated", async () => {
  const server = serverReturning({ long: "x".repeat(200_000) }, { budgetBytes: Number.POSITIVE_INFINITY });
  const client = await connectTestClient(server);
  expect(textOf(await client.callTool("long"))).toHaveLength(200_000);
  server.reconfigure({ limits: { messageBytes: 100_000 } });
  const truncated = await (await connectTestClient(server)).callTool("long");
  expect(JSON.stringify(truncated)).not.toContain("RESULT_TOO_LARGE");
  expect(JSON.stringify(truncated)).toContain("result://");
});
