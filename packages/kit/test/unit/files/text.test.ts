import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeText,
  encodeText,
  formOf,
  hashOf,
  lineEndingOf,
  type TextForm,
  wholeBytes,
} from "../../../src/files/text.js";

test("a hash names the bytes", () => {
  expect(hashOf(Buffer.from("abc"))).toBe("sha256:ba7816bf8f01cfea414140de5dae2223");
  expect(hashOf(new Uint8Array())).toBe("sha256:e3b0c44298fc1c149afbf4c8996fb924");
});

test.each<[string, number[], TextForm | undefined]>([
  ["nothing", [], { encoding: "utf-8", bomBytes: 0 }],
  ["ASCII", [0x61, 0x0a], { encoding: "utf-8", bomBytes: 0 }],
  ["a zero", [0x61, 0, 0x62], undefined],
  ["zeros everywhere", [0, 0, 0, 0], undefined],
  ["UTF-16 of letters", [0x61, 0, 0x62, 0], { encoding: "utf-16le", bomBytes: 0 }],
  ["half a character", [0x61, 0xe2, 0x82], { encoding: "windows-1252", bomBytes: 0 }],
  ["controls among bytes that are no UTF-8", [0xe4, 1, 2, 3], undefined],
  ["controls of terminals", [0x1b, 0x5b, 0x31, 0x6d], { encoding: "utf-8", bomBytes: 0 }],
  ["a byte that no encoding has", [0xe4, 0x81], undefined],
  ["a mark alone", [0xef, 0xbb, 0xbf], { encoding: "utf-8", bomBytes: 3 }],
])("%s is recognized", (_name, bytes, form) => {
  expect(formOf(Uint8Array.from(bytes))).toEqual(form);
});

test("the head of a longer text may end inside a character", () => {
  expect(formOf(Uint8Array.from([0x61, 0xe2, 0x82]), false)).toEqual({ encoding: "utf-8", bomBytes: 0 });
});

test.each(["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const)("%s is written as it was read", (encoding) => {
  const letters = encoding === "windows-1252" ? ["a", "é", "€", "“", "\n"] : ["a", "é", "€", "😀", "\n"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...letters)), fc.boolean(), (parts, hasMark) => {
      const bomBytes = hasMark && encoding !== "windows-1252" ? (encoding === "utf-8" ? 3 : 2) : 0;
      const bytes = encodeText(parts.join(""), { encoding, bomBytes });
      expect(bytes).toBeDefined();
      expect(decodeText((bytes ?? Buffer.alloc(0)).subarray(bomBytes), encoding)).toBe(parts.join(""));
    }),
  );
});

test("a character that an encoding does not have cannot be written", () => {
  expect(encodeText("😀", { encoding: "windows-1252", bomBytes: 0 })).toBeUndefined();
  expect(encodeText("\u0080", { encoding: "windows-1252", bomBytes: 0 })).toBeUndefined();
});

test("distinguishes whole characters from a truncated one", () => {
  const smile = Buffer.from("a😀");
  expect([1, 2, 3, 4, 5].map((end) => wholeBytes(smile.subarray(0, end), "utf-8"))).toEqual([1, 1, 1, 1, 5]);
  const wide = Buffer.from("a😀", "utf16le");
  expect([2, 3, 4, 5, 6].map((end) => wholeBytes(wide.subarray(0, end), "utf-16le"))).toEqual([2, 2, 2, 2, 6]);
});

test("recognizes line endings", () => {
  expect(["", "a", "a\n", "a\r\nb\r\n", "a\rb", "a\r", "a\r\nb\n"].map(lineEndingOf)).toEqual([
    "none",
    "none",
    "lf",
    "crlf",
    "cr",
    "cr",
    "mixed",
  ]);
});
