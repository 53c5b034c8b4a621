import { expect, it } from "vitest";
import { createSchema } from "../../src/schema/schema.js";

type Case = [schema: Record<string, unknown>, valid: unknown[], invalid: unknown[]];

// oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
const conclusion = (schema: object) => ({ then: schema });

const DRAFT_07 = { $schema: "http://json-schema.org/draft-07/schema#" };

const scalars: Case[] = [
  [{ type: "integer" }, [1, 1.0, -5], [1.5, "1", null, true]],
  [{ type: ["string", "null"] }, ["", null], [0, false, {}]],
  [{ type: "object" }, [{}], [[], null, "x"]],
  [{ enum: [1, "a", null, { b: [2] }] }, [1, "a", null, { b: [2] }], [2, "b", { b: [3] }, undefined]],
  [{ const: false }, [false], [0, "", null]],
  [{ const: null }, [null], [0, "null"]],
  [{ minimum: 2, maximum: 4 }, [2, 4, "x"], [1.9, 4.1]],
  [{ exclusiveMinimum: 2, exclusiveMaximum: 4 }, [3], [2, 4]],
  [{ multipleOf: 0.01 }, [19.99, 4.35, 0, -0.07], [0.005]],
  [{ minLength: 2, maxLength: 3 }, ["ab", "😀😀", "😀😀😀", 5], ["a", "😀", "abcd", "😀😀😀😀"]],
  [{ pattern: "^\\p{Lu}" }, ["Éa", 7], ["éa"]],
  [{ pattern: "^a\\-b$" }, ["a-b"], ["a_b"]],
  [{ format: "email" }, ["not an address"], []],
];

