import { describe, expect, test } from "vitest";
import { describeField, type Field, fieldsOf, promptOf, readField } from "../../../src/terminal/field.js";

const field = (schema: Field["schema"], isRequired = false): Field => ({ name: "it", schema, isRequired });

const titled = field({ oneOf: [{ const: "s", title: "Small" }, { const: "l" }], default: "s" });
const named = field({ type: "string", enum: ["s", "2"], enumNames: ["Small", "Large"] });
const several = field({ type: "array", items: { enum: ["a", "b"] }, minItems: 1, default: ["a", "b"] });

test("a form has its fields in order", () => {
  expect(fieldsOf({ type: "object", properties: { b: { type: "string" }, a: {} }, required: ["a"] })).toEqual([
    { name: "b", schema: { type: "string" }, isRequired: false },
    { name: "a", schema: {}, isRequired: true },
  ]);
  expect(fieldsOf({})).toEqual([]);
});

test.each([
  [field({ type: "string" }, true), [], "it*: "],
  [field({ type: "string", format: "email", title: "Mail", description: "Yours." }), ["Mail: Yours."], "it (email): "],
  [field({ type: "boolean", default: false }), [], "it (yes or no) [no]: "],
  [field({ type: "integer", default: 0 }), [], "it (a whole number) [0]: "],
  [titled, ["  1  s (Small)", "  2  l"], "it [s]: "],
  [named, ["  1  s (Small)", "  2  2 (Large)"], "it: "],
  [several, ["  1  a", "  2  b"], "it (several, separated by commas) [a, b]: "],
])("%j is asked for", (asked, lines, words) => {
  expect([describeField(asked), promptOf(asked)]).toEqual([lines, words]);
});

describe("readField", () => {
  test.each([
    [field({ type: "string" }), "", undefined],
    [field({ type: "string", default: "x" }, true), " ", "x"],
    [field({ type: "string" }), "5", "5"],
    [field({ type: "number" }), "5", 5],
    [field({ type: "boolean" }), "N", false],
    [field({ type: "boolean", default: true }), "", true],
    [titled, "small", "s"],
    [titled, "2", "l"],
    [named, "2", "2"],
    [named, "1", "s"],
    [several, "b, 1", ["b", "a"]],
    [field({ type: "array", items: { type: "string" } }), "x,y,", ["x", "y"]],
    [field({ type: "array", items: { type: "integer" } }), "1, 2", [1, 2]],
    [field({ type: "array", items: { type: "object" } }), '[{"a":1}]', [{ a: 1 }]],
  ])("%j: %j is %j", (asked, text, value) => {
    expect(readField(asked, text)).toEqual({ value });
  });

  test.each([
    [field({ type: "string" }, true), "", "it is required"],
    [field({ type: "number" }), "x", "It must be a number"],
    [field({ type: "number", minimum: 1 }), "0", "It must be at least 1"],
    [field({ type: "integer", maximum: 9 }), "10", "It must be at most 9"],
    [field({ type: "string", maxLength: 2 }), "abc", "It must be at most 2 characters"],
    [field({ type: "boolean" }), "maybe", "It must be yes or no"],
    [titled, "3", '"3" cannot be chosen'],
    [several, "a, c", '"c" cannot be chosen'],
    [field({ type: "array", items: { type: "integer" } }), "1, x", "Each must be a whole number"],
    [field({ type: "array", maxItems: 1 }), "[1,2]", "It must be at most 1 items"],
    [several, ",", "It must be at least 1 items"],
  ])("%j: %j will not do", (asked, text, fault) => {
    expect(readField(asked, text)).toEqual({ fault });
  });
});
