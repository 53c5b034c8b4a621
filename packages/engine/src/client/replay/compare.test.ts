import { describe, expect, test } from "vitest";
import type { Json } from "../../jsonrpc/json.js";
import { Comparison } from "./compare.js";

const compare = (recorded: Json, now: Json, ...ignore: string[]) =>
  new Comparison("[redacted]", ignore)
    .compare(recorded, now)
    .map(({ path, recorded: was, now: is }) => [path, was, is]);

describe("values", () => {
  test("that are the same have no differences", () => {
    expect(compare({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toEqual([]);
  });

  test("differ where they differ, and by what is missing on either side", () => {
    expect(compare({ a: 1, b: [1, 2], c: true }, { a: "1", b: [1], d: 0 })).toEqual([
      ["a", 1, "1"],
      ["b.1", 2, undefined],
      ["c", true, undefined],
      ["d", undefined, 0],
    ]);
  });

  test("in lists go by their names", () => {
    const tools = (...names: string[]) => ({ tools: names.map((name) => ({ name, title: name.toUpperCase() })) });
    expect(compare(tools("a", "b"), tools("b"))).toEqual([["tools.a", { name: "a", title: "A" }, undefined]]);
  });

  test("with the same name twice go by their places", () => {
    expect(compare([{ name: "a" }, { name: "a" }], [{ name: "a" }, { name: "b" }])).toEqual([["1.name", "a", "b"]]);
  });

  test("that are JSON inside of a text are compared as such", () => {
    expect(compare({ text: '{"a":1,"b":2}' }, { text: '{"b":2, "a":3}' })).toEqual([["text.a", 1, 3]]);
  });

  test("named like parts of the language are values like any other", () => {
    const evil = JSON.parse('{"__proto__":{"x":1},"constructor":1}') as Json;
    expect(compare(evil, {}).map(([path]) => path)).toEqual(["__proto__", "constructor"]);
  });
});

describe("what was taken out", () => {
  test.each([
    ["[redacted]", "anything", true],
    ["[redacted]", "", true],
    ["key=[redacted]&x", "key=abc&x", true],
    ["key=[redacted]&x", "key=abc&y", false],
    ["[redacted] and [redacted]", "a and b", true],
    ["[redacted] and [redacted]", "a or b", false],
    ["aa[redacted]aa", "aaa", false],
  ])("%s fits %s: %s", (recorded, now, fits) => {
    expect(compare(recorded, now).length === 0).toBe(fits);
  });

  test("may have been no text at all", () => {
    expect(compare({ token: "[redacted]" }, { token: { a: 1 } })).toEqual([]);
  });

  test("is found at any depth", () => {
    const comparison = new Comparison("[redacted]", []);
    expect(comparison.isRedacted({ a: [{ b: "Bearer [redacted]" }] })).toBe(true);
    expect(comparison.isRedacted({ a: [{ b: "Bearer" }], c: null, d: 1 })).toBe(false);
  });
});

describe("ids", () => {
  const old = "0a1b2c3d-0000-4000-8000-000000000001";
  const young = "0a1b2c3d-0000-4000-8000-000000000002";

  test("are learnt, told once, and put in the place of those that were recorded", () => {
    const comparison = new Comparison("[redacted]", []);
    expect(comparison.compare({ id: old }, { id: young })).toHaveLength(1);
    expect(comparison.compare({ id: old }, { id: young })).toEqual([]);
    expect(comparison.renew({ list: [{ id: old }], other: "x" })).toEqual({ list: [{ id: young }], other: "x" });
  });

  test("that name a thing in a list are told no more", () => {
    const comparison = new Comparison("[redacted]", []);
    comparison.compare({ uri: `note://${old}` }, { uri: `note://${young}` });
    const listOf = (uri: string, text: string) => ({ contents: [{ uri: `note://${uri}`, text }] });
    expect(comparison.compare(listOf(old, "milk"), listOf(young, "milk"))).toEqual([]);
    expect(comparison.compare(listOf(old, "milk"), listOf(young, "eggs"))).toEqual([
      { path: `contents.note://${young}.text`, recorded: "milk", now: "eggs" },
    ]);
  });

  test("are learnt from what is ignored too", () => {
    const comparison = new Comparison("[redacted]", ["task"]);
    expect(comparison.compare({ task: { id: old } }, { task: { id: young } })).toEqual([]);
    expect(comparison.renew(old)).toBe(young);
  });

  test.each(["deployed", "short-1", "2026-01-01T00:00:00Z", "two words 12"])("%s is none", (text) => {
    const comparison = new Comparison("[redacted]", []);
    comparison.compare({ a: text }, { a: young });
    expect(comparison.renew(text)).toBe(text);
  });
});
