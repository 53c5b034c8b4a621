import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunk } from "../../src/chunks/chunk.js";
import { locateIn } from "../../src/documents/source-map.js";
import { read } from "./read.js";

const line = fc.oneof(
  fc.constantFrom(
    "",
    "",
    "  ",
    "# One",
    "## Two ##",
    "### `c` [x](y)",
    "Title",
    "===",
    "---",
    "* * *",
    "```",
    "````js",
    "~~~",
  ),
  fc.constantFrom(
    "- item",
    "  more",
    "10. ten",
    "    indented",
    "\tcode",
    "| a | b |",
    "|---|---|",
    "> quote",
    "<!--",
    "-->",
  ),
  fc.constantFrom(
    "<pre>",
    "</pre>",
    "Ein Satz. Noch einer! 日本語の文。次の文。",
    "🎉🎉 done? Yes.",
    "é".repeat(40),
    "+++",
    "&amp;",
  ),
  fc.string({ maxLength: 60, unit: "binary" }).map((text) => text.replaceAll(/\p{Cc}/gu, "")),
  fc.lorem({ maxCount: 30 }),
);
const ends = fc.constantFrom("\n", "\r\n", "\r");
const document = fc
  .array(fc.tuple(line, ends), { minLength: 1, maxLength: 60 })
  .map((lines) => `${lines.map(([text, end]) => text + end).join("")}last`);
const forms = [
  ["utf-8", (text: string) => Buffer.from(text)],
  ["utf-8 with a mark", (text: string) => Buffer.from(`\uFEFF${text}`)],
  ["utf-16le", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["utf-16be", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
] as const;

/** Half a character. */
const LONE = /\p{Surrogate}/u;
const isWhole = (text: string): boolean => !LONE.test(text) && !text.startsWith("\uFEFF");
const normalise = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");

describe.each(forms)("any Markdown in %s", (form, encode) => {
  const decode = (bytes: Uint8Array): string =>
    new TextDecoder(form.startsWith("utf-16") ? form : "utf-8", { ignoreBOM: true }).decode(bytes);

  test("is read as it is, and each range stands in the bytes where it is said to", async () => {
    await fc.assert(
      fc.asyncProperty(document.filter(isWhole), fc.nat(), fc.nat(), async (source, one, other) => {
        const bytes = encode(source);
        const reading = await read("a.md", bytes);
        expect(reading.text).toBe(normalise(source));
        const [start, end] = range(reading.text, one, other);
        const span = reading.locate(start, end);
        expect(normalise(decode(bytes.subarray(span.byte_start, span.byte_end)))).toBe(reading.text.slice(start, end));
        expect(span.line_start).toBe(reading.text.slice(0, start).split("\n").length);
        expect(span.line_end).toBe(reading.text.slice(0, Math.max(start, end - 1)).split("\n").length);
        expect(locateIn(reading.map)(start, end)).toEqual(span);
      }),
      { numRuns: 300 },
    );
  });
});

test("the blocks of any Markdown are in order, and between them is nothing to read", async () => {
  await fc.assert(
    fc.asyncProperty(document.filter(isWhole), async (source) => {
      const { text, blocks } = await read("a.md", source);
      let last = 0;
      for (const { start, end } of blocks) {
        expect(text.slice(last, start).trim()).toBe("");
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(text.slice(last).trim()).toBe("");
    }),
    { numRuns: 500 },
  );
});

test.each(["a.md", "a.txt", "a.csv", "a.json", "a.yaml"])(
  "the chunks of any %s cover it, within their size",
  async (name) => {
    await fc.assert(
      fc.asyncProperty(
        document.filter(isWhole),
        fc.integer({ min: 8, max: 200 }),
        fc.nat(60),
        async (source, size, overlap) => {
          const reading = await read(name, source);
          const chunks = chunk(reading, { size, overlap });
          let last = 0;
          for (const [index, { start, end, content, tokens, ordinal }] of chunks.entries()) {
            expect(ordinal).toBe(index);
            expect(tokens).toBeLessThanOrEqual(size);
            expect(reading.text.slice(Math.min(last, start), start).trim()).toBe("");
            expect(end).toBeGreaterThan(last);
            const own = reading.text.slice(start, end);
            expect(content.endsWith(own)).toBe(true);
            expect(own.trim()).not.toBe("");
            expect(LONE.test(own)).toBe(false);
            last = end;
          }
          expect(reading.text.slice(last).trim()).toBe("");
        },
      ),
      { numRuns: 300 },
    );
  },
);

/** A range that cuts no character in two. */
function range(text: string, one: number, other: number): [number, number] {
  const places = [0, ...Array.from(text).map((character) => character.length)];
  let at = 0;
  const offsets = places.map((length) => (at += length));
  const [first = 0, second = 0] = [one, other].map((number) => offsets[number % offsets.length] ?? 0);
  return [Math.min(first, second), Math.max(first, second)];
}
