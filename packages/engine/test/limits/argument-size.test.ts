import { createServer, prompt, type ToolDefinition, tool } from "@toolwright/engine";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";

const text = { type: "string" } as const;

function createLimited(properties: object, more: Partial<ToolDefinition<never, never>> = {}) {
  const input = { type: "object", properties, additionalProperties: true } as never;
  const take = tool({ name: "take", description: "Takes anything.", input, run: () => "taken", ...more });
  const ask = prompt({
    name: "ask",
    description: "Asks.",
    input: { type: "object", properties: { about: text } },
    run: () => "asked",
  });
  const limits = { argumentLength: 100, argumentItems: 3 };
  return createServer({ name: "test", version: "1.0.0", tools: [take], prompts: [ask], limits });
}

describe("arguments that are too large", () => {
  test.each([
    ["a string", { a: "x".repeat(101) }, "a must have at most 100 characters"],
    ["an array", { a: [1, 2, 3, 4] }, "a must have at most 3 items"],
    ["an object", { a: { b: 1, c: 2, d: 3, e: 4 } }, "a must have at most 3 properties"],
    ["something nested", { a: [{ b: ["x".repeat(101)] }] }, "a[0].b[0] must have at most 100 characters"],
    ["a name", { a: { ["x".repeat(101)]: 1 } }, "a must have at most 100 characters in a name"],
    ["the arguments", { a: 1, b: 2, c: 3, d: 4 }, "arguments must have at most 3 properties"],
    [
      "a string below a long path",
      { ["p".repeat(90)]: { ["q".repeat(90)]: "x".repeat(101) } },
      "… must have at most 100",
    ],
  ])("are rejected before they are validated: %s", async (_what, args, issue) => {
    const client = await connectTestClient(createLimited({ a: {} }));
    const result = await client.callTool("take", args);
    client.close();
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(issue) as string }] });
  });

  test("are accepted up to the limit", async () => {
    const client = await connectTestClient(createLimited({ a: text, b: { type: "array" } }));
    expect(await client.callTool("take", { a: "x".repeat(100), b: [1, 2, 3] })).toMatchObject({ isError: false });
    client.close();
  });

  test("are accepted where the schema of the property allows more, also through a reference", async () => {
    const properties = {
      a: { type: "string", maxLength: 200 },
      b: { type: "array", maxItems: 5, items: { $ref: "#/properties/a" } },
      c: { type: "string" },
    };
    const client = await connectTestClient(createLimited(properties));
    const call = async (args: Record<string, string | string[]>) => (await client.callTool("take", args))["isError"];
    expect(await call({ a: "x".repeat(200) })).toBe(false);
    expect(await call({ b: ["x", "x", "x", "x", "x"] })).toBe(false);
    expect(await call({ a: "x".repeat(201) })).toBe(true);
    expect(await call({ c: "x".repeat(101) })).toBe(true);
    client.close();
  });

  test("are accepted only where the schema of the value itself allows more", async () => {
    const item = { type: "object", properties: { name: text, content: { type: "string", maxLength: 200 } } } as const;
    const properties = { files: { type: "array", maxItems: 5, items: item }, more: { additionalProperties: item } };
    const client = await connectTestClient(createLimited(properties));
    const call = async (args: object) => (await client.callTool("take", args as Record<string, never>))["isError"];
    const long = "x".repeat(200);
    expect(await call({ files: [1, 2, 3, 4, 5].map(() => ({ content: long })) })).toBe(false);
    expect(await call({ files: [{ name: long }] })).toBe(true);
    expect(await call({ more: { a: { content: long } } })).toBe(false);
    expect(await call({ more: { a: { name: long } } })).toBe(true);
    expect(await call({ more: { a: { content: `${long}x` } } })).toBe(true);
    client.close();
  });

  test("never reach the author's message for invalid arguments", async () => {
    const seen: unknown[] = [];
    const formatValidationError = (input: unknown): string => {
      seen.push(input);
      return "custom";
    };
    const client = await connectTestClient(createLimited({ a: text }, { formatValidationError }));
    await client.callTool("take", { a: "x".repeat(101) });
    client.close();
    expect(seen).toEqual([]);
  });

  test("are rejected in prompts", async () => {
    const client = await connectTestClient(createLimited({}));
    await expect(client.getPrompt("ask", { about: "x".repeat(101) })).rejects.toThrow(
      "about must have at most 100 characters",
    );
    client.close();
  });
});
