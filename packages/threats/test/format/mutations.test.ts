import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readPattern } from "../../src/format/read-pattern.js";

const good = readFileSync(new URL("good.yaml", import.meta.url), "utf8");
const signs = fc.constantFrom(...Array.from("abz019 \n\t:-?[]{}#&*!|>'\"%@`,.\\<~=\u0000\u00e9\ufeff"));

/** An edit of a text: deletes and inserts characters. */
const edits = fc.array(
  fc.record({ at: fc.nat(good.length), less: fc.nat(12), more: fc.string({ unit: signs, maxLength: 6 }) }),
  { minLength: 1, maxLength: 4 },
);

test("every edited file is valid, or has a diagnostic in one of its lines", async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (changes) => {
      const text = changes.reduce((now, { at, less, more }) => now.slice(0, at) + more + now.slice(at + less), good);
      const lines = text.split("\n").length;
      const { pattern, diagnostics } = await readPattern(text, "some.yaml");
      expect(pattern === undefined).toBe(diagnostics.some(({ severity }) => severity === "error"));
      for (const { line, column, message, suggestion } of diagnostics) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(message).not.toBe("");
        expect(suggestion).not.toMatch(/undefined/);
      }
    }),
    { numRuns: 120 },
  );
});
