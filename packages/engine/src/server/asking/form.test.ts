import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createForm } from "./form.js";

const fields = (form: Parameters<typeof createForm>[0]) => createForm(form).requested["properties"];

describe("a form", () => {
  test("shows its fields and which are needed", () => {
    const { requested } = createForm(z.object({ name: z.string(), note: z.string().optional() }));
    expect(requested).toEqual({
      type: "object",
      properties: { name: { type: "string" }, note: { type: "string" } },
      required: ["name"],
    });
  });

  test("leaves out an empty list of needed fields, and may have no fields at all", () => {
    expect(createForm(z.object({ note: z.string().optional() })).requested).not.toHaveProperty("required");
    expect(createForm({ type: "object" }).requested).toEqual({ type: "object", properties: {} });
  });

  test("shows nothing of a schema that clients do not know", () => {
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

  test.each(["date", "date-time", "email", "uri"])("shows the format %s", (format) => {
    expect(fields({ type: "object", properties: { a: { type: "string", format } } })).toEqual({
      a: { type: "string", format },
    });
  });

  test.each(["uuid", "time", "ipv4", "hostname"])("does not show the format %s, but checks it", (format) => {
    expect(fields({ type: "object", properties: { a: { type: "string", format } } })).toEqual({
      a: { type: "string" },
    });
  });

  test("does not tell people how large a number JavaScript can hold", () => {
    expect(fields(z.object({ n: z.number().int() }))).toEqual({ n: { type: "integer" } });
    expect(fields(z.object({ n: z.number().int().min(1).max(5) }))).toEqual({
      n: { type: "integer", minimum: 1, maximum: 5 },
    });
  });

  test("may offer one choice or several, with titles", () => {
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
    ["a list of anything", { type: "array", items: { type: "string" } }],
    ["a list of nothing said", { type: "array" }],
    ["several types", { type: ["string", "number"] }],
    ["several types or nothing", { type: ["string", "number", "null"] }],
    ["a choice of numbers", { type: "number", enum: [1, 2] }],
    ["a choice of texts and numbers", { enum: ["a", 1] }],
    ["an empty choice", { type: "string", enum: [] }],
    ["a list of numbers", { type: "array", items: { type: "number", enum: [1] } }],
    ["no type", { anyOf: [{ type: "string" }, { type: "number" }] }],
    ["null", { type: "null" }],
    ["true", true],
  ])("cannot ask for %s", (_kind, field) => {
    expect(() => createForm({ type: "object", properties: { deep: field } })).toThrow(
      new TypeError('Cannot ask with this form: "deep" must be text, a number, yes or no, or a choice of texts'),
    );
  });

  test("is one object, not a choice of several", () => {
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(() => createForm(either)).toThrow(
      new TypeError("Cannot ask with this form: it must be one flat object, without anyOf"),
    );
  });

  test("is an object, or no form", () => {
    expect(() => createForm({ type: "string" })).toThrow(TypeError);
    expect(() => createForm(z.string())).toThrow(TypeError);
  });

  test("reads an answer without mending it, and drops what it did not ask", async () => {
    const form = createForm(z.object({ n: z.number(), plan: z.enum(["free", "paid"]).default("free") }));
    expect(await form.read({ n: 1, extra: true })).toMatchObject({ ok: true, value: { n: 1, plan: "free" } });
    expect(await form.read({ n: "1" })).toMatchObject({ ok: false });
  });

  test("shows one fixed value as a choice of one, or as bounds", () => {
    expect(fields(z.object({ a: z.literal("x"), b: z.literal(5), c: z.literal(true) }))).toEqual({
      a: { type: "string", enum: ["x"] },
      b: { type: "number", minimum: 5, maximum: 5 },
      c: { type: "boolean" },
    });
  });

  test("shows a union of fixed texts as one choice, with titles where there are some", () => {
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

  test("knows a choice that does not say that it is of texts", () => {
    const properties = {
      plan: { enum: ["free", "paid"], default: "free" },
      tags: { type: "array", items: { enum: ["a"] } },
    };
    expect(fields({ type: "object", properties })).toEqual({
      plan: { type: "string", enum: ["free", "paid"], default: "free" },
      tags: { type: "array", items: { type: "string", enum: ["a"] } },
    });
  });

  test("keeps names of choices in the older way", () => {
    const size = { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] };
    expect(fields({ type: "object", properties: { size } })).toEqual({ size });
  });

  test("says the bounds of whole numbers with the words that forms have", () => {
    expect(fields(z.object({ n: z.number().int().gt(0).lt(10), x: z.number().gt(0) }))).toEqual({
      n: { type: "integer", minimum: 1, maximum: 9 },
      x: { type: "number" },
    });
  });

  test("shows no default that is no value of the field", () => {
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

describe("a field that may be null", () => {
  const source = z.object({
    plan: z.enum(["free", "paid"]).nullable().describe("Which one"),
    note: z.string().nullable(),
    age: z.number().int().nullish(),
    tags: z
      .array(z.enum(["a", "b"]))
      .nullable()
      .default(null),
  });

  test("is shown without null, and need not be filled in", () => {
    expect(createForm(source).requested).toEqual({
      type: "object",
      properties: {
        plan: { type: "string", enum: ["free", "paid"], description: "Which one" },
        note: { type: "string" },
        age: { type: "integer" },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
      },
    });
  });

  test("is null where it was left out and is needed, and what it was filled in with else", async () => {
    const form = createForm(source);
    expect(await form.read({})).toMatchObject({ ok: true, value: { plan: null, note: null, tags: null } });
    expect(await form.read({ plan: "paid", note: "", age: 3 })).toMatchObject({
      ok: true,
      value: { plan: "paid", note: "", age: 3, tags: null },
    });
    expect(await form.read({ plan: "gold" })).toMatchObject({ ok: false });
  });

  test("may be written in plain JSON Schema, too", () => {
    expect(fields({ type: "object", properties: { a: { type: ["string", "null"], enum: ["x", null] } } })).toEqual({
      a: { type: "string", enum: ["x"] },
    });
  });
});
