import { expect, test } from "vitest";
import { isStatelessRequest } from "../../../src/transports/http/streamable-http.js";

const KEY = "io.modelcontextprotocol/protocolVersion";

test("only a request with a protocol version in _meta is stateless", () => {
  expect(isStatelessRequest(JSON.stringify({ params: { _meta: { [KEY]: "x" } } }))).toBe(true);
  for (const text of [undefined, "", KEY, `"${KEY}"`, "null", `[{"params":{"_meta":{"${KEY}":"x"}}}]`])
    expect(isStatelessRequest(text)).toBe(false);
  expect(isStatelessRequest(JSON.stringify({ params: { arguments: { text: KEY } } }))).toBe(false);
  expect(isStatelessRequest(JSON.stringify({ params: { _meta: KEY } }))).toBe(false);
});
