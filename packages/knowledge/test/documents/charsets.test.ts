import { describe, expect, test } from "vitest";
import type { Reading } from "../../src/documents/reading.js";
import { read } from "./read.js";

/** The bytes that a reading points to for some words of it. */
function bytesFor({ text, locate }: Reading, words: string, source: Uint8Array): string {
  const { byte_start, byte_end } = locate(text.indexOf(words), text.indexOf(words) + words.length);
  return Buffer.from(source.subarray(byte_start, byte_end)).toString("hex");
}

describe("the encoding of a text", () => {
  test("of Windows-1252 is detected by its letters", async () => {
    const source = Buffer.from("Größe: 5\r\nDie Straße ist schön und für Fußgänger geöffnet\r\n", "latin1");
    const reading = await read("a.txt", source);
    expect([reading.encoding, reading.text.split("\n")[0]]).toEqual(["windows-1252", "Größe: 5"]);
    expect(bytesFor(reading, "Straße", source)).toBe(Buffer.from("Straße", "latin1").toString("hex"));
    expect(reading.locate(reading.text.indexOf("schön"), reading.text.length)).toMatchObject({
      line_start: 2,
      line_end: 2,
    });
  });

  test("of Shift_JIS is detected by its letters, and offsets refer to its bytes", async () => {
    const source = Buffer.from(
      "93fa967b8cea82cc8365834c8358836782c582b781420a82b182ea82cd8abf8e9a82c682a982c882f08adc82de95b68fcd82c582b781420a",
      "hex",
    );
    const reading = await read("a.txt", source);
    expect([reading.encoding, reading.text]).toEqual([
      "shift_jis",
      "日本語のテキストです。\nこれは漢字とかなを含む文章です。\n",
    ]);
    expect(bytesFor(reading, "日本語", source)).toBe("93fa967b8cea");
    expect(bytesFor(reading, "かな", source)).toBe("82a982c8");
  });

  test("of HTML is what its meta element says", async () => {
    const source = Buffer.concat([
      Buffer.from('<meta charset="gb18030"><p>a '),
      Buffer.from("c4e3bac3", "hex"),
      Buffer.from(" b</p>"),
    ]);
    const reading = await read("a.html", source);
    expect([reading.encoding, reading.text]).toEqual(["gb18030", "a 你好 b"]);
    expect(bytesFor(reading, "你好", source)).toBe("c4e3bac3");
  });

  test("of UTF-8 with a few broken bytes is UTF-8", async () => {
    const source = Buffer.concat([
      Buffer.from("Привет, мир. Ещё одна строка "),
      Buffer.from([0xff]),
      Buffer.from(" и конец\r\n"),
    ]);
    const reading = await read("a.txt", source);
    expect([reading.encoding, reading.text]).toEqual(["utf-8", "Привет, мир. Ещё одна строка \uFFFD и конец\n"]);
    expect(bytesFor(reading, "и конец", source)).toBe(Buffer.from("и конец").toString("hex"));
  });

  test("of UTF-16 without a byte order mark is detected by its zeros", async () => {
    const source = Buffer.from("plain words\r\nin two lines", "utf16le");
    const reading = await read("a.md", source);
    expect([reading.encoding, reading.text]).toEqual(["utf-16le", "plain words\nin two lines"]);
    expect(reading.locate(12, 14)).toEqual({ byte_start: 26, byte_end: 30, line_start: 2, line_end: 2 });
  });

  test.each([
    ["NUL bytes", Buffer.from("a\0b\0\0c", "latin1"), "it is not text: it has NUL bytes"],
    [
      "control characters",
      Buffer.from("\x01\x02\x03abc\x04\x05"),
      "it is not text: many of its bytes are control characters",
    ],
    ["characters of UTF-32", Buffer.from("fffe00004800000069000000", "hex"), "it is encoded in UTF-32"],
    ["characters of UTF-32, turned round", Buffer.from("0000feff0000004800000069", "hex"), "it is encoded in UTF-32"],
    ["nothing", Buffer.alloc(0), "it contains no text"],
    ["blanks only", Buffer.from(" \n\t\n"), "it contains no text"],
    ["a picture", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "it is a PNG image"],
    ["an archive", Buffer.from("PK\x03\x04\0\0"), "it is a ZIP archive; unpack it"],
  ])("of a file with %s is none", async (_, source, reason) => {
    await expect(read("a.md", source)).rejects.toThrow(reason);
  });
});
