import { countTokens } from "@toolwright/kit/tokens";
import { describe, expect, test } from "vitest";
import { madePattern, openWith, shownIn } from "./kit.js";

const webhook = madePattern("TMKB-ASYNC-001", {
  category: "async",
  triggers: { keywords: ["webhook"] },
  mitigations: [shownIn("python/flask", "typescript/express")],
});

describe("tmkb_query rejects arguments with the messages of the source document", () => {
  test.each([
    [{}, "context parameter is required"],
    [{ language: "python" }, "context parameter is required"],
    [{ context: "" }, "context must be non-empty"],
    [{ context: " \n\t" }, "context must be non-empty"],
    [
      { context: "webhook", language: "cobol" },
      "Invalid language 'cobol'. Supported languages: javascript, python, typescript",
    ],
    [
      { context: "webhook", framework: "spring" },
      "Invalid framework 'spring'. Supported frameworks: express, flask, any",
    ],
    [{ context: "webhook", verbosity: "loud" }, "Invalid verbosity 'loud'. Supported values: agent, human"],
    [{ context: "webhook", category: "zoo" }, "Invalid category 'zoo'. Supported categories: async"],
    [
      { context: "webhook", lang: "python" },
      "Unknown parameter 'lang'. Supported parameters: context, language, framework, verbosity, category, limit, files, token_budget",
    ],
  ])("%j: %s", async (args, message) => {
    const { fail } = await openWith([webhook]);
    expect(await fail("tmkb_query", args)).toMatchObject({ text: message, code: "INVALID_ARGUMENTS" });
  });

  test("other invalid arguments have the messages of the engine", async () => {
    const { fail } = await openWith([webhook]);
    expect((await fail("tmkb_query", { context: "x".repeat(10_001) })).text).toContain(
      "context: expected a string of at most 10000 characters",
    );
    expect((await fail("tmkb_query", { context: "webhook", token_budget: 149 })).text).toContain(
      "token_budget: expected an integer of at least 150",
    );
  });

  test("an unknown tool is a protocol error; names are case-sensitive", async () => {
    const { client } = await openWith([webhook]);
    await expect(client.callTool("TMKB_query", { context: "webhook" })).rejects.toMatchObject({
      code: -32602,
      message: "Unknown tool: TMKB_query",
    });
  });

  test("the tools that are listed by default cost at most 300 tokens", async () => {
    const { client } = await openWith([webhook]);
    const { tools } = (await client.request("tools/list", {})) as unknown as {
      readonly tools: readonly Record<string, unknown>[];
    };
    expect(tools).toHaveLength(7);
    const listed = tools.filter(({ name }) => name === "tmkb_query" || name === "tmkb_get");
    const texts = listed.map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, inputSchema }),
    );
    expect(texts.reduce((sum, text) => sum + countTokens(text), 0)).toBeLessThanOrEqual(300);
  });

  test("any is a framework, but not a language", async () => {
    const { call, fail } = await openWith([webhook]);
    expect(await call("tmkb_query", { context: "a webhook", framework: "any" })).toMatchObject({ pattern_count: 1 });
    expect((await fail("tmkb_query", { context: "a webhook", language: "any" })).text).toMatch(
      /^Invalid language 'any'/,
    );
  });
});
