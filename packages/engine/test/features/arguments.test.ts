import { tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const book = tool({
  name: "book",
  description: "Books a room.",
  input: {
    type: "object",
    properties: {
      room: { type: "string" },
      guests: { type: "integer", minimum: 1 },
      board: { enum: ["none", "half", "full"] },
    },
    required: ["room", "guests"],
  },
  run: (input) => JSON.stringify(input),
});
const optional = tool({
  name: "optional",
  description: "Needs nothing.",
  input: z.object({ word: z.string().default("nothing") }),
  run: ({ word }) => word,
});

describe("a tool call", () => {
  everyRevision("to an unknown tool is rejected, with the closest name as a hint [TOOL-10]", async (open) => {
    const client = await open(serverWith([book]));
    await expect(client.callTool("bok")).rejects.toMatchObject({
      code: -32602,
      message: "Unknown tool: bok",
      data: { didYouMean: "book" },
    });
    await expect(client.callTool("constructor")).rejects.toMatchObject({ code: -32602, data: undefined });
    await expect(client.callTool("Book ")).rejects.toMatchObject({ code: -32602 });
  });

  everyRevision("without a name, or with arguments that are not an object, is rejected [TOOL-11]", async (open) => {
    const client = await open(serverWith([optional]));
    for (const params of [{}, { name: 7 }, { name: null }, { name: ["optional"] }]) {
      await expect(client.request("tools/call", params)).rejects.toMatchObject({
        code: -32602,
        message: 'Invalid params: "name" must be a string',
      });
    }
    for (const odd of [[], 5, true, ["word"]]) {
      await expect(client.request("tools/call", { name: "optional", arguments: odd })).rejects.toMatchObject({
        code: -32602,
        message: 'Invalid params: "arguments" must be an object',
      });
    }
  });

  everyRevision("without arguments passes an empty object [TOOL-11]", async (open) => {
    const client = await open(serverWith([optional]));
    expect(await client.request("tools/call", { name: "optional" })).toMatchObject({ content: [{ text: "nothing" }] });
  });
});

const FAULTS = [
  'Invalid arguments for "book":',
  "- guests: required, but missing (integer of at least 1)",
  '- guest: unknown argument; did you mean "guests"?',
  '- board: expected one of "none", "half", "full", got "quarter"',
  'Example of a valid call: {"name":"book","arguments":{"room":"12","board":"none","guests":2}}',
];

describe("invalid arguments", () => {
  const wrong = { room: "12", guest: 2, board: "quarter" };

  everyRevision(
    "return an error result with one line per issue and an example of a valid call [TOOL-12 TOOL-13]",
    async (open) => {
      const client = await open(serverWith([book]));
      const result = await client.callTool("book", wrong);
      expect(result).toMatchObject({ content: [{ type: "text", text: FAULTS.join("\n") }], isError: true });
      const corrected = { room: "12", board: "none", guests: 2 };
      expect(await client.callTool("book", corrected)).toMatchObject({ isError: false });
    },
  );

  onRevisions(
    ["2025-06-18", "2025-11-25", STATELESS],
    "have a code and the issues in structured content [TOOL-12]",
    async (open) => {
      const client = await open(serverWith([book]));
      const { structuredContent } = await client.callTool("book", wrong);
      expect(structuredContent).toMatchObject({ code: "INVALID_ARGUMENTS", example: { room: "12" } });
      expect((structuredContent as { issues: string[] }).issues).toHaveLength(3);
    },
  );

  everyRevision("return the message of formatValidationError [TOOL-12]", async (open) => {
    const worded = tool({
      ...book,
      formatValidationError: (given) =>
        (given as { board?: string }).board === "quarter" ? "There is no quarter board" : undefined,
    });
    const client = await open(serverWith([worded]));
    expect(await client.callTool("book", wrong)).toMatchObject({
      content: [{ type: "text", text: "There is no quarter board" }],
      isError: true,
    });
    expect(await client.callTool("book", { ...wrong, board: "none" })).toMatchObject({
      content: [{ type: "text", text: expect.stringMatching(/^Invalid arguments for "book":\n/) }],
      isError: true,
    });
    expect(await client.callTool("book", { room: "12", guests: 2 })).toMatchObject({ isError: false });
  });

  everyRevision("are validated after normalizeInput has rewritten them", async (open) => {
    const tolerant = tool({ ...book, normalizeInput: ({ persons, ...rest }) => ({ guests: persons, ...rest }) });
    const client = await open(serverWith([tolerant]));
    const [{ inputSchema }] = (await client.listTools()) as [{ inputSchema: object }];
    expect(JSON.stringify(inputSchema)).not.toContain("persons");
    expect(await client.callTool("book", { room: "1", persons: 2 })).toMatchObject({
      content: [{ text: '{"guests":2,"room":"1"}' }],
      isError: false,
    });
    expect(await client.callTool("book", { room: "1", persons: 0 })).toMatchObject({
      content: [{ text: expect.stringContaining("guests: ") }],
      isError: true,
    });
  });

  everyRevision("return the default message if formatValidationError throws [TOOL-12]", async (open) => {
    const failing = () => {
      throw new Error("no words");
    };
    const log: string[] = [];
    const tools = [
      tool({ ...book, name: "failing", formatValidationError: failing }),
      tool({ ...book, name: "odd", formatValidationError: () => 5 as never }),
    ];
    const client = await open(serverWith(tools, { log: ({ message }) => void log.push(message) }));
    for (const { name } of tools)
      expect(await client.callTool(name, wrong)).toMatchObject({
        content: [{ type: "text", text: expect.stringMatching(/^Invalid arguments for "\w+":\n/) }],
        isError: true,
      });
    expect(log.filter((line) => !line.includes("rejected"))).toEqual([
      'tool "failing" failed in formatValidationError',
    ]);
  });

  everyRevision("are never passed to the tool [TOOL-21]", async (open) => {
    let runs = 0;
    const counting = tool({ ...book, run: () => String((runs += 1)) });
    const client = await open(serverWith([counting]));
    for (const input of [wrong, {}, { room: 1, guests: 1 }, { room: "1", guests: 0.5 }]) {
      expect(await client.callTool("book", input)).toMatchObject({ isError: true });
    }
    expect(runs).toBe(0);
    await client.callTool("book", { room: "1", guests: 1 });
    expect(runs).toBe(1);
  });

  everyRevision('are an error of the protocol everywhere with validationErrors "protocol" [TOOL-12]', async (open) => {
    const client = await open(serverWith([book], { compat: { validationErrors: "protocol" } }));
    await expect(client.callTool("book", {})).rejects.toMatchObject({
      code: -32602,
      data: { issues: expect.arrayContaining([expect.stringMatching(/^room: /)]) },
    });
  });

  const textual = ["2024-11-05", "2025-03-26", "2025-06-18"];
  onRevisions(textual, 'are an error up to 2025-06-18 with "by-revision" [TOOL-12]', async (open) => {
    const client = await open(serverWith([book], { compat: { validationErrors: "by-revision" } }));
    await expect(client.callTool("book", {})).rejects.toMatchObject({ code: -32602 });
  });
  onRevisions(
    ["2025-11-25", STATELESS],
    'are a result from 2025-11-25 on with "by-revision" [TOOL-12]',
    async (open) => {
      const client = await open(serverWith([book], { compat: { validationErrors: "by-revision" } }));
      expect(await client.callTool("book", {})).toMatchObject({ isError: true });
    },
  );
});

describe("unknown arguments", () => {
  const zod = tool({
    name: "zod",
    description: "Takes one.",
    input: z.object({ a: z.number() }),
    run: (input) => JSON.stringify(input),
  });
  const lax = tool({ ...book, name: "lax", unknownArguments: "allow" });

  everyRevision("are rejected by default, for every schema library", async (open) => {
    const client = await open(serverWith([book, zod]));
    for (const [name, input] of [
      ["book", { room: "1", guests: 1, note: "x" }],
      ["zod", { a: 1, note: "x" }],
    ] as const) {
      const result = await client.callTool(name, input);
      expect(result["isError"]).toBe(true);
      expect((result["content"] as { text: string }[])[0]?.text).toContain("- note: unknown argument");
    }
  });

  everyRevision("are accepted if the tool or the server allows them", async (open) => {
    const input = { room: "1", guests: 1, note: "x" };
    const content = [{ type: "text", text: '{"room":"1","guests":1,"note":"x"}' }];
    const one = await open(serverWith([lax]));
    expect(await one.callTool("lax", input)).toMatchObject({ content, isError: false });
    const all = await open(serverWith([book], { toolOptions: { unknownArguments: "allow" } }));
    expect(await all.callTool("book", input)).toMatchObject({ content, isError: false });
    const strict = tool({ ...book, unknownArguments: "reject" });
    const mixed = await open(serverWith([strict], { toolOptions: { unknownArguments: "allow" } }));
    expect(await mixed.callTool("book", input)).toMatchObject({ isError: true });
  });
});

onRevisions(
  HANDSHAKE,
  "inputResponses and requestState of a client with a handshake are ignored [MRTR-11]",
  async (open) => {
    const client = await open(serverWith([optional]));
    const result = await client.callTool("optional", {}, { requestState: "forged", inputResponses: null });
    expect(result).toMatchObject({ content: [{ text: "nothing" }], isError: false });
  },
);

test("a tool can be called without a server", () => {
  const input = { room: "1", guests: 1 };
  expect(book.run(input, undefined as never)).toBe('{"room":"1","guests":1}');
});
