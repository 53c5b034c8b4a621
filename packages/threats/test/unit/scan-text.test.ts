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

test("once the time is over only what was found is left out: what is not there, or slow, has its answer", async () => {
  const clock = performance.now.bind(performance);
  let passed = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => clock() + passed);
  onTestFinished(() => now.mockRestore());
  const told: string[] = [];
  // With a look ahead, so that the other engine of V8, which other tests may have switched on, cannot help.
  const checks = ["((?=a)a|a)*b", "z", "a$", "((?=a)a|a)*c"].map(checkOf);
  const piece = { file: "a.sh", text: "a".repeat(60), firstLine: 1, isCut: false };
  const matches = await scanText(piece, { names: ["other"] }, checks, {
    slow: ({ risk }) => {
      told.push(`slow ${risk}`);
      passed = 60_000;
    },
    late: ({ risk }) => told.push(`late ${risk}`),
  });
  expect(matches).toEqual([]);
  expect(told).toEqual(["slow ((?=a)a|a)*b", "late a$", "slow ((?=a)a|a)*c"]);
});
