import { expect, test } from "vitest";
import { flattenRoot } from "./flatten.js";

const text = { type: "string" } as const;

test("branches that only require leave a sentence behind", () => {
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

test("all that is joined holds: its properties, and what it requires", () => {
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
  ).toEqual({
    type: "object",
    properties: { a: text, b: { $ref: "#/$defs/deep" }, c: text },
    required: ["a", "b"],
    $defs: { b: { type: "object", properties: { b: { $ref: "#/$defs/deep" } }, required: ["b"] }, deep: text },
  });
});

test("one property of several branches takes what any of them takes", () => {
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

test("branches that no object can match are passed over", () => {
  expect(flattenRoot({ type: "object", anyOf: [{ type: "string" }, true, { properties: { a: text } }] })).toEqual({
    type: "object",
    properties: { a: text },
  });
});

test("a reference at the root is what it refers to, and one that leads in circles ends", () => {
  expect(
    flattenRoot({ type: "object", $ref: "#/$defs/it", $defs: { it: { type: "object", properties: { a: text } } } }),
  ).toMatchObject({ properties: { a: text } });
  expect(flattenRoot({ $ref: "#/$defs/it", $defs: { it: { $ref: "#/$defs/it" } } })).toMatchObject({ properties: {} });
});

test("references into what is merged are written out", () => {
  const schema = {
    type: "object",
    oneOf: [{ properties: { a: text } }, { properties: { b: { $ref: "#/oneOf/0/properties/a" } } }],
  };
  expect(flattenRoot(schema)).toEqual({ type: "object", properties: { a: text, b: text } });
});

test("a root without a type, without properties or with values of its own becomes an object", () => {
  expect(flattenRoot({ enum: [{}], not: {}, title: "T" })).toEqual({ type: "object", properties: {}, title: "T" });
});

test("one closed branch does not close what the others bring", () => {
  const closed = { properties: { a: text }, additionalProperties: false };
  expect(flattenRoot({ type: "object", allOf: [closed, { properties: { b: text } }] })).toEqual({
    type: "object",
    properties: { a: text, b: text },
  });
});
