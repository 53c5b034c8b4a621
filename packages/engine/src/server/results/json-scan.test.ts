import { describe, expect, test } from "vitest";
import { JsonScan, type JsonVisitor } from "./json-scan.js";

/** What a visitor hears that follows so many levels, with the text cut into pieces of this size. */
function hear(text: string, piece: number, levels: number): { heard: string[]; isWhole: boolean } {
  const bytes = Buffer.from(text);
  const heard: string[] = [];
  const open: number[] = [];
  const visitor: JsonVisitor = {
    enter(kind, at, name) {
      heard.push(`${kind} ${name ?? ""}`.trim());
      open.push(at);
      return open.length <= levels;
    },
    leave(end, members) {
      heard.push(`${bytes.toString("utf8", open.pop(), end)} ${members}`);
      return false;
    },
  };
  const scan = new JsonScan(visitor);
  for (let at = 0; at < bytes.length; at += piece) scan.push(bytes.subarray(at, at + piece));
  scan.end();
  return { heard, isWhole: scan.isWhole };
}

const text = '{"a\\"é":[1, {"x":"}"}], "b" : "q\\\\", "c":{}, "d":-1.5e3 }';

describe("the values of a JSON text", () => {
  test.each([1, 2, 3, 7, 1000])("are told alike in pieces of %i bytes", (piece) => {
    expect(hear(text, piece, 2)).toEqual({
      heard: [
        "object",
        'array a"é',
        "number 0",
        "1 0",
        "object 1",
        '{"x":"}"} 1',
        '[1, {"x":"}"}] 2',
        "string b",
        '"q\\\\" 0',
        "object c",
        "{} 0",
        "number d",
        "-1.5e3 0",
        `${text} 4`,
      ],
      isWhole: true,
    });
  });

  test("are told only as deep as they are followed", () => {
    expect(hear(text, 1000, 0).heard).toEqual(["object", `${text} 4`]);
  });

  test.each(["null", "12", '"x"', " [] ", "[[[[]]]]", '{"a":{"b":[true,false]}}'])("%s is one", (one) => {
    expect(hear(one, 1, 9).isWhole).toBe(true);
  });

  test.each([
    "",
    "[1,]",
    '{"a":1,}',
    "[1 2]",
    '{"a" 1}',
    "{1:2}",
    '{"a"}',
    "[}",
    "]",
    "[1]]",
    "[1] x",
    "x",
    '["a',
    "[,1]",
    '{"\\x":1}',
  ])("%j is none", (none) => {
    expect(hear(none, 1, 9).isWhole).toBe(false);
  });

  test("end where the visitor has heard enough", () => {
    let left = 0;
    const scan = new JsonScan({ enter: () => true, leave: () => (left += 1) === 1 });
    scan.push(Buffer.from("[1]"));
    expect([left, scan.isDone]).toEqual([1, true]);
  });
});
