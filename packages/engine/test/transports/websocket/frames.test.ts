import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameReader } from "../../../src/transports/websocket/frames.js";

const MASK = Buffer.from([0x5a, 0xc3, 0x17, 0x8e]);

/** A frame of a client. */
function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([first, 0x80 | length])
      : length < 65_536
        ? Buffer.from([first, 0xfe, length >> 8, length & 255])
        : Buffer.from([first, 0xff, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255]);
  const masked = Buffer.from(payload).map((byte, at) => byte ^ (MASK[at & 3] as number));
  return Buffer.concat([head, MASK, masked]);
}

const text = (words: string) => frame(0x81, Buffer.from(words));

/** What a reader emits for these chunks, in order; adjacent forwarded bytes are joined. */
function read(chunks: readonly Buffer[], maxBytes = 1000): (string | undefined | Buffer)[] {
  const received: (string | undefined | Buffer)[] = [];
  const reader = new FrameReader(maxBytes, {
    onMessage: (words) => void received.push(words),
    onOtherBytes: (bytes) => {
      const last = received.at(-1);
      if (Buffer.isBuffer(last)) received[received.length - 1] = Buffer.concat([last, bytes]);
      else received.push(Buffer.from(bytes));
    },
  });
  // Copies, because masks are applied in place.
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return received;
}

describe("FrameReader", () => {
  test("emits short messages as text, however many are in a chunk", () => {
    const words = ["", "a", "ab", "abc", "abcd", "é€𝄞", "x".repeat(125), "y".repeat(126), "z".repeat(1000)];
    expect(read([Buffer.concat(words.map(text))])).toEqual(words);
  });

  test("emits undefined for a message that is not UTF-8", () => {
    expect(read([frame(0x81, Buffer.from([0xc3, 0x28]))])).toEqual([undefined]);
  });

  test("forwards all other frames: binary, fragmented and control", () => {
    const others = [
      frame(0x82, Buffer.from("binary")),
      frame(0x89, Buffer.from("ping")),
      Buffer.concat([frame(0x01, Buffer.from("be")), frame(0x8a, Buffer.alloc(0)), frame(0x80, Buffer.from("gun"))]),
    ];
    for (const other of others) expect(read([text("a"), other, text("b")])).toEqual(["a", other, "b"]);
  });

  test.each([
    ["is over the limit", text("x".repeat(1001))],
    ["has reserved bits", frame(0xc1, Buffer.from("reserved"))],
    ["is of no known kind", frame(0x83, Buffer.from("unknown"))],
    ["goes on with nothing", frame(0x80, Buffer.from("more"))],
    ["is a long ping", frame(0x89, Buffer.from("x".repeat(126)))],
    ["is a ping in parts", frame(0x09, Buffer.from("x"))],
    ["has no mask", Buffer.from([0x81, 1, 97])],
    ["begins inside another", Buffer.concat([frame(0x01, Buffer.from("a")), text("in between")])],
  ])("forwards everything after a frame that %s", (_what, wrong) => {
    const rest = text("never believed");
    expect(read([text("a"), Buffer.concat([wrong, rest])])).toEqual(["a", Buffer.concat([wrong, rest])]);
  });

  test("forwards a frame that a chunk splits, and continues after it", () => {
    const cut = text("a longer message");
    expect(read([cut.subarray(0, 12), Buffer.concat([cut.subarray(12), text("next")])])).toEqual([cut, "next"]);
    expect(read([cut.subarray(0, 3), cut.subarray(3)])).toEqual(["a longer message"]);
  });

  test("loses nothing and keeps the order, wherever chunks end", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }).map((words) => [text(words)]),
      fc.string({ maxLength: 20 }).map((words) => [frame(0x89, Buffer.from(words))]),
      fc.string({ maxLength: 20 }).map((words) => [frame(0x01, Buffer.from(words)), frame(0x80, Buffer.from(words))]),
      fc.constant([text("x".repeat(70_000))]),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(2000), { maxLength: 12 }), (pieces, places) => {
        const whole = Buffer.concat(pieces.flat());
        const ends = [...places.filter((at) => at < whole.length), whole.length].toSorted((a, b) => a - b);
        const chunks = ends.map((end, at) => whole.subarray(at === 0 ? 0 : ends[at - 1], end));
        const again = read(chunks).map((part) => (Buffer.isBuffer(part) ? part : text(part as string)));
        expect(Buffer.concat(again).equals(whole)).toBe(true);
      }),
      { seed: 20_260_728, numRuns: 500 },
    );
  });
});
