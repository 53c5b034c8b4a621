import { expect, test } from "vitest";
import { mirroredArguments, valueAt } from "./mirrored.js";

test("the arguments to repeat are found as deep as properties go, and nowhere else", () => {
  const header = (name: string) => ({ type: "string", "x-mcp-header": name });
  const schema = {
    type: "object",
    properties: {
      a: header("A"),
      "x-mcp-header": { type: "string" },
      b: { type: "object", properties: { c: header("C"), d: { properties: { e: header("E") } } } },
      f: { type: "object", default: header("F") },
    },
  };
  expect(mirroredArguments(schema)).toEqual([
    { path: ["a"], place: "a", header: "Mcp-Param-A", key: "mcp-param-a" },
    { path: ["b", "c"], place: "b.c", header: "Mcp-Param-C", key: "mcp-param-c" },
    { path: ["b", "d", "e"], place: "b.d.e", header: "Mcp-Param-E", key: "mcp-param-e" },
  ]);
  expect(mirroredArguments({ type: "object" })).toEqual([]);
});

test("a value is found by its own keys alone", () => {
  const given = { a: 0, b: { c: null, d: "x" }, e: ["y"] };
  expect(valueAt(given, ["a"])).toBe(0);
  expect(valueAt(given, ["b", "c"])).toBeNull();
  expect(valueAt(given, ["b", "d"])).toBe("x");
  for (const path of [
    ["z"],
    ["a", "b"],
    ["b", "c", "d"],
    ["b", "d", "length"],
    ["e", "0"],
    ["constructor"],
    ["__proto__"],
  ])
    expect(valueAt(given, path), path.join(".")).toBeUndefined();
  expect(valueAt("text", ["length"])).toBeUndefined();
  expect(valueAt(undefined, ["a"])).toBeUndefined();
});
