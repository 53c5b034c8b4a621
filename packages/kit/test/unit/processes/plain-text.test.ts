import { describe, expect, it } from "vitest";
import { PlainText } from "../../../src/processes/plain-text.js";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

function toPlainText(whole: Uint8Array): string {
  const plain = new PlainText();
  return plain.add(whole) + plain.end();
}

describe("plain text", () => {
  it.each([
    ["colours", "\u001b[31mred\u001b[0m", "red"],
    ["links", "\u001b]8;;http://x\u0007text\u001b]8;;\u0007", "text"],
    ["line ends", "a\r\nb\rc\n", "a\nb\nc\n"],
    ["controls", "a\u0000b\u0007c\td", "abc\td"],
    ["wrong bytes", "a\xffb", "a\ufffdb"],
    ["a lonely escape at the end", "a\u001b", "a"],
  ])("cleans %s", (_what, given, expected) => {
    expect(toPlainText(bytes(given))).toBe(expected);
  });

  it("gives the same however the bytes are cut into pieces", () => {
    const whole = Buffer.from("x\u001b[1;31mred\u001b[0m €\r\nnext\rend \u001b]0;title\u0007done 😀");
    for (let size = 1; size < 12; size += 1) {
      const plain = new PlainText();
      let text = "";
      for (let at = 0; at < whole.length; at += size) text += plain.add(whole.subarray(at, at + size));
      expect([size, text + plain.end()]).toEqual([size, "xred €\nnext\nend done 😀"]);
    }
  });

  it("does not wait for ever for an escape sequence that never ends", () => {
    const plain = new PlainText();
    plain.add(bytes("\u001b]0;"));
    let text = "";
    for (let at = 0; at < 20; at += 1) text += plain.add(bytes("y".repeat(100)));
    expect(text.length).toBeGreaterThan(1000);
  });
});
