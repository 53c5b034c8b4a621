import { expect, test } from "vitest";
import { findMirroredArguments, getValueAtPath } from "../../src/server/features/mirrored-headers.js";

test("mirrored arguments are found in properties at any depth, and nowhere else", () => {
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
  expect(findMirroredArguments(schema)).toEqual([
    { path: ["a"], displayPath: "a", header: "Mcp-Param-A", key: "mcp-param-a" },
    { path: ["b", "c"], displayPath: "b.c", header: "Mcp-Param-C", key: "mcp-param-c" },
    { path: ["b", "d", "e"], displayPath: "b.d.e", header: "Mcp-Param-E", key: "mcp-param-e" },
  ]);
  expect(findMirroredArguments({ type: "object" })).toEqual([]);
});

test("a value is found by own properties only", () => {
  const given = { a: 0, b: { c: null, d: "x" }, e: ["y"] };
  expect(getValueAtPath(given, ["a"])).toBe(0);
  expect(getValueAtPath(given, ["b", "c"])).toBeNull();
  expect(getValueAtPath(given, ["b", "d"])).toBe("x");
  for (const path of [
    ["z"],
    ["a", "b"],
    ["b", "c", "d"],
    ["b", "d", "length"],
    ["e", "0"],
    ["constructor"],
    ["__proto__"],
  ])
    expect(getValueAtPath(given, path), path.join(".")).toBeUndefined();
  expect(getValueAtPath("text", ["length"])).toBeUndefined();
  expect(getValueAtPath(undefined, ["a"])).toBeUndefined();
});
