import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineReader } from "./lines.js";

/** What a reader made of its bytes, in order: the text of a line, or the words of a refusal. */
function read(chunks: readonly Uint8Array[], most = 1000): string[] {
  const heard: string[] = [];
  const reader = new LineReader(most, {
    isFull: false,
    line: (text) => void heard.push(text),
    fault: ({ code, message, id }) => void heard.push(`${code} ${message} id=${JSON.stringify(id) ?? "none"}`),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return heard;
}

/** The same through a sink that is full after each line. */
function readInSteps(chunks: readonly Uint8Array[], most: number): string[] {
  const heard: string[] = [];
  let isFull = false;
  const hear = (text: string): void => {
    heard.push(text);
    isFull = true;
  };
  const reader = new LineReader(most, {
    get isFull() {
      return isFull;
    },
    line: hear,
    fault: ({ code, message, id }) => hear(`${code} ${message} id=${JSON.stringify(id) ?? "none"}`),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  while (reader.isWaiting) {
    isFull = false;
    reader.resume();
  }
  return heard;
}

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

/** One byte a chunk. */
const crumble = (whole: Buffer): Buffer[] => [...whole].map((byte) => Buffer.from([byte]));

describe("a reader of lines", () => {
  test("gives a line for each newline [STD-01]", () => {
    expect(read([bytes('{"a":1}\n{"b":2}\n')])).toEqual(['{"a":1}', '{"b":2}']);
  });

  test("gives the same line wherever a chunk ends, also inside a character [STD-01]", () => {
    const line = '{"euro":"€","clef":"𝄞","e":"é"}';
    const whole = bytes(line, [10], "[2]\n");
    for (let cut = 0; cut <= whole.length; cut += 1) {
      expect(read([whole.subarray(0, cut), whole.subarray(cut)]), `cut at ${cut}`).toEqual([line, "[2]"]);
    }
    expect(read(crumble(whole))).toEqual([line, "[2]"]);
  });

  test("gives many lines of one chunk in their order [STD-01]", () => {
    const numbers = Array.from({ length: 500 }, (_, at) => `${at}`);
    expect(read([bytes(numbers.join("\n"))])).toEqual(numbers);
  });

  test("leaves the end of one chunk and the start of the next together, and whole lines between them [STD-01]", () => {
    expect(read([bytes("[1"), bytes(",2]\n[3]\n[4"), bytes("]\n")])).toEqual(["[1,2]", "[3]", "[4]"]);
  });

  test("bears CRLF, and passes over blank lines [STD-04]", () => {
    const heard = read([bytes("\n\r\n  \t\r\n[1]\r\n\n\n[2]\r\n \n")]);
    expect(heard.map((line) => JSON.parse(line))).toEqual([[1], [2]]);
    const crumbled = read(crumble(bytes("\n\r\n  \t\r\n[1]\r\n\n\n[2]\r\n \n")));
    expect(crumbled.map((line) => JSON.parse(line))).toEqual([[1], [2]]);
  });

  test("drops a byte order mark at the start, however it is cut, and only there [STD-04]", () => {
    const whole = bytes([0xef, 0xbb, 0xbf], '{"a":1}\n', [0xef, 0xbb, 0xbf], "[2]\n");
    const expected = ['{"a":1}', "\u{feff}[2]"];
    for (let cut = 0; cut <= whole.length; cut += 1) {
      expect(read([whole.subarray(0, cut), whole.subarray(cut)]), `cut at ${cut}`).toEqual(expected);
    }
    expect(read(crumble(whole))).toEqual(expected);
  });

  test("passes over a line that is a byte order mark alone [STD-04]", () => {
    expect(read([bytes([0xef, 0xbb, 0xbf, 10], "[1]\n")])).toEqual(["[1]"]);
  });

  test("takes what stands after the last newline for a line [STD-01]", () => {
    expect(read([bytes("[1]\n[2]")])).toEqual(["[1]", "[2]"]);
    expect(read([bytes('{"half":')])).toEqual(['{"half":']);
    expect(read([])).toEqual([]);
    expect(read([bytes("[1]\n")])).toEqual(["[1]"]);
  });

  test("refuses a line that is not UTF-8, and only that line [STD-04]", () => {
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

  test("refuses a last line that ends inside a character", () => {
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

  test("keeps a NUL byte and other controls in the line, for the parser to refuse", () => {
    expect(read([bytes([0, 10, 1, 0x7f, 10])])).toEqual(["\0", "\u{1}\u{7f}"]);
  });
});

describe("a line in small chunks", () => {
  test("is copied, so that it holds none of them", () => {
    const line = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => at));
    const heard: string[] = [];
    const reader = new LineReader(1_000_000, {
      isFull: false,
      line: (text) => void heard.push(text),
      fault: () => expect.fail(),
    });
    const chunk = Buffer.alloc(7);
    for (let at = 0; at < line.length; at += 7) reader.push(chunk.subarray(0, chunk.write(line.slice(at, at + 7))));
    reader.push(Buffer.from("\n"));
    expect(heard).toEqual([line]);
  });

  test("is whole, whatever large ones stand between them", () => {
    const sizes = [1, 20_000, 3, 40_000, 16_384, 16_383, 2, 16_385, 70_000, 5];
    const parts = sizes.map((size, at) => `${at}`.repeat(size));
    expect(read([...parts.map((part) => bytes(part)), bytes("\n[2]\n")], 1_000_000)).toEqual([parts.join(""), "[2]"]);
  });

  test("leaves nothing of itself in the next one, however long either is", () => {
    const lines = [9, 40_000, 7, 1_500_000, 20_000, 3, 1_100_000, 5].map((size, at) => `${at}`.repeat(size));
    const chunks = lines.flatMap((line) => [
      bytes(line.slice(0, 2)),
      bytes(line.slice(2, 30_000)),
      bytes(line.slice(30_000), "\n"),
    ]);
    expect(read(chunks, 2_000_000)).toEqual(lines);
  });
});

describe("a sink that is full", () => {
  /** A sink that has room for so many lines; `take` reads on with room for more. */
  function tightSink(room: number): { reader: LineReader; heard: string[]; take: (more: number) => string[] } {
    const heard: string[] = [];
    let left = room;
    const hear = (text: string): void => {
      left -= 1;
      heard.push(text);
    };
    const reader = new LineReader(40, {
      get isFull() {
        return left <= 0;
      },
      line: hear,
      fault: ({ code }) => hear(`${code}`),
    });
    const take = (more: number): string[] => {
      left = more;
      reader.resume();
      return heard.splice(0);
    };
    return { reader, heard, take };
  }

  test("gets no further line of the same chunk before it has room", () => {
    const { reader, heard, take } = tightSink(2);
    reader.push(bytes("[1]\n[2]\n[3]\n[4]\n[5"));
    expect(heard.splice(0)).toEqual(["[1]", "[2]"]);
    expect(reader.isWaiting).toBe(true);
    expect(take(1)).toEqual(["[3]"]);
    expect(reader.isWaiting).toBe(true);
    expect(take(5)).toEqual(["[4]"]);
    expect(reader.isWaiting).toBe(false);
    reader.push(bytes("]\n"));
    expect(heard).toEqual(["[5]"]);
  });

  test("gets the chunks that come meanwhile after it, in order", () => {
    const { reader, heard, take } = tightSink(1);
    for (const chunk of ["[1]\n[2]\n[", "3]\n[4", "]\n"]) reader.push(bytes(chunk));
    expect(heard.splice(0)).toEqual(["[1]"]);
    expect(take(2)).toEqual(["[2]", "[3]"]);
    expect(take(9)).toEqual(["[4]"]);
  });

  test("gets everything after the end too, with what stands behind the last newline", () => {
    const { reader, heard, take } = tightSink(1);
    reader.push(bytes("[1]\n[2]\n[3"));
    reader.end();
    expect(heard.splice(0)).toEqual(["[1]"]);
    expect(take(1)).toEqual(["[2]"]);
    expect(take(1)).toEqual(["[3"]);
    expect(reader.isWaiting).toBe(false);
    expect(take(9)).toEqual([]);
  });

  test("gets lines with long characters and lines at fault once and in order", () => {
    const { reader, heard, take } = tightSink(1);
    reader.push(bytes('["€"]\n["𝄞"]\n["é"]\n'));
    expect([...heard.splice(0), ...take(1), ...take(1), ...take(1)]).toEqual(['["€"]', '["𝄞"]', '["é"]']);
    reader.push(bytes("[1]\n", [0xff], "\n", "x".repeat(41), "\n[2]\n"));
    expect([...heard.splice(0), ...take(1), ...take(1), ...take(1)]).toEqual(["[1]", "-32700", "-32600", "[2]"]);
  });
});

describe("a line over the limit", () => {
  const tooLong = (size: number, most: number, id: string) =>
    `-32600 Invalid request: the message has ${size} bytes; the limit is ${most} id=${id}`;

  test("is refused once with both sizes, and the next line is served", () => {
    const whole = bytes(`"${"x".repeat(40)}"\n[1]\n`);
    expect(read([whole], 41)).toEqual([tooLong(42, 41, "none"), "[1]"]);
    expect(read(crumble(whole), 41)).toEqual([tooLong(42, 41, "none"), "[1]"]);
    expect(read([whole.subarray(0, 20), whole.subarray(20)], 10)).toEqual([tooLong(42, 10, "none"), "[1]"]);
  });

  test("names its limit and both sizes for programs", () => {
    const faults: unknown[] = [];
    const reader = new LineReader(4, {
      isFull: false,
      line: () => undefined,
      fault: (error) => void faults.push(error.data),
    });
    reader.push(Buffer.from("[1,2]\n"));
    expect(faults).toEqual([{ limit: "messageBytes", bytes: 5, most: 4 }]);
  });

  test("is no line that has exactly as many bytes", () => {
    const whole = bytes(`"${"é".repeat(20)}"\n`);
    expect(read([whole], 42)).toEqual([`"${"é".repeat(20)}"`]);
    expect(read(crumble(whole), 42)).toEqual([`"${"é".repeat(20)}"`]);
    expect(read([whole], 41)).toEqual([tooLong(42, 41, "none")]);
  });

  test("is found among others in one chunk that is longer than the limit itself", () => {
    expect(read([bytes(`[1]\n[2]\n"${"x".repeat(30)}"\n[3]\n`)], 16)).toEqual([
      "[1]",
      "[2]",
      tooLong(32, 16, "none"),
      "[3]",
    ]);
  });

  test("is refused at the end of the input, too", () => {
    expect(read([bytes("[1]\n"), bytes("x".repeat(30))], 16)).toEqual(["[1]", tooLong(30, 16, "none")]);
  });

  test("is one refusal even when it comes in a thousand chunks, and holds no more than its edges", () => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const before = process.memoryUsage().arrayBuffers;
    const heard: string[] = [];
    const reader = new LineReader(100_000, {
      isFull: false,
      line: () => undefined,
      fault: ({ message }) => void heard.push(message),
    });
    for (let at = 0; at < 1000; at += 1) reader.push(Buffer.from(chunk));
    expect(heard).toEqual([]);
    reader.push(Buffer.from("\n"));
    expect(heard).toEqual(["Invalid request: the message has 65536000 bytes; the limit is 100000"]);
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
  ])("is refused with its id when that is %s", (_where, line, id) => {
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
  ])("is refused without an id when there is one %s", (_where, line) => {
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

  test("any cutting gives the same lines and the same refusals [STD-01]", () => {
    const cuts = fc.array(fc.nat(200), { maxLength: 12 });
    fc.assert(
      fc.property(streams, cuts, fc.constantFrom(5, 24, 1000), (whole, places, most) => {
        const ends = [...places.filter((at) => at < whole.length), whole.length].toSorted((a, b) => a - b);
        const chunks = ends.map((end, at) => whole.subarray(at === 0 ? 0 : ends[at - 1], end));
        const expected = read([whole], most);
        expect(read(chunks, most)).toEqual(expected);
        expect(read(crumble(whole), most)).toEqual(expected);
        expect(readInSteps(chunks, most)).toEqual(expected);
      }),
      { seed: 20_260_728, numRuns: 2000 },
    );
  });

  test("each line that is not blank is given or refused, exactly once and in order", () => {
    fc.assert(
      fc.property(streams, (whole) => {
        const lines = whole.toString("latin1").split("\n");
        const texts = lines.map((line) => Buffer.from(line, "latin1"));
        const expected = texts.map((line) => (isUtf8(line) ? line.toString() : "refused"));
        const first = expected.findIndex((line) => line !== "refused");
        if (first !== -1) expected[first] = (expected[first] ?? "").replace(/^\u{feff}/u, "");
        const heard = read([whole]).map((line) => (line.startsWith("-32700 ") ? "refused" : line));
        expect(heard.filter((line) => line.trim() !== "")).toEqual(expected.filter((line) => line.trim() !== ""));
      }),
      { seed: 20_260_728, numRuns: 2000 },
    );
  });
});
