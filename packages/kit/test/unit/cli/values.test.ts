import { expect, test } from "vitest";
import { kindsOf, kindWord, readValue, resolve } from "../../../src/cli/values.js";

test.each([
  [{ type: "integer" }, ["integer"]],
  [{ type: ["string", "null"] }, ["string", "null"]],
  [{ enum: ["a", "b", 1, null] }, ["string", "number", "null"]],
  [{ const: true }, ["boolean"]],
  [{ anyOf: [{ type: "string" }, { type: "array" }, { type: "string" }] }, ["string", "array"]],
  [{ $ref: "#/$defs/a~1b" }, ["object"]],
  [{ $ref: "#/$defs/circle" }, []],
  [{ $ref: "https://elsewhere.example" }, []],
  [{ description: "anything" }, []],
])("kindsOf %j", (schema, kinds) => {
  const root = { $defs: { "a/b": { type: "object" }, circle: { $ref: "#/$defs/circle" } } };
  expect(kindsOf(schema, root)).toEqual(kinds);
});

test.each([
  ["5", ["string"], "5"],
  ["5", ["integer"], 5],
  ["5", ["string", "integer"], 5],
  ["007", ["string", "integer"], "007"],
  ["-1.5e3", ["number"], -1500],
  ["5.5", ["integer"], undefined],
  ["", ["number"], undefined],
  ["true", ["boolean"], true],
  ["yes", ["boolean"], undefined],
  ["null", ["number", "null"], null],
  ["null", ["string", "null"], "null"],
  ['["a"]', ["string", "array"], ["a"]],
  ['["a"', ["string", "array"], '["a"'],
  ['{"a":1}', ["array"], undefined],
  ['{"a":1}', ["object"], { a: 1 }],
  ['"5"', ["number"], undefined],
  ["5", [], "5"],
])("%j as %j is %j", (text, kinds, value) => {
  expect(readValue(text, kinds)).toEqual(value);
});

test.each([
  [{ type: "string" }, "string"],
  [{ enum: ["a", "b"] }, "a|b"],
  [{ type: ["integer", "null"] }, "integer"],
  [{ type: "array", items: { type: "string" } }, "string[]"],
  [{ type: "array", items: { enum: ["a", "b"] } }, "(a|b)[]"],
  [{ $ref: "#/$defs/mode" }, "x|y"],
  [{}, ""],
])("kindWord %j", (schema, word) => {
  expect(kindWord(schema, { $defs: { mode: { enum: ["x", "y"] } } })).toBe(word);
});

test("a reference is followed, and what stands beside it is stronger", () => {
  const root = { $defs: { a: { type: "string", description: "of a" }, circle: { $ref: "#/$defs/circle" } } };
  expect(resolve({ $ref: "#/$defs/a", description: "here" }, root)).toEqual({ type: "string", description: "here" });
  expect(resolve({ $ref: "#/$defs/circle" }, root)).toEqual({});
});
