import * as fc from "fast-check";

type JsonSchema = Record<string, unknown>;

const name = fc.constantFrom("a", "b", "userName", "toString");
const small = fc.integer({ min: 0, max: 3 });
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, 2.5, -1, 0.3),
  fc.constantFrom("", "a", "ab", "😀", "fast", "FAST", "5", "true", "[1]"),
);

/** JSON values made of few names and scalars, so that they often nearly fit. */
export const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(name, fc.constantFrom("user_name", "c", "__proto__")), tie("any"), { maxKeys: 4 }),
  ),
})).any;

const type = fc.constantFrom("null", "boolean", "integer", "number", "string", "array", "object");
const number = { minimum: small, maximum: small, exclusiveMinimum: small, multipleOf: fc.constantFrom(1, 2, 0.1, 0.5) };
const string = { minLength: small, maxLength: small, pattern: fc.constantFrom("^a", "b$", "^\\p{L}*$") };
const count = {
  minItems: small,
  maxItems: small,
  minProperties: small,
  maxProperties: small,
  uniqueItems: fc.boolean(),
};
const names = fc.uniqueArray(name, { maxLength: 2 });

const some = (keywords: Record<string, fc.Arbitrary<unknown>>) => fc.record(keywords, { requiredKeys: [] });

// oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
const conclusion = (schema: fc.Arbitrary<unknown>) => ({ then: schema });

const every = fc.letrec<{ any: JsonSchema | boolean }>((tie) => {
  const any = tie("any");
  const list = fc.array(any, { minLength: 1, maxLength: 3 });
  const object = {
    properties: fc.dictionary(name, any, { maxKeys: 3 }),
    patternProperties: fc.dictionary(fc.constantFrom("^a", "N"), any, { maxKeys: 1 }),
    additionalProperties: any,
    propertyNames: any,
    required: names,
    dependentRequired: fc.dictionary(name, names, { maxKeys: 1 }),
    dependentSchemas: fc.dictionary(name, any, { maxKeys: 1 }),
    unevaluatedProperties: any,
  };
  const array = {
    prefixItems: list,
    items: any,
    contains: any,
    minContains: small,
    maxContains: small,
    unevaluatedItems: any,
  };
  const logic = { allOf: list, anyOf: list, oneOf: list, not: any, if: any, else: any, ...conclusion(any) };
  const values = { enum: fc.array(value, { minLength: 1, maxLength: 3 }), const: value, default: value };
  return {
    any: fc.oneof(
      { depthSize: "small" },
      fc.boolean(),
      fc.record({ type }),
      fc.record({ type: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) }),
      fc.constant({ $ref: "#/$defs/one" }),
      some({ type, ...number }),
      some({ type, ...string }),
      some(values),
      some(count),
      some(object),
      some(array),
      some(logic),
      fc.tuple(some(object), some(logic)).map(([left, right]) => ({ ...left, ...right })),
    ),
  };
}).any;

/** JSON Schemas of 2020-12 with every keyword, a definition, and references to it. */
export const schema: fc.Arbitrary<JsonSchema> = fc
  .tuple(every, every)
  .map(([root, one]) => ({ ...(typeof root === "boolean" ? { allOf: [root] } : root), $defs: { one } }));