const arrays: Case[] = [
  [{ items: { type: "number" } }, [[], [1], "x"], [["a"], [1, null]]],
  [{ prefixItems: [{ type: "number" }, true], items: false }, [[], [1], [1, "x"]], [["x"], [1, 2, 3]]],
  [{ minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  [
    { uniqueItems: true },
    [
      [1, "1", true],
      [{ a: 1 }, { a: 2 }],
      [[1], [2]],
    ],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [{ contains: { const: 1 } }, [[0, 1]], [[], [0]]],
  [
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [
      [1, 1],
      [1, 0, 1, 1],
    ],
    [[1], [1, 1, 1, 1]],
  ],
  [{ contains: { const: 1 }, minContains: 0 }, [[]], []],
  [{ prefixItems: [true], unevaluatedItems: { type: "string" } }, [[1, "x"]], [[1, 2]]],
  [{ contains: { type: "number" }, unevaluatedItems: false }, [[1, 2]], [[1, "x"]]],
  [{ ...DRAFT_07, items: [{ type: "number" }], additionalItems: { type: "string" } }, [[1, "x"]], [["x"], [1, 2]]],
];

const objects: Case[] = [
  [{ properties: { a: { type: "number" } }, required: ["a", "b"] }, [{ a: 1, b: 1 }, []], [{ a: 1 }, { a: "1", b: 1 }]],
  [{ required: ["toString"] }, [{ toString: 1 }], [{}]],
  [{ properties: { constructor: { type: "number" } } }, [{}, { constructor: 1 }], [{ constructor: "x" }]],
  [
    JSON.parse('{"properties":{"__proto__":{"type":"number"}},"required":["__proto__"]}'),
    [JSON.parse('{"__proto__":1}')],
    [{}, JSON.parse('{"__proto__":"x"}')],
  ],
  [
    { patternProperties: { "^n": { type: "number" } }, additionalProperties: false },
    [{ n1: 1 }],
    [{ n1: "x" }, { m: 1 }],
  ],
  [{ properties: { a: true }, additionalProperties: { type: "string" } }, [{ a: 1, b: "x" }], [{ b: 1 }]],
  [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 1, c: 1 }]],
  [{ dependentRequired: { a: ["b"] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ dependentSchemas: { a: { required: ["b"] } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  [
    { ...DRAFT_07, dependencies: { a: ["b"], c: { required: ["d"] } } },
    [
      { a: 1, b: 1 },
      { c: 1, d: 1 },
    ],
    [{ a: 1 }, { c: 1 }],
  ],
  [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  [
    { anyOf: [{ properties: { a: { const: 1 } } }, { properties: { b: true } }], unevaluatedProperties: false },
    [{ a: 1, b: 1 }, { b: 1 }],
    [{ a: 2, b: 1 }],
  ],
  [
    { if: { required: ["a"] }, ...conclusion({ properties: { a: true } }), unevaluatedProperties: false },
    [{ a: 1 }, {}],
    [{ b: 1 }],
  ],
];

const joined: Case[] = [
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  [{ anyOf: [{ type: "string" }, { minimum: 5 }] }, ["x", 5], [4]],
  [{ oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 1]],
  [{ not: { type: "string" } }, [1], ["x"]],
  [{ if: { type: "string" }, ...conclusion({ minLength: 2 }), else: { minimum: 2 } }, ["ab", 2], ["a", 1]],
  [{ $ref: "#/$defs/n", minimum: 2, $defs: { n: { type: "number" } } }, [2], [1, "x"]],
  [{ ...DRAFT_07, $ref: "#/definitions/n", minimum: 2, definitions: { n: { type: "number" } } }, [2, 1], ["x"]],
  [{ items: { $ref: "#node" }, $defs: { n: { $anchor: "node", type: "number" } } }, [[1]], [["x"]]],
  [{ $id: "https://example.com/a", items: { $ref: "b" }, $defs: { b: { $id: "b", type: "number" } } }, [[1]], [["x"]]],
  [
    { properties: { v: { type: "number" }, next: { $ref: "#" } } },
    [{ v: 1, next: { v: 2, next: {} } }],
    [{ next: { next: { v: "x" } } }],
  ],
  [{ $ref: "#/$defs/a~1b%25", $defs: { "a/b%": { type: "number" } } }, [1], ["x"]],
  [{ properties: { x: { $ref: "#/unknown/x" } }, unknown: { x: { type: "number" } } }, [{ x: 1 }], [{ x: "x" }]],
];

const numberTree = {
  $id: "https://example.com/number-tree",
  $ref: "tree",
  $defs: {
    tree: { $id: "tree", items: { $dynamicRef: "#leaf" }, $defs: { any: { $dynamicAnchor: "leaf" } } },
    leaf: { $dynamicAnchor: "leaf", type: "number" },
  },
};

const cases: Case[] = [...scalars, ...arrays, ...objects, ...joined, [numberTree, [[1]], [["x"]]]];

it.each(cases)("%j accepts and rejects its values", async (schema, valid, invalid) => {
  const compiled = createSchema(schema, { correct: false, unknownProperties: "allow", root: "any" });
  for (const value of valid) expect(await compiled.validate(value)).toMatchObject({ ok: true });
  for (const value of invalid) expect(await compiled.validate(value)).toMatchObject({ ok: false });
});

it("a deep value goes through a schema that refers to itself", () => {
  const schema = createSchema({ items: { $ref: "#" } }, { correct: false, unknownProperties: "allow", root: "any" });
  let value: unknown[] = [];
  for (let depth = 0; depth < 256; depth++) value = [value];
  expect(schema.validate(value)).toMatchObject({ ok: true });
});

it("a search that doubles at every level comes to an end", () => {
  const properties = { a: { $ref: "#" } };
  const choices = [{ properties, required: ["x"] }, { properties, required: ["y"] }, { maxProperties: 0 }];
  const source = { type: "object", anyOf: choices };
  const schema = createSchema(source, { correct: true, unknownProperties: "allow", root: "any" });
  let value: Record<string, unknown> = { z: 1 };
  for (let depth = 0; depth < 64; depth++) value = { a: value, x: 1, y: 1 };
  expect(schema.validate(value)).toMatchObject({ ok: false });
});
