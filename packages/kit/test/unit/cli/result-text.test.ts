import { expect, test } from "vitest";
import { resultText } from "../../../src/cli/result-text.js";

const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" } as const;

test.each([
  [{ content: [{ type: "text", text: "a" }], structuredContent: { a: 1 } } as const, "a"],
  [{ content: [audio], structuredContent: { a: 1 } }, '[audio, audio/wav, 3 bytes]\n{\n  "a": 1\n}'],
  [{ content: [], structuredContent: null }, "null"],
  [{ content: [] }, ""],
])("%j is printed", (result, text) => {
  expect(resultText(result, false)).toBe(text);
});

test("as JSON it is the structured content, or else the blocks", () => {
  expect(resultText({ content: [audio], structuredContent: 0 }, true)).toBe("0");
  expect(JSON.parse(resultText({ content: [audio] }, true))).toEqual([audio]);
});
