import { expect, test } from "vitest";
import { nearest } from "../../../src/text/index.js";

const known = ["callTimeoutMs", "callTotalMs", "pageSize", "--http", "TLS_CERT"];

test.each([
  ["callTimoutMs", "callTimeoutMs"],
  ["call_timeout_ms", "callTimeoutMs"],
  ["calltotalms", "callTotalMs"],
  ["pagseize", "pageSize"],
  ["--htpt", "--http"],
  ["tls-cert", "TLS_CERT"],
  ["page", undefined],
  ["", undefined],
  ["somethingElse", undefined],
])("%j stands for %j", (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
