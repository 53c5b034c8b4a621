import { describe, expect, test } from "vitest";
import { Comparison } from "../../../src/client/replay/compare.js";
import type { Json } from "../../../src/jsonrpc/messages.js";

const compare = (recorded: Json, actual: Json, ...ignore: string[]) =>
  new Comparison("[redacted]", ignore)
    .compare(recorded, actual)
    .map((difference) => [difference.path, difference.recorded, difference.actual]);

describe("compared values", () => {
  test("that are equal have no differences", () => {
    expect(compare({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toEqual([]);
  });

  test("differ by changed, missing and added members", () => {
    expect(compare({ a: 1, b: [1, 2], c: true }, { a: "1", b: [1], d: 0 })).toEqual([
      ["a", 1, "1"],
      ["b.1", 2, undefined],
      ["c", true, undefined],
      ["d", undefined, 0],
    ]);
  });

  test("in lists are matched by name", () => {
    const tools = (...names: string[]) => ({ tools: names.map((name) => ({ name, title: name.toUpperCase() })) });
    expect(compare(tools("a", "b"), tools("b"))).toEqual([["tools.a", { name: "a", title: "A" }, undefined]]);
  });

  test("in lists with a duplicate name are matched by index", () => {
    expect(compare([{ name: "a" }, { name: "a" }], [{ name: "a" }, { name: "b" }])).toEqual([["1.name", "a", "b"]]);
  });

  test("that are JSON in a string are parsed", () => {
    expect(compare({ text: '{"a":1,"b":2}' }, { text: '{"b":2, "a":3}' })).toEqual([["text.a", 1, 3]]);
  });

  test("may be named __proto__ or constructor", () => {
    const evil = JSON.parse('{"__proto__":{"x":1},"constructor":1}') as Json;
    expect(compare(evil, {}).map(([path]) => path)).toEqual(["__proto__", "constructor"]);
  });
});

describe("redacted text", () => {
  test.each([
    ["[redacted]", "anything", true],
    ["[redacted]", "", true],
    ["key=[redacted]&x", "key=abc&x", true],
    ["key=[redacted]&x", "key=abc&y", false],
    ["[redacted] and [redacted]", "a and b", true],
    ["[redacted] and [redacted]", "a or b", false],
    ["aa[redacted]aa", "aaa", false],
  ])("%s matches %s: %s", (recorded, actual, matches) => {
    expect(compare(recorded, actual).length === 0).toBe(matches);
  });

  test("matches values that are not strings", () => {
    expect(compare({ token: "[redacted]" }, { token: { a: 1 } })).toEqual([]);
  });

  test("is found at any depth", () => {
    const comparison = new Comparison("[redacted]", []);
    expect(comparison.isRedacted({ a: [{ b: "Bearer [redacted]" }] })).toBe(true);
    expect(comparison.isRedacted({ a: [{ b: "Bearer" }], c: null, d: 1 })).toBe(false);
  });
});

describe("generated ids", () => {
  const recordedId = "0a1b2c3d-0000-4000-8000-000000000001";
  const actualId = "0a1b2c3d-0000-4000-8000-000000000002";

  test("are reported once, and replaced afterwards", () => {
    const comparison = new Comparison("[redacted]", []);
    expect(comparison.compare({ id: recordedId }, { id: actualId })).toHaveLength(1);
    expect(comparison.compare({ id: recordedId }, { id: actualId })).toEqual([]);
    expect(comparison.replaceIds({ list: [{ id: recordedId }], other: "x" })).toEqual({
      list: [{ id: actualId }],
      other: "x",
    });
  });

  test("that identify an item of a list are replaced", () => {
    const comparison = new Comparison("[redacted]", []);
    comparison.compare({ uri: `note://${recordedId}` }, { uri: `note://${actualId}` });
    const listOf = (uri: string, text: string) => ({ contents: [{ uri: `note://${uri}`, text }] });
    expect(comparison.compare(listOf(recordedId, "milk"), listOf(actualId, "milk"))).toEqual([]);
    expect(comparison.compare(listOf(recordedId, "milk"), listOf(actualId, "eggs"))).toEqual([
      { path: `contents.note://${actualId}.text`, recorded: "milk", actual: "eggs" },
    ]);
  });

  test("are learnt from ignored values too", () => {
    const comparison = new Comparison("[redacted]", ["task"]);
    expect(comparison.compare({ task: { id: recordedId } }, { task: { id: actualId } })).toEqual([]);
    expect(comparison.replaceIds(recordedId)).toBe(actualId);
  });

  test.each(["deployed", "short-1", "2026-01-01T00:00:00Z", "two words 12"])("do not include %s", (text) => {
    const comparison = new Comparison("[redacted]", []);
    comparison.compare({ a: text }, { a: actualId });
    expect(comparison.replaceIds(text)).toBe(text);
  });
});
