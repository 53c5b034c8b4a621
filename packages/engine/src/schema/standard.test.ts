import { runInNewContext } from "node:vm";
import * as v from "valibot";
import { expect, it } from "vitest";
import { z } from "zod";
import { createSchema, isStandardSchema, type SchemaOptions } from "./schema.js";

const OPTIONS: SchemaOptions = { repair: true, unknownKeys: "refuse", root: "object" };

it("a zod schema is shown as JSON Schema without its dialect, closed at the root", () => {
  expect(createSchema(z.object({ a: z.string() }), OPTIONS).json).toEqual({
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  });
});

it("a choice between objects is shown as an object", () => {
  const one = z.object({ k: z.literal("a") });
  const other = z.object({ k: z.literal("b") });
  expect(createSchema(z.discriminatedUnion("k", [one, other]), OPTIONS).json).toMatchObject({ type: "object" });
});

it("conversion waits until it is needed", async () => {
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
  expect([schema.json, schema.json, await schema.read({ a: "x" })]).toHaveLength(3);
  expect(conversions).toBe(1);
});

it("the output of the library goes on", async () => {
  const schema = createSchema(
    z.object({ day: z.string().transform((text) => text.length), n: z.number().default(3) }),
    OPTIONS,
  );
  expect(await schema.read({ day: "abc" })).toEqual({ ok: true, value: { day: 3, n: 3 }, repairs: [] });
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
])("an unknown key is found %s", async (_, source, value, fault) => {
  expect(await createSchema(source, { ...OPTIONS, repair: false }).read(value)).toMatchObject({
    ok: false,
    faults: [fault],
  });
});

it.each<[string, z.ZodType, unknown]>([
  ["an object is loose", z.looseObject({ a: z.int() }), { a: 1, b: 2 }],
  ["any string is a key", z.record(z.string(), z.int()), { a: 1, b: 2 }],
  ["two schemas are joined", z.object({ a: z.int() }).and(z.object({ b: z.int() })), { a: 1, b: 2 }],
])("a key is let through where %s", async (_, source, value) => {
  expect(await createSchema(source, OPTIONS).read(value)).toMatchObject({ ok: true });
});

it("the key walk follows a schema into itself", async () => {
  const node = z.object({
    v: z.int(),
    get next() {
      return node.optional();
    },
  });
  const schema = createSchema(node, OPTIONS);
  expect(await schema.read({ v: 1, next: { v: 2, next: { v: 3 } } })).toMatchObject({ ok: true });
  expect(await schema.read({ v: 1, next: { v: 2, nxet: { v: 3 } } })).toMatchObject({
    faults: ['next.nxet: unknown property; did you mean "next"?'],
  });
});

it("repair works on what the library refuses, and on what it would drop", async () => {
  const schema = createSchema(z.object({ userName: z.string(), n: z.int() }), OPTIONS);
  expect(await schema.read({ user_name: "x", n: "5" })).toEqual({
    ok: true,
    value: { userName: "x", n: 5 },
    repairs: ["user_name: read as userName", 'n: read "5" as the number 5'],
  });
});

it("repair reaches the values of records and of keys that are caught", async () => {
  const source = z.object({ m: z.record(z.string(), z.number()), c: z.object({ a: z.string() }).catchall(z.int()) });
  const schema = createSchema(source, OPTIONS);
  expect(await schema.read({ m: { a: "5", b: 6 }, c: { a: "1", b: "2" } })).toEqual({
    ok: true,
    value: { m: { a: 5, b: 6 }, c: { a: "1", b: 2 } },
    repairs: ['m.a: read "5" as the number 5', 'c.b: read "2" as the number 2'],
  });
});

it("faults are in our words where the JSON Schema finds them, else in the library's", async () => {
  const even = z.number().refine((value) => value % 2 === 0, "must be even");
  const schema = createSchema(z.object({ list: z.array(even) }), OPTIONS);
  expect(await schema.read({ list: [2, "x"] })).toMatchObject({
    faults: ['list[1]: expected a number, got "x"'],
    example: undefined,
  });
  expect(await schema.read({ list: [2, 3] })).toMatchObject({ faults: ["list[1]: must be even"], example: undefined });
});

it("what only the library finds is told beside what the JSON Schema finds", async () => {
  const source = z.object({ a: z.int(), b: z.email(), c: z.url(), d: z.uuid() });
  const reading = await createSchema(source, OPTIONS).read({ a: 1.5, b: "x", c: "y", d: "z" });
  const faults = "faults" in reading ? reading.faults : [];
  expect(faults.map((line) => line.split(":")[0])).toEqual(["a", "b", "d", "c"]);
  expect(faults[3]).toBe("c: Invalid URL");
});

