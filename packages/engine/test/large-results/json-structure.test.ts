import { describe, expect, test } from "vitest";
import { resolveJsonPointer, summarizeJson } from "../../src/server/features/large-results/json-structure.js";

const sample = {
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
  ["compact", JSON.stringify(sample)],
  ["indented", ` ${JSON.stringify(sample, undefined, "\t")}\r\n`],
])("in %s JSON", (_, text) => {
  test.each([...pointersOf(JSON.parse(text))])("%j finds its value", (pointer, expected) => {
    const { start, end } = resolveJsonPointer(text, pointer);
    expect(JSON.parse(text.slice(start, end))).toEqual(expected);
  });
});

test("a number keeps all its digits", () => {
  const text = "[12345678901234567890, 1.0]";
  const read = (pointer: string) => {
    const { start, end } = resolveJsonPointer(text, pointer);
    return text.slice(start, end);
  };
  expect([read("/0"), read("/1")]).toEqual(["12345678901234567890", "1.0"]);
});

test.each(["[1,]", '{"a":1,}', "[1 2]", "{1:2}", "[}", "[1]]", "[1] x", '["a', '{"\\x":1}', "[".repeat(1_000_000)])(
  "%.20s is not JSON",
  (text) => {
    expect(summarizeJson(text)).toBeUndefined();
  },
);

test("a text of more than 16 MiB is not parsed", () => {
  expect(summarizeJson(JSON.stringify(["x".repeat(16 * 1024 * 1024)]))).toBeUndefined();
});

describe("the structure", () => {
  const describeValue = (value: unknown) => summarizeJson(JSON.stringify(value))?.description;

  test("names at most 24 keys of an object", () => {
    const keys = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at]));
    expect(describeValue(keys)).toMatch(/"k23": number, and 6 more keys\}$/);
  });

  test("truncates long names and descriptions", () => {
    expect(describeValue({ ["n".repeat(100)]: 1 })).toBe(`object {"${"n".repeat(64)}…": number}`);
    const wide = Array.from({ length: 24 }, (_, at) => [`${at}${"w".repeat(60)}`, { ["v".repeat(60)]: 1, b: 2 }]);
    expect(describeValue(Object.fromEntries(wide))).toHaveLength(2001);
  });

  test("of nested arrays is that of their first elements", () => {
    expect(describeValue([[[{ a: [{ b: { c: 1 } }] }]]])).toBe(
      'array of 1, the first: array of 1, the first: array of 1, the first: object {"a": array of 1, the first: object {"b": object with 1 key}}',
    );
  });

  test.each([
    ["text", "string of 4 characters"],
    [true, "boolean"],
    [[], "empty array"],
    [{}, "empty object"],
  ])("of %j is described", (value, description) => {
    expect(describeValue(value)).toBe(description);
  });
});
