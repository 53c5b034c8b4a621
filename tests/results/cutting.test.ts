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
import { connect } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { ALL, everyRevision, onRevisions } from "../support/every-revision.js";
import { cutOf, giving, manyLines, textOf } from "./server.js";

const structuredRevisions = ALL.slice(0, 3);
const plainRevisions = ALL.slice(3);

everyRevision("a text over the budget is cut to its head, with words on how to read on", async (open) => {
  const client = await open(giving({ log: manyLines(500) }));
  const result = await client.callTool("log");
  const { handle, ...cut } = cutOf(result);
  expect(cut).toEqual({ bytes: 4391, lines: 500, expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(handle).toMatch(/^result:\/\/[0-9a-f]{32}$/);
  expect(result["isError"]).toBe(false);
  const [head = "", words = ""] = textOf(result).split("\n\n");
  expect(head.startsWith("line 1\nline 2\n")).toBe(true);
  expect(head.endsWith("\nline 123")).toBe(true);
  expect(words.split("\n")).toEqual([
    "The result is too large to show whole: it has 4391 bytes in 500 lines, the longest of 8 bytes. Shown are its first 999 bytes.",
    `The whole is kept as ${handle} until ${cut.expiresAt}. Read on with the tool read_result, for example:`,
    `- the next part: {"handle":"${handle}","from_line":124}`,
    `- a search: {"handle":"${handle}","search":"text"}`,
  ]);
});

onRevisions(structuredRevisions, "a cut result links to the whole", async (open) => {
  const client = await open(giving({ log: manyLines(500) }));
  const result = await client.callTool("log");
  expect((result["content"] as JsonObject[])[1]).toEqual({
    type: "resource_link",
    uri: cutOf(result).handle,
    name: "result of log",
    mimeType: "text/plain",
    size: 4391,
  });
});

onRevisions(plainRevisions, "a cut result names the whole in words where there are no links", async (open) => {
  const client = await open(giving({ log: manyLines(500) }));
  const result = await client.callTool("log");
  expect((result["content"] as JsonObject[])[1]).toEqual({
    type: "text",
    text: `result of log: ${cutOf(result).handle}`,
  });
});

everyRevision("a result with exactly as many bytes as the budget is whole, one with one more is cut", async (open) => {
  const client = await open(giving({ at: "é".repeat(500), over: `${"é".repeat(500)}!` }));
  const at = await client.callTool("at");
  expect(textOf(at)).toBe("é".repeat(500));
  expect(at["content"]).toHaveLength(1);
  expect(cutOf(await client.callTool("over")).bytes).toBe(1001);
});

describe("the head", () => {
  test.each([
    ["two bytes", "é", 499],
    ["three bytes", "€", 333],
    ["four bytes", "😀", 249],
  ])("never ends within a character of %s", async (_, character, whole) => {
    const client = await connect(giving({ one: `x${character.repeat(2000)}` }));
    const head = textOf(await client.callTool("one")).split("\n\n")[0];
    expect(head).toBe(`x${character.repeat(whole)}`);
  });

  test("shows half a surrogate pair as the mark for what cannot be read", async () => {
    const client = await connect(giving({ one: `\uD83D${"x".repeat(2000)}` }));
    expect(textOf(await client.callTool("one")).startsWith("\uFFFDxxx")).toBe(true);
  });

  test("goes on by bytes where it does not end with a line", async () => {
    const client = await connect(giving({ one: "x".repeat(2000) }));
    const result = await client.callTool("one");
    expect(textOf(result)).toContain(`- the next part: {"handle":"${cutOf(result).handle}","from_byte":1000}`);
  });
});

describe("JSON", () => {
  const value = {
    items: Array.from({ length: 200 }, (_, id) => ({ id, name: "n", more: { deep: 1 } })),
    total: 200,
    next: null,
    names: [],
  };

  everyRevision("is cut with a word on its shape, two levels deep", async (open) => {
    const client = await open(giving({ list: value }));
    const result = await client.callTool("list");
    expect(result["structuredContent"]).toBeUndefined();
    expect(result["isError"]).toBe(false);
    expect(textOf(result)).toContain(
      '\nIts shape: object {"items": array of 200, the first: object {"id": number, "name": string of 3 bytes, ' +
        '"more": object with 1 key}, "total": number, "next": null, "names": empty array}.\n',
    );
    expect(textOf(result)).toContain(`- one value: {"handle":"${cutOf(result).handle}","pointer":"/items/0"}`);
  });

  test("in a text is found out", async () => {
    const client = await connect(giving({ text: JSON.stringify([value], undefined, 2) }));
    expect(textOf(await client.callTool("text"))).toContain("Its shape: array of 1, the first: object {");
  });

  test.each([
    ["two values", `${JSON.stringify(value)}\n${JSON.stringify(value)}`],
    ["a log that begins with a bracket", `[INFO] ${"x".repeat(2000)}`],
    ["a bracket too few", JSON.stringify(value).slice(0, -1)],
    ["a trailing comma", `[${"1,".repeat(1000)}]`],
  ])("is not seen in a text with %s", async (_, given) => {
    const client = await connect(giving({ text: given }));
    expect(textOf(await client.callTool("text"))).not.toContain("shape");
  });
});

describe("a tool with an output schema", () => {
  const serverFor = (budgetBytes?: number) =>
    createServer({
      name: "test",
      version: "1.0.0",
      results: { budgetBytes: 1000 },
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

  onRevisions(structuredRevisions, "gives an error that says that nothing failed", async (open) => {
    const client = await open(serverFor());
    const result = await client.callTool("list");
    expect(result["isError"]).toBe(true);
    expect(result["structuredContent"]).toBeUndefined();
    expect(textOf(result)).toMatch(/^Nothing failed: .*\n\n\{"items":\[0,1,2,/);
    expect((result["_meta"] as JsonObject)["toolwright/failure"]).toEqual({ code: "RESULT_CUT" });
    expect(cutOf(result).bytes).toBe(1901);
  });

  onRevisions(plainRevisions, "is cut without an error where clients know no schemas", async (open) => {
    const client = await open(serverFor());
    const result = await client.callTool("list");
    expect(result["isError"]).toBe(false);
    expect(textOf(result)).toMatch(/^\{"items":\[0,1,2,/);
  });

  everyRevision("is never cut with an infinite budget", async (open) => {
    const client = await open(serverFor(Number.POSITIVE_INFINITY));
    const result = await client.callTool("list");
    expect(result["isError"]).toBe(false);
    expect(textOf(result)).toHaveLength(1901);
  });
});

describe("blocks", () => {
  everyRevision("that are small stay, texts are put together, images are left out", async (open) => {
    const blocks = content(
      text("first"),
      image(new Uint8Array(3000), "image/png"),
      text(manyLines(300)),
      text("last"),
      embeddedResource("file:///x", { text: "more" }),
    );
    const client = await open(giving({ blocks }));
    const result = await client.callTool("blocks");
    const texts = (result["content"] as { text?: string }[]).map(({ text: one }) => one ?? "");
    expect(texts[0]).toBe("first");
    expect(texts[1]).toMatch(
      /^The image \(image\/png, 3000 bytes\) is too large to show and was left out. It can be read as the resource result:/,
    );
    expect(texts[3]).toMatch(/^line 1\n/);
    expect(texts[3]).toContain("The text is too large to show whole: it has 2601 bytes in 302 lines");
    expect(texts[3]).toContain("It is 3 blocks, put together with line ends between them.");
    const { also, ...first } = cutOf(result) as unknown as { also: JsonObject[]; bytes: number };
    expect(first.bytes).toBe(3000);
    expect(also.map(({ bytes }) => bytes)).toEqual([2601]);
  });

  test("within the budget are left as they are", async () => {
    const blocks = content(text("a".repeat(400)), audio(new Uint8Array(500), "audio/wav"), resourceLink("x://y", "y"));
    const client = await connect(giving({ blocks }));
    expect((await client.callTool("blocks"))["content"]).toHaveLength(3);
  });

  test("that hold nothing cannot fill a message", async () => {
    const server = createServer({
      name: "test",
      version: "1.0.0",
      results: true,
      limits: { messageBytes: 100_000 },
      tools: [tool({ name: "many", description: "Many.", run: () => content(...Array(5000).fill(text(""))) })],
    });
    const client = await connect(server);
    const result = await client.callTool("many");
    expect(result["isError"]).toBe(false);
    expect((result["content"] as []).length).toBe(1002);
  });

  test("with structured content keep it where it fits, and give it a handle where it does not", async () => {
    const words = text("w".repeat(1500));
    const client = await connect(
      giving({
        small: new Content([words], { a: 1 }),
        large: new Content([text("short")], { list: manyLines(300) }),
      }),
    );
    const small = await client.callTool("small");
    expect(small["structuredContent"]).toEqual({ a: 1 });
    expect(textOf(small)).toContain("Shown are its first 993 bytes.");
    const large = await client.callTool("large");
    expect(large["structuredContent"]).toBeUndefined();
    const [first, second] = large["content"] as { text: string }[];
    expect(first?.text).toBe("short");
    expect(second?.text).toContain("The structured content is too large to show whole");
  });
});

describe("the message limit", () => {
  const huge = (results: boolean, value: unknown, budgetBytes = Number.POSITIVE_INFINITY) =>
    createServer({
      name: "test",
      version: "1.0.0",
      results,
      limits: { messageBytes: 1_000_000 },
      tools: [tool({ name: "huge", description: "Huge.", budgetBytes, run: () => value as string })],
    });

  everyRevision("turns a result into a handle, whatever its budget", async (open) => {
    const client = await open(huge(true, "x".repeat(1_000_000)));
    const result = await client.callTool("huge");
    expect(result["isError"]).toBe(false);
    expect(cutOf(result).bytes).toBe(1_000_000);
    expect(textOf(result)).toContain("Shown are its first 65536 bytes.");
  });

  test.each([
    ["what JSON has to escape", "\u0001".repeat(180_000)],
    ["what is there twice, as text and as structured content", { text: "x".repeat(600_000) }],
  ])("counts %s as it is written", async (_, value) => {
    const client = await connect(huge(true, value));
    const result = await client.callTool("huge");
    expect(result["isError"]).toBe(false);
    expect(cutOf(result).handle).toBeDefined();
  });

  test("leaves a result whole that just fits", async () => {
    const client = await connect(huge(true, "x".repeat(990_000)));
    expect(textOf(await client.callTool("huge"))).toHaveLength(990_000);
  });

  test("is a failure without results", async () => {
    const client = await connect(huge(false, "x".repeat(1_000_000)));
    expect((await client.callTool("huge"))["structuredContent"]).toMatchObject({ code: "RESULT_TOO_LARGE" });
  });
});

describe("what is offered", () => {
  everyRevision("is the reading tool and the family of results, only where results are on", async (open) => {
    const on = await open(giving({}, true));
    expect((await on.listTools()).map(({ name }) => name)).toEqual(["read_result"]);
    const { resourceTemplates } = await on.request("resources/templates/list");
    expect((resourceTemplates as JsonObject[]).map(({ uriTemplate }) => uriTemplate)).toEqual(["result://{id}"]);
    expect((await on.request("resources/list"))["resources"]).toEqual([]);
    const off = await open(giving({ log: "x".repeat(100_000) }, false));
    expect((await off.listTools()).map(({ name }) => name)).toEqual(["log"]);
    expect(textOf(await off.callTool("log"))).toHaveLength(100_000);
  });

  test("is marked as reading only", async () => {
    const client = await connect(giving({}, true));
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
  ])("fails at the start where a tool has its name as %s", async (_, names) => {
    const own = tool({ ...names, description: "Mine.", run: () => "x" });
    const server = createServer({ name: "test", version: "1.0.0", results: true, tools: [own] });
    await expect(server.start()).rejects.toThrow(
      new TypeError(
        `Cannot offer tool "${names.name}": with results, the name "read_result" is taken; it reads results that were cut. ` +
          "Rename the tool, or create the server without results",
      ),
    );
  });

  test.each([
    [{ budgetBytes: 0 }, "Cannot create the server: results.budgetBytes must be a positive number"],
    [{ most: 1.5 }, "Cannot create the server: results.most must be a whole number"],
    [{ directory: "" }, "Cannot create the server: results.directory must be the path of a folder"],
    [{ budget: 1 }, "Cannot create the server with these results: budget is unknown; known are "],
  ])("is refused with the options %j", (results, message) => {
    expect(() => giving({}, results as object)).toThrow(message);
  });

  test("is refused with a tool whose budget is none", () => {
    const define = () => tool({ name: "a", description: "A.", budgetBytes: -1, run: () => "x" });
    expect(define).toThrow(new TypeError('Cannot define tool "a": budgetBytes must be a positive number'));
  });
});

test("corrections of the arguments are told with a cut result too", async () => {
  const server = createServer({
    name: "test",
    version: "1.0.0",
    results: { budgetBytes: 100 },
    tools: [
      tool({
        name: "repeat",
        description: "Repeats.",
        input: { type: "object", properties: { times: { type: "integer" } } },
        run: ({ times = 0 }) => "x".repeat(times),
      }),
    ],
  });
  const client = await connect(server);
  const result = await client.callTool("repeat", { times: "500" });
  expect(cutOf(result).bytes).toBe(500);
  expect((result["_meta"] as JsonObject)["toolwright/repairs"]).toHaveLength(1);
  expect((result["content"] as { text: string }[]).at(-1)?.text).toMatch(/^Note: the arguments were read with/);
});

test("a result that is too large for a message that was made smaller meanwhile is cut, too", async () => {
  const server = giving({ long: "x".repeat(200_000) }, { budgetBytes: Number.POSITIVE_INFINITY });
  const client = await connect(server);
  expect(textOf(await client.callTool("long"))).toHaveLength(200_000);
  server.reconfigure({ limits: { messageBytes: 100_000 } });
  const cut = await (await connect(server)).callTool("long");
  expect(JSON.stringify(cut)).not.toContain("RESULT_TOO_LARGE");
  expect(JSON.stringify(cut)).toContain("result://");
});
