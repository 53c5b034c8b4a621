import { getEncoding } from "js-tiktoken";
import { expect, test } from "vitest";
import { openWorkstation } from "./kit.js";

/** What a model is given of the pack must leave room for the work. */
const MOST_TOKENS = 6000;

test("what a model is given of the pack stays under 6,000 tokens", async () => {
  const { client } = await openWorkstation();
  const encoding = getEncoding("cl100k_base");
  const tools = (await client.listTools()).filter(({ name }) => name !== "read_result");
  const costs = tools
    .map(({ name, description, inputSchema }) => ({
      name: name as string,
      tokens: encoding.encode(JSON.stringify({ name, description, inputSchema })).length,
    }))
    .toSorted((one, other) => other.tokens - one.tokens);
  const sum = costs.reduce((before, { tokens }) => before + tokens, 0);
  const table = costs.map(({ name, tokens }) => `${String(tokens).padStart(5)}  ${name}`).join("\n");
  expect(tools.length).toBeGreaterThan(0);
  expect(sum, `${sum} tokens:\n${table}`).toBeLessThan(MOST_TOKENS);
});
