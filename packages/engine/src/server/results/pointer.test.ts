import { describe, expect, test } from "vitest";
import { memoryBody } from "./body.js";
import { findPointer } from "./pointer.js";
import { shapeOf } from "./shape.js";

const value = {
  "": { "": 0 },
  "a/b~c": [[], {}, [[1, -2.5e-3], ']}"\\'], null],
  'quote"back\\slash\u0001': { "é😀": "\ud83d", __proto__x: true },
  0: false,
  last: [{ deep: { deeper: { deepest: ["x"] } } }],
};

/** Every value inside, by its pointer. */
function* pointersOf(inner: unknown, path = ""): Generator<[string, unknown]> {
  yield [path, inner];
  if (typeof inner !== "object" || inner === null) return;
  for (const [key, next] of Object.entries(inner))
    yield* pointersOf(next, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

describe.each([
  ["compact", JSON.stringify(value)],
  ["spread out", ` ${JSON.stringify(value, undefined, "\t")}\r\n`],
])("in %s JSON", (_, text) => {
  const buffer = Buffer.from(text);
  test.each([...pointersOf(JSON.parse(text))])("%j leads to its value", async (pointer, wanted) => {
    const { from, to } = await findPointer(memoryBody(buffer), pointer);
    expect(JSON.parse(buffer.toString("utf8", from, to))).toEqual(wanted);
  });
});

test("a pointer is found far behind a key that lies across slices", async () => {
  const key = "k".repeat(100);
  const text = JSON.stringify({ filler: "x".repeat(1024 * 1024 - 70), [key]: { y: 7 } });
  const found = await findPointer(memoryBody(Buffer.from(text)), `/${key}/y`);
  expect(text.slice(found.from, found.to)).toBe("7");
});

describe("the shape", () => {
  const shape = async (given: unknown) => (await shapeOf(memoryBody(Buffer.from(JSON.stringify(given)))))?.words;

  test("names at most 24 keys of an object", async () => {
    const keys = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at]));
    expect(await shape(keys)).toMatch(/"k23": number, and 6 more keys\}$/);
  });

  test("has long names and many words cut", async () => {
    expect(await shape({ ["n".repeat(100)]: 1 })).toBe(`object {"${"n".repeat(64)}…": number}`);
    const wide = Array.from({ length: 24 }, (_, at) => [`${at}${"w".repeat(60)}`, { ["v".repeat(60)]: 1, b: 2 }]);
    expect(await shape(Object.fromEntries(wide))).toHaveLength(2001);
  });

  test("of lists in lists is that of the first ones", async () => {
    expect(await shape([[[{ a: [{ b: { c: 1 } }] }]]])).toBe(
      'array of 1, the first: array of 1, the first: array of 1, the first: object {"a": array of 1, the first: object {"b": object with 1 key}}',
    );
  });

  test.each([
    ["text", "string of 6 bytes"],
    [true, "boolean"],
    [[], "empty array"],
    [{}, "empty object"],
  ])("of %j is told in words", async (given, words) => {
    expect(await shape(given)).toBe(words);
  });
});
