import { expect, test } from "vitest";
import { flattenRoot } from "../../../src/schema/portable/flatten.js";

const text = { type: "string" } as const;

test("branches with only required properties become a hint in the description", () => {
  const schema = {
    type: "object",
    description: "Looks.",
    properties: { project: text, paths: text, scopes: text },
    required: ["project"],
    anyOf: [{ required: ["paths"] }, { required: ["scopes", "paths"] }],
  };
  expect(flattenRoot(schema)).toEqual({
    type: "object",
    description: "Looks.",
    properties: { project: text, paths: text, scopes: text },
    required: ["project", "paths"],
  });
  expect(flattenRoot({ ...schema, anyOf: [{ required: ["paths"] }, { required: ["scopes"] }] })).toMatchObject({
    required: ["project"],
    description: "Looks. Give paths, or scopes.",
  });
});

test("properties and required names of allOf, $ref and conditionals are merged", () => {
  expect(
    flattenRoot({
      type: "object",
      allOf: [
        { properties: { a: text }, required: ["a"] },
        { $ref: "#/$defs/b" },
        { if: { properties: { a: { const: "x" } } }, else: { properties: { c: text }, required: ["c"] } },
      ],
      $defs: { b: { type: "object", properties: { b: { $ref: "#/$defs/deep" } }, required: ["b"] }, deep: text },
    }),
  ).toEqual({ type: "object", properties: { a: text, b: text, c: text }, required: ["a", "b"] });
});

test("a property of several branches accepts what any of them accepts", () => {
  const flat = flattenRoot({
    type: "object",
    oneOf: [
      { properties: { value: { type: "number" }, same: text }, additionalProperties: false },
      { properties: { value: text, same: text }, additionalProperties: false },
    ],
  });
  expect(flat).toEqual({
    type: "object",
    properties: { value: { anyOf: [{ type: "number" }, text] }, same: text },
    additionalProperties: false,
  });
});

test("branches that no object can match are ignored", () => {
  expect(flattenRoot({ type: "object", anyOf: [{ type: "string" }, true, { properties: { a: text } }] })).toEqual({
    type: "object",
    properties: { a: text },
  });
});

test("a reference at the root is resolved, and a recursive one ends", () => {
  expect(
    flattenRoot({ type: "object", $ref: "#/$defs/it", $defs: { it: { type: "object", properties: { a: text } } } }),
  ).toMatchObject({ properties: { a: text } });
  expect(flattenRoot({ $ref: "#/$defs/it", $defs: { it: { $ref: "#/$defs/it" } } })).toMatchObject({ properties: {} });
});

test("references to merged parts are inlined", () => {
  const schema = {
    type: "object",
    oneOf: [{ properties: { a: text } }, { properties: { b: { $ref: "#/oneOf/0/properties/a" } } }],
  };
  expect(flattenRoot(schema)).toEqual({ type: "object", properties: { a: text, b: text } });
});

test("a root without a type, without properties or with enum becomes an object", () => {
  expect(flattenRoot({ enum: [{}], not: {}, title: "T" })).toEqual({ type: "object", properties: {}, title: "T" });
});

test("one closed branch does not close what the others add", () => {
  const closed = { properties: { a: text }, additionalProperties: false };
  expect(flattenRoot({ type: "object", allOf: [closed, { properties: { b: text } }] })).toEqual({
    type: "object",
    properties: { a: text, b: text },
  });
});
