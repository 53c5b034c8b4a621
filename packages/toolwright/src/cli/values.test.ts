import { expect, test } from "vitest";
import { kindsOf, readValue } from "./values.js";

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
