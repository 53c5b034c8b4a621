import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { Tiktoken } from "js-tiktoken/lite";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import { describe, expect, test } from "vitest";
import { countTokens } from "../../../src/tokens/index.js";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const judge = new Tiktoken(cl100k);
const judged = (text: string): number => judge.encode(text, [], []).length;

describe("countTokens", () => {
  test.each([
    ["", 0],
    [" ", 1],
    ["hello world", 2],
    ["tiktoken is great!", 6],
    ["don't DON'T we'LL", 7],
    ["  indented\n\n\n\tcode();  \r\n", 7],
    ["1234567", 3],
    ["<|endoftext|>", 7],
    ["日本語のテキスト", 8],
    ["👩‍👩‍👧‍👦", 18],
    ["\ud800 alone", 2],
  ])("counts %j as %i", (text, count) => {
    expect(countTokens(text)).toBe(count);
    expect(judged(text)).toBe(count);
  });

  test("counts a very long word in time that does not grow with its square", () => {
    expect(countTokens("a".repeat(400_000))).toBe(50_000);
  });

  test("counts whatever text as the reference does", () => {
    const parts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom(
        " ",
        "\n",
        "\r\n",
        "\t",
        "'s",
        "'RE",
        "don't",
        "getUserById",
        "snake_case",
        "0123456789",
        "  ",
        "\u00a0",
      ),
      fc.stringMatching(/^[ -~]{0,30}$/),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (words) => {
        const text = words.join("");
        return countTokens(text) === judged(text);
      }),
      { numRuns: 300 },
    );
  });

  test("counts every character of Unicode as the reference does, alone and between others", () => {
    const wrong: string[] = [];
    for (let first = 0; first < 0x11_0000; first += 32) {
      // Ideographs, Hangul, and the private and unassigned planes are all alike: a part of them will do.
      const isAlike = (first >= 0x3400 && first < 0xd800) || first >= 0x1_7000;
      if (isAlike && first % 0x800 !== 0) continue;
      const text = Array.from({ length: 32 }, (_, index) => String.fromCodePoint(first + index)).join("x ");
      if (countTokens(text) !== judged(text)) wrong.push(first.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test("counts the documents and the sources of this repository as the reference does", () => {
    const files = [
      ...filesIn("docs/guides", ".md"),
      ...filesIn("packages/kit/src/files", ".ts"),
      "tests/requirements.ts",
    ];
    const wrong = files.filter((file) => {
      const text = readFileSync(path.join(root, file), "utf8");
      return countTokens(text) !== judged(text);
    });
    expect(files.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });
});

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => path.join(folder, file));
}
