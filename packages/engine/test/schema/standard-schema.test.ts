import { runInNewContext } from "node:vm";
import * as v from "valibot";
import { expect, it } from "vitest";
import { z } from "zod";
import { createSchema, isStandardSchema, type SchemaOptions } from "../../src/schema/schema.js";

const OPTIONS: SchemaOptions = { correct: true, unknownProperties: "reject", root: "object" };

it("a zod schema is converted to JSON Schema without its dialect, closed at the root", () => {
  expect(createSchema(z.object({ a: z.string() }), OPTIONS).jsonSchema).toEqual({
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  });
});

it("a union of objects has the type object", () => {
  const one = z.object({ k: z.literal("a") });
  const other = z.object({ k: z.literal("b") });
  expect(createSchema(z.discriminatedUnion("k", [one, other]), OPTIONS).jsonSchema).toMatchObject({ type: "object" });
});

it("a schema is converted on first use", async () => {
  let conversions = 0;
  const source = z.object({ a: z.string() });
  const { jsonSchema } = source["~standard"];
  const counted = {
    "~standard": {
      ...source["~standard"],
      jsonSchema: {
        input: (options: { target: string }) => {
          conversions++;
          return jsonSchema.input(options);
        },
      },
    },
  };
  const schema = createSchema(counted, OPTIONS);
  expect(conversions).toBe(0);
  expect([schema.jsonSchema, schema.jsonSchema, await schema.validate({ a: "x" })]).toHaveLength(3);
  expect(conversions).toBe(1);
});

it("the output of the library is the value", async () => {
  const schema = createSchema(
    z.object({ day: z.string().transform((text) => text.length), n: z.number().default(3) }),
    OPTIONS,
  );
  expect(await schema.validate({ day: "abc" })).toEqual({ ok: true, value: { day: 3, n: 3 }, corrections: [] });
});

it.each<[string, z.ZodType, unknown, string]>([
  [
    "at the root",
    z.object({ colour: z.string().optional() }),
    { color: "x" },
    'color: unknown argument; did you mean "colour"?',
  ],
  [
    "in an item",
    z.object({ l: z.array(z.object({ a: z.int() })) }),
    { l: [{ a: 1, b: 2 }] },
    'l[0].b: unknown property; known: "a"',
  ],
  [
    "beside null",
    z.object({ x: z.object({ a: z.int() }).nullable() }),
    { x: { a: 1, q: 2 } },
    'x.q: unknown property; known: "a"',
  ],
  [
    "in a record",
    z.object({ r: z.record(z.string(), z.object({ a: z.int() })) }),
    { r: { k: { a: 1, q: 2 } } },
    'r.k.q: unknown property; known: "a"',
  ],
  [
    "where another value is coerced",
    z.object({ n: z.coerce.number() }),
    { n: "5", qq: 1 },
    'qq: unknown argument; known: "n"',
  ],
])("an unknown property is found %s", async (_, source, value, issue) => {
  expect(await createSchema(source, { ...OPTIONS, correct: false }).validate(value)).toMatchObject({
    ok: false,
    issues: [issue],
  });
});

it.each<[string, z.ZodType, unknown]>([
  ["an object is loose", z.looseObject({ a: z.int() }), { a: 1, b: 2 }],
  ["any string is a key", z.record(z.string(), z.int()), { a: 1, b: 2 }],
  ["two schemas are joined", z.object({ a: z.int() }).and(z.object({ b: z.int() })), { a: 1, b: 2 }],
])("a property is accepted where %s", async (_, source, value) => {
  expect(await createSchema(source, OPTIONS).validate(value)).toMatchObject({ ok: true });
});

it("the check for unknown properties follows recursive schemas", async () => {
  const node = z.object({
    v: z.int(),
    get next() {
      return node.optional();
    },
  });
  const schema = createSchema(node, OPTIONS);
  expect(await schema.validate({ v: 1, next: { v: 2, next: { v: 3 } } })).toMatchObject({ ok: true });
  expect(await schema.validate({ v: 1, next: { v: 2, nxet: { v: 3 } } })).toMatchObject({
    issues: ['next.nxet: unknown property; did you mean "next"?'],
  });
});

it("correction applies to what the library rejects, and to what it would drop", async () => {
  const schema = createSchema(z.object({ userName: z.string(), n: z.int() }), OPTIONS);
  expect(await schema.validate({ user_name: "x", n: "5" })).toEqual({
    ok: true,
    value: { userName: "x", n: 5 },
    corrections: ["user_name: read as userName", 'n: read "5" as the number 5'],
  });
});

it("correction applies to the values of records and catchall properties", async () => {
  const source = z.object({ m: z.record(z.string(), z.number()), c: z.object({ a: z.string() }).catchall(z.int()) });
  const schema = createSchema(source, OPTIONS);
  expect(await schema.validate({ m: { a: "5", b: 6 }, c: { a: "1", b: "2" } })).toEqual({
    ok: true,
    value: { m: { a: 5, b: 6 }, c: { a: "1", b: 2 } },
    corrections: ['m.a: read "5" as the number 5', 'c.b: read "2" as the number 2'],
  });
});

it("issues of the JSON Schema have our messages, others have those of the library", async () => {
  const even = z.number().refine((value) => value % 2 === 0, "must be even");
  const schema = createSchema(z.object({ list: z.array(even) }), OPTIONS);
  expect(await schema.validate({ list: [2, "x"] })).toMatchObject({
    issues: ['list[1]: expected a number, got "x"'],
    example: undefined,
  });
  expect(await schema.validate({ list: [2, 3] })).toMatchObject({
    issues: ["list[1]: must be even"],
    example: undefined,
  });
});

