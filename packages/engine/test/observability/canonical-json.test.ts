import { expect, test } from "vitest";
import { canonicalJson } from "../../src/jsonrpc/messages.js";
import { sha256Digest } from "../../src/observability/audit-log.js";

test.each([
  [{ b: 1, a: [true, null, "é"] }, '{"a":[true,null,"é"],"b":1}'],
  [{ a: { d: 1, c: { f: 1, e: 2 } } }, '{"a":{"c":{"e":2,"f":1},"d":1}}'],
  [[{ b: 1, a: 2 }, 3], '[{"a":2,"b":1},3]'],
  [{ "\u20ac": 1, "\r": 2, "1": 3, "\ud83d\ude00": 4, "\u0080": 5 }, '{"\\r":2,"1":3,"\u0080":5,"€":1,"😀":4}'],
  [[1e21, 1e-7, 4.5, -0, 0.1 + 0.2], "[1e+21,1e-7,4.5,0,0.30000000000000004]"],
  [JSON.parse('{"__proto__":1,"a":2}') as never, '{"__proto__":1,"a":2}'],
  ["a", '"a"'],
  [null, "null"],
])("%j is %s", (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test("the digest does not depend on the order of members", () => {
  const digest = "sha256:17c8c6f7f948ee1c9b93b1bc35f6edc29cbaf3022bff7d076d1c4831dd8a44a2";
  expect(sha256Digest({ b: 1, a: [true, null, "é"] })).toBe(digest);
  expect(sha256Digest({ a: [true, null, "é"], b: 1 })).toBe(digest);
  expect(sha256Digest({ a: [null, true, "é"], b: 1 })).not.toBe(digest);
});
