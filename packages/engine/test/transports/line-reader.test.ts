import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineReader } from "../../src/transports/line-framing.js";

/** What a reader emits, in order: the text of a line, or an error message. */
function read(chunks: readonly Uint8Array[], maxBytes = 1000): string[] {
  const received: string[] = [];
  const reader = new LineReader(maxBytes, {
    isBackpressured: false,
    onLine: (text) => void received.push(text),
    onError: ({ code, message, id }) => void received.push(`${code} ${message} id=${JSON.stringify(id) ?? "none"}`),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return received;
}

/** The same with a sink that holds back after each line. */
function readInSteps(chunks: readonly Uint8Array[], maxBytes: number): string[] {
  const received: string[] = [];
  let isFull = false;
  const receive = (text: string): void => {
    received.push(text);
    isFull = true;
  };
  const reader = new LineReader(maxBytes, {
    get isBackpressured() {
      return isFull;
    },
    onLine: receive,
    onError: ({ code, message, id }) => receive(`${code} ${message} id=${JSON.stringify(id) ?? "none"}`),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  while (reader.hasPending) {
    isFull = false;
    reader.resume();
  }
  return received;
}

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

/** One byte per chunk. */
const crumble = (whole: Buffer): Buffer[] => [...whole].map((byte) => Buffer.from([byte]));

describe("LineReader", () => {
  test("emits a line for each newline [STD-01]", () => {
    expect(read([bytes('{"a":1}\n{"b":2}\n')])).toEqual(['{"a":1}', '{"b":2}']);
  });

  test("emits the same line wherever a chunk ends, also inside a character [STD-01]", () => {
    const line = '{"euro":"€","clef":"𝄞","e":"é"}';
    const whole = bytes(line, [10], "[2]\n");
    for (let cut = 0; cut <= whole.length; cut += 1) {
      expect(read([whole.subarray(0, cut), whole.subarray(cut)]), `cut at ${cut}`).toEqual([line, "[2]"]);
    }
    expect(read(crumble(whole))).toEqual([line, "[2]"]);
  });

  test("emits the lines of one chunk in order [STD-01]", () => {
    const numbers = Array.from({ length: 500 }, (_, at) => `${at}`);
    expect(read([bytes(numbers.join("\n"))])).toEqual(numbers);
  });

  test("joins the end of one chunk with the start of the next [STD-01]", () => {
    expect(read([bytes("[1"), bytes(",2]\n[3]\n[4"), bytes("]\n")])).toEqual(["[1,2]", "[3]", "[4]"]);
  });

  test("accepts CRLF, and ignores blank lines [STD-04]", () => {
    const received = read([bytes("\n\r\n  \t\r\n[1]\r\n\n\n[2]\r\n \n")]);
    expect(received.map((line) => JSON.parse(line))).toEqual([[1], [2]]);
    const crumbled = read(crumble(bytes("\n\r\n  \t\r\n[1]\r\n\n\n[2]\r\n \n")));
    expect(crumbled.map((line) => JSON.parse(line))).toEqual([[1], [2]]);
  });

  test("removes a byte order mark at the start only, however it is split [STD-04]", () => {
    const whole = bytes([0xef, 0xbb, 0xbf], '{"a":1}\n', [0xef, 0xbb, 0xbf], "[2]\n");
    const expected = ['{"a":1}', "\u{feff}[2]"];
    for (let cut = 0; cut <= whole.length; cut += 1) {
      expect(read([whole.subarray(0, cut), whole.subarray(cut)]), `cut at ${cut}`).toEqual(expected);
    }
    expect(read(crumble(whole))).toEqual(expected);
  });

  test("ignores a line with only a byte order mark [STD-04]", () => {
    expect(read([bytes([0xef, 0xbb, 0xbf, 10], "[1]\n")])).toEqual(["[1]"]);
  });

  test("emits what follows the last newline as a line [STD-01]", () => {
    expect(read([bytes("[1]\n[2]")])).toEqual(["[1]", "[2]"]);
    expect(read([bytes('{"half":')])).toEqual(['{"half":']);
    expect(read([])).toEqual([]);
    expect(read([bytes("[1]\n")])).toEqual(["[1]"]);
  });

  test("rejects only the line that is not UTF-8 [STD-04]", () => {
    const fault = "-32700 Parse error: the line is not valid UTF-8 id=none";
    for (const wrong of [
      [0xff],
      [0xc3],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
      [0x80],
    ]) {
      const whole = bytes('["é"]\n"', wrong, '"\n["ok"]\n');
      expect(read([whole]), String(wrong)).toEqual(['["é"]', fault, '["ok"]']);
      expect(read(crumble(whole)), String(wrong)).toEqual(['["é"]', fault, '["ok"]']);
    }
  });

  test("rejects a last line that ends inside a character", () => {
    expect(read([bytes("[1]\n", [0xe2, 0x82])])).toEqual([
      "[1]",
      "-32700 Parse error: the line is not valid UTF-8 id=none",
    ]);
  });

  test.each([8, 80, 800, 8_000])(
    "reads %i repetitions of characters that are not ASCII, in one chunk or in two",
    (times) => {
      const line = JSON.stringify("é€𝄞\u{feff}".repeat(times));
      const whole = bytes("\u{feff}[1]\n", line, "\n", line);
      expect(read([whole], 200_000)).toEqual(["[1]", line, line]);
      expect(read([whole.subarray(0, 15), whole.subarray(15)], 200_000)).toEqual(["[1]", line, line]);
    },
  );

  test("keeps NUL and control characters, which the parser rejects", () => {
    expect(read([bytes([0, 10, 1, 0x7f, 10])])).toEqual(["\0", "\u{1}\u{7f}"]);
  });
});

describe("a line in small chunks", () => {
  test("is copied, so that the chunks can be freed", () => {
    const line = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => at));
    const received: string[] = [];
    const reader = new LineReader(1_000_000, {
      isBackpressured: false,
      onLine: (text) => void received.push(text),
      onError: () => expect.fail(),
    });
    const chunk = Buffer.alloc(7);
    for (let at = 0; at < line.length; at += 7) reader.push(chunk.subarray(0, chunk.write(line.slice(at, at + 7))));
    reader.push(Buffer.from("\n"));
    expect(received).toEqual([line]);
  });

  test("is complete, whatever large ones come in between", () => {
    const sizes = [1, 20_000, 3, 40_000, 16_384, 16_383, 2, 16_385, 70_000, 5];
    const parts = sizes.map((size, at) => `${at}`.repeat(size));
    expect(read([...parts.map((part) => bytes(part)), bytes("\n[2]\n")], 1_000_000)).toEqual([parts.join(""), "[2]"]);
  });

  test("leaves nothing in the next one, however long either is", () => {
    const lines = [9, 40_000, 7, 1_500_000, 20_000, 3, 1_100_000, 5].map((size, at) => `${at}`.repeat(size));
    const chunks = lines.flatMap((line) => [
      bytes(line.slice(0, 2)),
      bytes(line.slice(2, 30_000)),
      bytes(line.slice(30_000), "\n"),
    ]);
    expect(read(chunks, 2_000_000)).toEqual(lines);
  });
});

describe("a sink with backpressure", () => {
  /** A sink with room for this many lines; `take` resumes with room for more. */
  function tightSink(room: number): { reader: LineReader; received: string[]; take: (more: number) => string[] } {
    const received: string[] = [];
    let left = room;
    const receive = (text: string): void => {
      left -= 1;
      received.push(text);
    };
    const reader = new LineReader(40, {
      get isBackpressured() {
        return left <= 0;
      },
      onLine: receive,
      onError: ({ code }) => receive(`${code}`),
    });
    const take = (more: number): string[] => {
      left = more;
      reader.resume();
      return received.splice(0);
    };
    return { reader, received, take };
  }

  test("gets no further line of the same chunk before resume", () => {
    const { reader, received, take } = tightSink(2);
    reader.push(bytes("[1]\n[2]\n[3]\n[4]\n[5"));
    expect(received.splice(0)).toEqual(["[1]", "[2]"]);
    expect(reader.hasPending).toBe(true);
    expect(take(1)).toEqual(["[3]"]);
    expect(reader.hasPending).toBe(true);
    expect(take(5)).toEqual(["[4]"]);
    expect(reader.hasPending).toBe(false);
    reader.push(bytes("]\n"));
    expect(received).toEqual(["[5]"]);
  });

  test("gets later chunks after it, in order", () => {
    const { reader, received, take } = tightSink(1);
    for (const chunk of ["[1]\n[2]\n[", "3]\n[4", "]\n"]) reader.push(bytes(chunk));
    expect(received.splice(0)).toEqual(["[1]"]);
    expect(take(2)).toEqual(["[2]", "[3]"]);
    expect(take(9)).toEqual(["[4]"]);
  });

  test("gets everything after the end too, including an unterminated last line", () => {
    const { reader, received, take } = tightSink(1);
    reader.push(bytes("[1]\n[2]\n[3"));
    reader.end();
    expect(received.splice(0)).toEqual(["[1]"]);
    expect(take(1)).toEqual(["[2]"]);
    expect(take(1)).toEqual(["[3"]);
    expect(reader.hasPending).toBe(false);
    expect(take(9)).toEqual([]);
  });

  test("gets multi-byte lines and invalid lines once and in order", () => {
    const { reader, received, take } = tightSink(1);
    reader.push(bytes('["€"]\n["𝄞"]\n["é"]\n'));
    expect([...received.splice(0), ...take(1), ...take(1), ...take(1)]).toEqual(['["€"]', '["𝄞"]', '["é"]']);
    reader.push(bytes("[1]\n", [0xff], "\n", "x".repeat(41), "\n[2]\n"));
    expect([...received.splice(0), ...take(1), ...take(1), ...take(1)]).toEqual(["[1]", "-32700", "-32600", "[2]"]);
  });
});

describe("a line over the limit", () => {
  const tooLong = (size: number, maxBytes: number, id: string) =>
    `-32600 Invalid request: the message has ${size} bytes; the limit is ${maxBytes} id=${id}`;

  test("is rejected once with its size and the limit, and the next line is emitted", () => {
    const whole = bytes(`"${"x".repeat(40)}"\n[1]\n`);
    expect(read([whole], 41)).toEqual([tooLong(42, 41, "none"), "[1]"]);
    expect(read(crumble(whole), 41)).toEqual([tooLong(42, 41, "none"), "[1]"]);
    expect(read([whole.subarray(0, 20), whole.subarray(20)], 10)).toEqual([tooLong(42, 10, "none"), "[1]"]);
  });

  test("has the limit and the sizes in the error data", () => {
    const faults: unknown[] = [];
    const reader = new LineReader(4, {
      isBackpressured: false,
      onLine: () => undefined,
      onError: (error) => void faults.push(error.data),
    });
    reader.push(Buffer.from("[1,2]\n"));
    expect(faults).toEqual([{ limit: "messageBytes", bytes: 5, max: 4 }]);
  });

  test("is not one with exactly as many bytes", () => {
    const whole = bytes(`"${"é".repeat(20)}"\n`);
    expect(read([whole], 42)).toEqual([`"${"é".repeat(20)}"`]);
    expect(read(crumble(whole), 42)).toEqual([`"${"é".repeat(20)}"`]);
    expect(read([whole], 41)).toEqual([tooLong(42, 41, "none")]);
  });

  test("is found in a chunk that is longer than the limit", () => {
    expect(read([bytes(`[1]\n[2]\n"${"x".repeat(30)}"\n[3]\n`)], 16)).toEqual([
      "[1]",
      "[2]",
      tooLong(32, 16, "none"),
      "[3]",
    ]);
  });

  test("is rejected at the end of the input too", () => {
    expect(read([bytes("[1]\n"), bytes("x".repeat(30))], 16)).toEqual(["[1]", tooLong(30, 16, "none")]);
  });

  test("is one error even in a thousand chunks, and only its edges are kept", () => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const before = process.memoryUsage().arrayBuffers;
    const received: string[] = [];
    const reader = new LineReader(100_000, {
      isBackpressured: false,
      onLine: () => undefined,
      onError: ({ message }) => void received.push(message),
    });
    for (let at = 0; at < 1000; at += 1) reader.push(Buffer.from(chunk));
    expect(received).toEqual([]);
    reader.push(Buffer.from("\n"));
    expect(received).toEqual(["Invalid request: the message has 65536000 bytes; the limit is 100000"]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024 + 1_000_000);
  });

  const filler = "x".repeat(3000);
  test.each([
    ["a number at the front", `{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":"${filler}"}}`, "7"],
    ["a string at the front", `{"jsonrpc":"2.0","id":"a-7","method":"m","params":{"x":"${filler}"}}`, '"a-7"'],
    ["the first member", `{"id":0,"jsonrpc":"2.0","method":"m","params":{"x":"${filler}"}}`, "0"],
    ["the last member", `{"method":"m","params":{"x":"${filler}"},"jsonrpc":"2.0","id":12}`, "12"],
    ["before the last member", `{"method":"m","params":{"x":"${filler}"},"id":12,"jsonrpc":"2.0"}`, "12"],
    ["behind the params", `{"jsonrpc":"2.0","method":"m","params":{"x":"${filler}"},"id":3}`, "3"],
    ["spaced out", ` { "jsonrpc" : "2.0" , "id" : 4 , "method" : "m" , "params":{"x":"${filler}"}}`, "4"],
  ])("is rejected with its id when that is %s", (_where, line, id) => {
    expect(read([bytes(line, "\n")], 2000)).toEqual([tooLong(line.length, 2000, id)]);
    expect(read(crumble(bytes(line, "\n")), 2000)).toEqual([tooLong(line.length, 2000, id)]);
  });

  test.each([
    ["in the params only", `{"jsonrpc":"2.0","method":"m","params":{"x":"${filler}","id":5}}`],
    ["in a string only", `{"jsonrpc":"2.0","method":"m","params":{"x":"${filler},\\"id\\":5}"}}`],
    ["of a batch", `[{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"${filler}"}}]`],
    ["null", `{"jsonrpc":"2.0","id":null,"method":"m","params":{"x":"${filler}"}}`],
    ["a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"m","params":{"x":"${filler}"}}`],
    ["with leading zeros", `{"jsonrpc":"2.0","id":007,"method":"m","params":{"x":"${filler}"}}`],
    ["with a raw tab", `{"jsonrpc":"2.0","id":"a\tb","method":"m","params":{"x":"${filler}"}}`],
    ["that of an answer", `{"jsonrpc":"2.0","id":1,"result":{"x":"${filler}"}}`],
    ["that of an answer, at its end", `{"result":{"x":"${filler}"},"jsonrpc":"2.0","id":1}`],
    ["that of an answer with an error", `{"id":1,"jsonrpc":"2.0","error":{"code":1,"message":"${filler}"}}`],
  ])("is rejected without an id when there is one %s", (_where, line) => {
    expect(read([bytes(line, "\n")], 2000)).toEqual([tooLong(line.length, 2000, "none")]);
  });
});

describe("for any bytes", () => {
  const piece = fc.oneof(
    fc.constantFrom("\n", "\r\n", "\n\n", " ", "{}", '{"id":1}', '"é€𝄞"', "\u{feff}", "x".repeat(30)).map((text) => {
      return [...Buffer.from(text)];
    }),
    fc.uint8Array({ maxLength: 8 }).map((some) => [...some]),
  );
  const streams = fc.array(piece, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.flat()));

  test("any chunking gives the same lines and errors [STD-01]", () => {
    const cuts = fc.array(fc.nat(200), { maxLength: 12 });
    fc.assert(
      fc.property(streams, cuts, fc.constantFrom(5, 24, 1000), (whole, places, maxBytes) => {
        const ends = [...places.filter((at) => at < whole.length), whole.length].toSorted((a, b) => a - b);
        const chunks = ends.map((end, at) => whole.subarray(at === 0 ? 0 : ends[at - 1], end));
        const expected = read([whole], maxBytes);
        expect(read(chunks, maxBytes)).toEqual(expected);
        expect(read(crumble(whole), maxBytes)).toEqual(expected);
        expect(readInSteps(chunks, maxBytes)).toEqual(expected);
      }),
      { seed: 20_260_728, numRuns: 2000 },
    );
  });

  test("each non-blank line is emitted or rejected exactly once and in order", () => {
    fc.assert(
      fc.property(streams, (whole) => {
        const lines = whole.toString("latin1").split("\n");
        const texts = lines.map((line) => Buffer.from(line, "latin1"));
        const expected = texts.map((line) => (isUtf8(line) ? line.toString() : "refused"));
        const first = expected.findIndex((line) => line !== "refused");
        if (first !== -1) expected[first] = (expected[first] ?? "").replace(/^\u{feff}/u, "");
        const received = read([whole]).map((line) => (line.startsWith("-32700 ") ? "refused" : line));
        expect(received.filter((line) => line.trim() !== "")).toEqual(expected.filter((line) => line.trim() !== ""));
      }),
      { seed: 20_260_728, numRuns: 2000 },
    );
  });
});
