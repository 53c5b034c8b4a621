import { expect, test } from "vitest";
import { isStandalone } from "./standalone.js";

const KEY = "io.modelcontextprotocol/protocolVersion";

test("a request that names its revision in its _meta stands alone, and nothing else does", () => {
  expect(isStandalone(JSON.stringify({ params: { _meta: { [KEY]: "x" } } }))).toBe(true);
  for (const text of [undefined, "", KEY, `"${KEY}"`, "null", `[{"params":{"_meta":{"${KEY}":"x"}}}]`])
    expect(isStandalone(text)).toBe(false);
  expect(isStandalone(JSON.stringify({ params: { arguments: { text: KEY } } }))).toBe(false);
  expect(isStandalone(JSON.stringify({ params: { _meta: KEY } }))).toBe(false);
});
