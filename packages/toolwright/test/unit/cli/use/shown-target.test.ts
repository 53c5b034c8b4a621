import { expect, test } from "vitest";
import { concealing, showTarget } from "../../../../src/cli/use/show-target.js";

test.each([
  [{ command: "npx", args: ["-y", "a server"] }, "npx -y 'a server'"],
  [{ command: "x", args: ["--token", "abcd1234"] }, "x --token [redacted]"],
  [{ command: "x", args: ["--key=from-the-env"], env: { K: "from-the-env" } }, "x --key=[redacted]"],
  [{ command: "x", args: ["https://a.example/k7x2m9q4w1z8r5t3/mcp"] }, "x https://a.example/[redacted]/mcp"],
  [{ command: "x", args: ["sk-abcdefghijklmnopqrstuv"] }, "x [redacted]"],
  [{ url: "https://a.example/mcp", transport: "http" as const }, "https://a.example/mcp"],
  [{ url: "https://ada:pass@a.example/mcp?k=v#f", transport: "http" as const }, "https://…@a.example/mcp?…"],
  [
    { url: "https://a.example/s/NTQ2MDk4MjMtYTk1Zi00/mcp?k=v", transport: "http" as const },
    "https://a.example/s/…/mcp?…",
  ],
  [
    { url: "https://a.example/f81d4fae-7dec-11d0-a765-00a0c91e6bf6", transport: "http" as const },
    "https://a.example/…",
  ],
  [{ url: "${URL}/mcp?key=1", transport: "http" as const }, "${URL}/mcp?…"],
])("%j is shown as %s", (target, shown) => {
  expect(showTarget(target)).toBe(shown);
});

test("what a client keeps for a server is taken out of what is said of it", () => {
  const headers = { Authorization: "Bearer opaque", "X-Team": "ab" };
  const conceal = concealing({ url: "https://a.example/k7x2m9q4w1z8r5t3?k=in-the-query", transport: "http", headers });
  expect(conceal("opaque, k7x2m9q4w1z8r5t3 and in-the-query of ab")).toBe(
    "[redacted], [redacted] and [redacted] of ab",
  );
});