it("issues that only the library finds are reported too", async () => {
  const source = z.object({ a: z.int(), b: z.email(), c: z.url(), d: z.uuid() });
  const result = await createSchema(source, OPTIONS).validate({ a: 1.5, b: "x", c: "y", d: "z" });
  const issues = "issues" in result ? result.issues : [];
  expect(issues.map((line) => line.split(":")[0])).toEqual(["a", "b", "d", "c"]);
  expect(issues[3]).toBe("c: Invalid URL");
});

it("an issue of a part that already has one is omitted", async () => {
  const choice = z.union([z.object({ a: z.array(z.string()) }), z.object({ b: z.number() })]);
  const schema = createSchema(z.strictObject({ f: choice, ff: z.url() }), OPTIONS);
  expect(await schema.validate({ f: { b: true }, ff: "x", zzz: 1 })).toMatchObject({
    issues: ['zzz: unknown argument; known: "f", "ff"', "f.b: expected a number, got true", "ff: Invalid URL"],
  });
});

it("the example uses the closest branch", async () => {
  const source = z.object({ f: z.union([z.object({ a: z.array(z.string()) }), z.object({ b: z.number() })]) });
  expect(await createSchema(source, OPTIONS).validate({ f: { b: true } })).toMatchObject({
    ok: false,
    issues: ["f.b: expected a number, got true"],
    example: { f: { b: 1 } },
  });
});

it("the requested side is listed, and values are validated as input", async () => {
  const source = z.object({ d: z.string().transform(Number).pipe(z.number()) });
  expect(createSchema(source, { ...OPTIONS, side: "input" }).jsonSchema).toMatchObject({
    properties: { d: { type: "string" } },
  });
  const schema = createSchema(source, { ...OPTIONS, side: "output" });
  expect(schema.jsonSchema).toMatchObject({ properties: { d: { type: "number" } } });
  expect(await schema.validate({ d: "5" })).toEqual({ ok: true, value: { d: 5 }, corrections: [] });
  expect(await schema.validate({ d: 5 })).toMatchObject({ issues: ["d: expected a string, got 5"] });
});

it("a side that the library cannot convert throws when it is listed", () => {
  const schema = createSchema(z.object({ d: z.string().transform(Number) }), { ...OPTIONS, side: "output" });
  expect(() => schema.jsonSchema).toThrow("zod cannot convert it to JSON Schema: Transforms cannot be represented");
});

it("asynchronous validation is supported", async () => {
  const schema = createSchema(z.object({ a: z.string().refine(async (text) => text !== "no", "refused") }), OPTIONS);
  expect(await schema.validate({ a: "yes" })).toEqual({ ok: true, value: { a: "yes" }, corrections: [] });
  expect(await schema.validate({ a: "no" })).toMatchObject({ ok: false, issues: ["a: refused"] });
  expect(await schema.validate({ A: "yes" })).toMatchObject({
    ok: true,
    value: { a: "yes" },
    corrections: ["A: read as a"],
  });
});

it.each<[string, (result: object) => unknown]>([
  ["of another realm", (result) => runInNewContext("Promise").resolve(result)],
  [
    "that is none of Promise's",
    (result) => new Proxy({}, { has: () => true, get: () => (go: (result: object) => void) => go(result) }),
  ],
])("a promise %s is awaited", async (_, later) => {
  const standard = z.object({ a: z.number() })["~standard"];
  const source = { "~standard": { ...standard, validate: (value: unknown) => later(standard.validate(value)) } };
  const schema = createSchema(source, OPTIONS);
  expect(schema.validate({ a: 1 })).toBeInstanceOf(Promise);
  expect(await schema.validate({ a: 1 })).toEqual({ ok: true, value: { a: 1 }, corrections: [] });
  expect(await schema.validate({ a: "1" })).toMatchObject({ ok: true, value: { a: 1 } });
  expect(await schema.validate({ a: "x" })).toMatchObject({ ok: false, issues: ['a: expected a number, got "x"'] });
});

it("a library that cannot convert to JSON Schema is rejected unless jsonSchema is given", async () => {
  const source = v.object({ a: v.string() });
  expect(() => createSchema(source, OPTIONS)).toThrow("valibot cannot convert it to JSON Schema");
  const schema = createSchema(source, {
    ...OPTIONS,
    jsonSchema: { type: "object", properties: { a: { type: "string" } } },
  });
  expect(await schema.validate({ a: "x" })).toMatchObject({ ok: true });
  expect(await schema.validate({ a: "x", b: 1 })).toMatchObject({
    ok: false,
    issues: ['b: unknown argument; known: "a"'],
  });
});

it("a schema that cannot be converted throws when it is listed", async () => {
  const schema = createSchema(z.object({ at: z.date() }), OPTIONS);
  expect(() => schema.jsonSchema).toThrow("zod cannot convert it to JSON Schema: Date cannot be represented");
  expect(await schema.validate({ at: 5 })).toMatchObject({
    ok: false,
    issues: ["at: Invalid input: expected date, received number"],
  });
});

it("isStandardSchema distinguishes zod and valibot from JSON Schema", () => {
  expect([z.string(), v.string(), { type: "string" }, null, 5].map(isStandardSchema)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
