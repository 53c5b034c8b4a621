import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { InferInput } from "../../src/schema/schema.js";

function typed<const Source>(_source: Source): InferInput<Source> {
  return undefined as InferInput<Source>;
}

it("a zod schema gives its output type", () => {
  const source = z.object({ a: z.string().transform((text) => text.length), b: z.number().default(1) });
  expectTypeOf(typed(source)).toEqualTypeOf<{ a: number; b: number }>();
});

it("a JSON Schema literal gives the type it describes", () => {
  expectTypeOf(typed({ type: "string" })).toEqualTypeOf<string>();
  expectTypeOf(typed({ type: "integer" })).toEqualTypeOf<number>();
  expectTypeOf(typed({ type: ["string", "null"] })).toEqualTypeOf<string | null>();
  expectTypeOf(typed({ enum: ["a", 1] })).toEqualTypeOf<"a" | 1>();
  expectTypeOf(typed({ const: true })).toEqualTypeOf<true>();
  expectTypeOf(typed({ type: "array", items: { type: "boolean" } })).toEqualTypeOf<boolean[]>();
  expectTypeOf(typed({})).toEqualTypeOf<unknown>();
});

it("a list whose first items have schemas of their own is a tuple", () => {
  const pair = [{ type: "string" }, { type: "number" }] as const;
  expectTypeOf(typed({ type: "array", prefixItems: pair, items: false, minItems: 2 })).toEqualTypeOf<
    readonly [string, number]
  >();
  expectTypeOf(typed({ type: "array", prefixItems: pair, items: false })).toEqualTypeOf<readonly [string?, number?]>();
  expectTypeOf(typed({ type: "array", prefixItems: pair, items: { type: "boolean" }, minItems: 2 })).toEqualTypeOf<
    readonly [string, number, ...boolean[]]
  >();
});

it("a map has values of its schema, and a choice the type of any branch", () => {
  const words = { type: "object", additionalProperties: { type: "string" } } as const;
  expectTypeOf(typed(words)).toEqualTypeOf<{ [key: string]: string }>();
  expectTypeOf(typed({ type: "object", additionalProperties: true })).toEqualTypeOf<{ [key: string]: unknown }>();
  expectTypeOf(typed({ ...words, patternProperties: { "^n_": { type: "number" } } })).toEqualTypeOf<{
    [key: string]: unknown;
  }>();
  expectTypeOf(typed({ anyOf: [{ type: "string" }, { type: "null" }] })).toEqualTypeOf<string | null>();
  expectTypeOf(typed({ oneOf: [{ const: 1 }, words] })).toEqualTypeOf<1 | { [key: string]: string }>();
});

it("required properties and those with a default are there, the others may be", () => {
  const value = typed({
    type: "object",
    properties: { name: { type: "string" }, limit: { type: "integer", default: 10 }, dry: { type: "boolean" } },
    required: ["name"],
  });
  expectTypeOf<(typeof value)["name"]>().toEqualTypeOf<string>();
  expectTypeOf<(typeof value)["limit"]>().toEqualTypeOf<number>();
  expectTypeOf<(typeof value)["dry"]>().toEqualTypeOf<boolean | undefined>();
});
