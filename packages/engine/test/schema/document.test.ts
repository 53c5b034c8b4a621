import { expect, it } from "vitest";
import { createSchema, type SchemaOptions } from "../../src/schema/schema.js";

const OPTIONS: SchemaOptions = { correct: false, unknownProperties: "reject", root: "any" };

function nest(levels: number): Record<string, unknown> {
  return levels === 0 ? {} : { items: nest(levels - 1) };
}

it.each<[string, Record<string, unknown>, string]>([
  [
    "an unknown dialect",
    { $schema: "http://json-schema.org/draft-04/schema#" },
    "is neither draft 2020-12 nor draft-07",
  ],
  ["an external reference", { properties: { a: { $ref: "https://example.com/x.json" } } }, "at #/properties/a: $ref"],
  ["a reference to nothing", { $ref: "#/$defs/absent" }, '$ref "#/$defs/absent" points to nothing'],
  ["a missing anchor", { $ref: "#absent" }, "points to nothing"],
  ["a pattern that is no regular expression", { items: { pattern: "(" } }, "at #/items: pattern must be a regular"],
  ["a type that does not exist", { type: "text" }, "type must be the name of a JSON type"],
  ["a bound that is no number", { minimum: "1" }, 'minimum must be a number, not "1"'],
  ["an empty choice", { anyOf: [] }, "anyOf must be a list of schemas"],
  ["a list of items in 2020-12", { items: [{}] }, "items must be a schema (for a list of schemas, draft 2020-12 has"],
  ["a subschema that is no schema", { properties: { a: "string" } }, "at #/properties/a: a schema must be"],
  ["too deep nesting", nest(64), "nested more than 64 levels deep"],
  ["too many parts", { allOf: Array.from({ length: 10_000 }, () => ({})) }, "more than 10000 subschemas"],
  ["a schema that is only itself", { $ref: "#" }, "refers to itself"],
  ["a circle of choices", { anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: { not: { $ref: "#" } } } }, "refers to itself"],
])("createSchema rejects %s", (_, source, reason) => {
  expect(() => createSchema(source, OPTIONS)).toThrow(TypeError);
  expect(() => createSchema(source, OPTIONS)).toThrow(reason);
});

it("createSchema rejects an object that contains itself", () => {
  const circular: Record<string, unknown> = {};
  circular["items"] = circular;
  expect(() => createSchema(circular, OPTIONS)).toThrow("nested more than 64 levels deep");
});

it.each([[null], ["string"], [[]], [5]])("createSchema rejects %j, which is not a schema", (source) => {
  expect(() => createSchema(source as never, OPTIONS)).toThrow("neither a Standard Schema nor a JSON Schema object");
});

it("createSchema requires an object at the root if asked to", () => {
  const options: SchemaOptions = { ...OPTIONS, root: "object" };
  expect(() => createSchema({ type: "string" }, options)).toThrow('its root must be of type "object"');
  expect(() => createSchema({ properties: {} }, options)).toThrow('its root must be of type "object"');
  expect(createSchema({ type: "object" }, options).jsonSchema).toEqual({ type: "object", additionalProperties: false });
});

it("jsonSchema is the source, closed at the root if unknown properties are rejected", () => {
  const source = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties: { a: {} } };
  expect(createSchema(source, OPTIONS).jsonSchema).toEqual({ ...source, additionalProperties: false });
  expect(createSchema(source, { ...OPTIONS, unknownProperties: "allow" }).jsonSchema).toBe(source);
  const open = { type: "object", additionalProperties: { type: "string" } };
  expect(createSchema(open, OPTIONS).jsonSchema).toBe(open);
});
