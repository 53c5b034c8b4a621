import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createForm } from "../../../src/server/features/elicitation/form-schema.js";

const fields = (form: Parameters<typeof createForm>[0]) => createForm(form).requestedSchema["properties"];

describe("createForm", () => {
  test("lists the fields and which are required", () => {
    const { requestedSchema: requested } = createForm(z.object({ name: z.string(), note: z.string().optional() }));
    expect(requested).toEqual({
      type: "object",
      properties: { name: { type: "string" }, note: { type: "string" } },
      required: ["name"],
    });
  });

  test("omits an empty required array, and allows a form without fields", () => {
    expect(createForm(z.object({ note: z.string().optional() })).requestedSchema).not.toHaveProperty("required");
    expect(createForm({ type: "object" }).requestedSchema).toEqual({ type: "object", properties: {} });
  });

  test("omits the keywords that forms do not support", () => {
    expect(
      fields({
        type: "object",
        title: "Hidden",
        additionalProperties: false,
        properties: {
          a: { type: "string", pattern: "^x", minLength: 1, maxLength: 5, title: "A", description: "d", $comment: "c" },
          b: { type: "number", multipleOf: 2, exclusiveMinimum: 0, minimum: -1, maximum: 9, default: 4 },
        },
      }),
    ).toEqual({
      a: { type: "string", minLength: 1, maxLength: 5, title: "A", description: "d" },
      b: { type: "number", minimum: -1, maximum: 9, default: 4 },
    });
  });

  test.each(["date", "date-time", "email", "uri"])("keeps the format %s", (format) => {
    expect(fields({ type: "object", properties: { a: { type: "string", format } } })).toEqual({
      a: { type: "string", format },
    });
  });

  test.each(["uuid", "time", "ipv4", "hostname"])("omits the format %s", (format) => {
    expect(fields({ type: "object", properties: { a: { type: "string", format } } })).toEqual({
      a: { type: "string" },
    });
  });

  test("omits the bounds of the safe integer range", () => {
    expect(fields(z.object({ n: z.number().int() }))).toEqual({ n: { type: "integer" } });
    expect(fields(z.object({ n: z.number().int().min(1).max(5) }))).toEqual({
      n: { type: "integer", minimum: 1, maximum: 5 },
    });
  });

  test("keeps single-select and multi-select enums, with titles", () => {
    const titled = [
      { const: "a", title: "A" },
      { const: "b", title: "B" },
    ];
    const properties = {
      one: { type: "string", enum: ["a", "b"] },
      named: { type: "string", oneOf: titled },
      several: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2 },
      severalNamed: { type: "array", items: { anyOf: titled } },
    };
    expect(fields({ type: "object", properties })).toEqual(properties);
  });

  test.each([
    ["an object", { type: "object", properties: {} }],
    ["an array of any strings", { type: "array", items: { type: "string" } }],
    ["an array without items", { type: "array" }],
    ["several types", { type: ["string", "number"] }],
    ["several types and null", { type: ["string", "number", "null"] }],
    ["an enum of numbers", { type: "number", enum: [1, 2] }],
    ["an enum of strings and numbers", { enum: ["a", 1] }],
    ["an empty enum", { type: "string", enum: [] }],
    ["an array of numbers", { type: "array", items: { type: "number", enum: [1] } }],
    ["a union of types", { anyOf: [{ type: "string" }, { type: "number" }] }],
    ["null", { type: "null" }],
    ["true", true],
  ])("rejects a field with %s", (_kind, field) => {
    expect(() => createForm({ type: "object", properties: { deep: field } })).toThrow(
      new TypeError('Cannot create the form: "deep" must be a string, a number, a boolean or an enum of strings'),
    );
  });

  test("rejects a union of objects", () => {
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(() => createForm(either)).toThrow(
      new TypeError("Cannot create the form: it must be one flat object, without anyOf"),
    );
  });

  test("rejects a schema that is not an object", () => {
    expect(() => createForm({ type: "string" })).toThrow(TypeError);
    expect(() => createForm(z.string())).toThrow(TypeError);
  });

  test("validates content without correcting it, and removes unknown members", async () => {
    const form = createForm(z.object({ n: z.number(), plan: z.enum(["free", "paid"]).default("free") }));
    expect(await form.parse({ n: 1, extra: true })).toMatchObject({ ok: true, value: { n: 1, plan: "free" } });
    expect(await form.parse({ n: "1" })).toMatchObject({ ok: false });
  });

  test("converts a literal to an enum of one string, or to its type", () => {
    expect(fields(z.object({ a: z.literal("x"), b: z.literal(5), c: z.literal(true) }))).toEqual({
      a: { type: "string", enum: ["x"] },
      b: { type: "number" },
      c: { type: "boolean" },
    });
  });

  test("converts a union of string literals to an enum, with titles if there are any", () => {
    const small = z.literal("s").meta({ title: "Small" });
    expect(
      fields(z.object({ plain: z.union([z.literal("a"), z.literal("b")]), named: z.union([small, z.literal("l")]) })),
    ).toEqual({
      plain: { type: "string", enum: ["a", "b"] },
      named: {
        type: "string",
        oneOf: [
          { const: "s", title: "Small" },
          { const: "l", title: "l" },
        ],
      },
    });
  });

  test("accepts an enum of strings without a type", () => {
    const properties = {
      plan: { enum: ["free", "paid"], default: "free" },
      tags: { type: "array", items: { enum: ["a"] } },
    };
    expect(fields({ type: "object", properties })).toEqual({
      plan: { type: "string", enum: ["free", "paid"], default: "free" },
      tags: { type: "array", items: { type: "string", enum: ["a"] } },
    });
  });

  test("keeps enumNames as they are", () => {
    const size = { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] };
    expect(fields({ type: "object", properties: { size } })).toEqual({ size });
  });

  test("converts exclusive bounds of integers to inclusive ones", () => {
    expect(fields(z.object({ n: z.number().int().gt(0).lt(10), x: z.number().gt(0) }))).toEqual({
      n: { type: "integer", minimum: 1, maximum: 9 },
      x: { type: "number" },
    });
  });

  test("omits a default that does not have the type of the field", () => {
    const properties = {
      a: { type: "string", default: 7 },
      b: { type: "integer", default: 7 },
      c: { type: "array", items: { enum: ["x"] }, default: "x" },
    };
    expect(fields({ type: "object", properties })).toEqual({
      a: { type: "string" },
      b: { type: "integer", default: 7 },
      c: { type: "array", items: { type: "string", enum: ["x"] } },
    });
  });
});