it("an issue about a part that has a fault already is left out", async () => {
  const choice = z.union([z.object({ a: z.array(z.string()) }), z.object({ b: z.number() })]);
  const schema = createSchema(z.strictObject({ f: choice, ff: z.url() }), OPTIONS);
  expect(await schema.read({ f: { b: true }, ff: "x", zzz: 1 })).toMatchObject({
    faults: ['zzz: unknown argument; known: "f", "ff"', "f.b: expected a number, got true", "ff: Invalid URL"],
  });
});

it("a suggested call keeps to the branch that was meant", async () => {
  const source = z.object({ f: z.union([z.object({ a: z.array(z.string()) }), z.object({ b: z.number() })]) });
  expect(await createSchema(source, OPTIONS).read({ f: { b: true } })).toMatchObject({
    ok: false,
    faults: ["f.b: expected a number, got true"],
    example: { f: { b: 1 } },
  });
});

it("the side that is asked for is shown, and values are read as input", async () => {
  const source = z.object({ d: z.string().transform(Number).pipe(z.number()) });
  expect(createSchema(source, { ...OPTIONS, side: "input" }).json).toMatchObject({
    properties: { d: { type: "string" } },
  });
  const schema = createSchema(source, { ...OPTIONS, side: "output" });
  expect(schema.json).toMatchObject({ properties: { d: { type: "number" } } });
  expect(await schema.read({ d: "5" })).toEqual({ ok: true, value: { d: 5 }, repairs: [] });
  expect(await schema.read({ d: 5 })).toMatchObject({ faults: ["d: expected a string, got 5"] });
});

it("a side that the library cannot write says so when it is to be shown", () => {
  const schema = createSchema(z.object({ d: z.string().transform(Number) }), { ...OPTIONS, side: "output" });
  expect(() => schema.json).toThrow("zod cannot write it as JSON Schema: Transforms cannot be represented");
});

it("a schema that validates asynchronously is read so", async () => {
  const schema = createSchema(z.object({ a: z.string().refine(async (text) => text !== "no", "refused") }), OPTIONS);
  expect(await schema.read({ a: "yes" })).toEqual({ ok: true, value: { a: "yes" }, repairs: [] });
  expect(await schema.read({ a: "no" })).toMatchObject({ ok: false, faults: ["a: refused"] });
  expect(await schema.read({ A: "yes" })).toMatchObject({ ok: true, value: { a: "yes" }, repairs: ["A: read as a"] });
});

it.each<[string, (result: object) => unknown]>([
  ["of another realm", (result) => runInNewContext("Promise").resolve(result)],
  [
    "that is none of Promise's",
    (result) => new Proxy({}, { has: () => true, get: () => (go: (result: object) => void) => go(result) }),
  ],
])("a promise %s is waited for", async (_, later) => {
  const standard = z.object({ a: z.number() })["~standard"];
  const source = { "~standard": { ...standard, validate: (value: unknown) => later(standard.validate(value)) } };
  const schema = createSchema(source, OPTIONS);
  expect(schema.read({ a: 1 })).toBeInstanceOf(Promise);
  expect(await schema.read({ a: 1 })).toEqual({ ok: true, value: { a: 1 }, repairs: [] });
  expect(await schema.read({ a: "1" })).toMatchObject({ ok: true, value: { a: 1 } });
  expect(await schema.read({ a: "x" })).toMatchObject({ ok: false, faults: ['a: expected a number, got "x"'] });
});

it("a library that cannot write JSON Schema is refused unless the JSON is given", async () => {
  const source = v.object({ a: v.string() });
  expect(() => createSchema(source, OPTIONS)).toThrow("valibot cannot write it as JSON Schema");
  const schema = createSchema(source, { ...OPTIONS, json: { type: "object", properties: { a: { type: "string" } } } });
  expect(await schema.read({ a: "x" })).toMatchObject({ ok: true });
  expect(await schema.read({ a: "x", b: 1 })).toMatchObject({ ok: false, faults: ['b: unknown argument; known: "a"'] });
});

it("a schema that has no JSON form says so when it is to be shown", async () => {
  const schema = createSchema(z.object({ at: z.date() }), OPTIONS);
  expect(() => schema.json).toThrow("zod cannot write it as JSON Schema: Date cannot be represented");
  expect(await schema.read({ at: 5 })).toMatchObject({
    ok: false,
    faults: ["at: Invalid input: expected date, received number"],
  });
});

it("isStandardSchema knows zod and valibot from JSON Schema", () => {
  expect([z.string(), v.string(), { type: "string" }, null, 5].map(isStandardSchema)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
