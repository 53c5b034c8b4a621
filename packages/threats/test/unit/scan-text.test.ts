import { expect, onTestFinished, test, vi } from "vitest";
import type { CodeCheck } from "../../src/review/scan-text.js";
import { scanText } from "../../src/review/scan-text.js";

const pattern = { id: "P", name: "", category: "", severity: "low", check: "", fix: "", cwe: [] } as const;
const checkOf = (risk: string): CodeCheck => ({
  pattern,
  description: risk,
  languages: undefined,
  risk,
  expectation: undefined,
});

test("after the deadline matches are late, while empty results and slow expressions are reported as such", async () => {
  const clock = performance.now.bind(performance);
  let passed = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => clock() + passed);
  onTestFinished(() => now.mockRestore());
  const reported: string[] = [];
  // A lookahead prevents V8's linear engine, which other tests can enable, from running the expression.
  const checks = ["((?=a)a|a)*b", "z", "a$", "((?=a)a|a)*c"].map(checkOf);
  const fragment = { file: "a.sh", text: "a".repeat(60), firstLine: 1, isCut: false };
  const matches = await scanText(fragment, { names: ["other"] }, checks, {
    slow: ({ risk }) => {
      reported.push(`slow ${risk}`);
      passed = 60_000;
    },
    late: ({ risk }) => reported.push(`late ${risk}`),
  });
  expect(matches).toEqual([]);
  expect(reported).toEqual(["slow ((?=a)a|a)*b", "late a$", "slow ((?=a)a|a)*c"]);
});
