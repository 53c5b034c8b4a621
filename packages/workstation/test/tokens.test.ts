import { getEncoding } from "js-tiktoken";
import { expect, test } from "vitest";
import workstation from "../src/index.js";
import { openWorkstation } from "./kit.js";

const MAX_TOOLS = 25;
const MAX_TOKENS = 3100;

test("the default list has at most 25 tools in 3,100 tokens", async () => {
  const { client } = await openWorkstation({ filter: { exclude: workstation.optionalTools ?? [] } });
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
  expect(tools.length).toBeGreaterThan(20);
  expect(tools.length).toBeLessThanOrEqual(MAX_TOOLS);
  expect(sum, `${sum} tokens:\n${table}`).toBeLessThanOrEqual(MAX_TOKENS);
});

interface PropertySchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly items?: PropertySchema;
}

test("every property of every tool has a description, and every tool all hints", async () => {
  const { server } = await openWorkstation();
  const undescribed = (schema: PropertySchema, at: string): readonly string[] => {
    const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
      ...((property.description ?? "").length > 3 ? [] : [`${at}.${name}`]),
      ...undescribed(property, `${at}.${name}`),
    ]);
    return schema.items === undefined ? own : [...own, ...undescribed(schema.items, at)];
  };
  const hints = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"];
  for (const { name, input, annotations } of server.tools) {
    if (name === "read_result") continue;
    expect(undescribed((input ?? {}) as PropertySchema, name)).toEqual([]);
    expect([name, Object.keys(annotations ?? {}).toSorted()]).toEqual([name, hints]);
  }
});