describe("a nullable field", () => {
  const source = z.object({
    plan: z.enum(["free", "paid"]).nullable().describe("Which one"),
    note: z.string().nullable(),
    age: z.number().int().nullish(),
    tags: z
      .array(z.enum(["a", "b"]))
      .nullable()
      .default(null),
  });

  test("is listed without null, and is optional", () => {
    expect(createForm(source).requestedSchema).toEqual({
      type: "object",
      properties: {
        plan: { type: "string", enum: ["free", "paid"], description: "Which one" },
        note: { type: "string" },
        age: { type: "integer" },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
      },
    });
  });

  test("becomes null if it is required and missing", async () => {
    const form = createForm(source);
    expect(await form.parse({})).toMatchObject({ ok: true, value: { plan: null, note: null, tags: null } });
    expect(await form.parse({ plan: "paid", note: "", age: 3 })).toMatchObject({
      ok: true,
      value: { plan: "paid", note: "", age: 3, tags: null },
    });
    expect(await form.parse({ plan: "gold" })).toMatchObject({ ok: false });
  });

  test("may be a type array in JSON Schema", () => {
    expect(fields({ type: "object", properties: { a: { type: ["string", "null"], enum: ["x", null] } } })).toEqual({
      a: { type: "string", enum: ["x"] },
    });
  });
});
