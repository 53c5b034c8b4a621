import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PackedText, packText } from "../../../src/documents/packed-text.js";

const PART = 65_536;
const none = new ArrayBuffer(0);

describe("a text that is packed", () => {
  test("gives every part of it back, whatever its letters and wherever they lie", () => {
    const letter = fc.constantFrom("a", "é", "€", "語", "😀", "\ud83d", "\n");
    fc.assert(
      fc.property(
        fc.array(letter),
        fc.nat(PART * 2),
        fc.nat(PART * 3),
        fc.nat(PART),
        (letters, before, from, length) => {
          const text = `${"x".repeat(before)}${letters.join("")}${"y".repeat(PART)}`;
          const packed = new PackedText(packText(text, none));
          expect(packed.length).toBe(text.length);
          expect(packed.slice(from, from + length)).toBe(text.slice(from, from + length));
          expect(packed.slice(0, packed.length) === text).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("takes a byte for each letter, but for the parts that need two", () => {
    const { parts } = packText(`${"x".repeat(PART)}語${"y".repeat(10)}`, none);
    expect(parts.map(({ length }) => length)).toEqual([PART, 22]);
  });

  test("reuses a free buffer that is large enough", () => {
    const [large, small] = [new ArrayBuffer(100), new ArrayBuffer(3)];
    expect(packText("some", large).parts[0]?.buffer).toBe(large);
    expect(packText("some", small).parts[0]?.buffer).not.toBe(small);
  });
});
