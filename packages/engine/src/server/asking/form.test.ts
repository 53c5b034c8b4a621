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
    ["several types", { type: ["string", "null"] }],
    ["no type", { anyOf: [{ type: "string" }, { type: "number" }] }],
    ["null", { type: "null" }],
    ["true", true],
  ])("cannot ask for %s", (_kind, field) => {
    expect(() => createForm({ type: "object", properties: { deep: field } })).toThrow(
      new TypeError('Cannot ask with this form: "deep" must be text, a number, yes or no, or a choice'),
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
    const { schema } = createForm(z.object({ n: z.number(), plan: z.enum(["free", "paid"]).default("free") }));
    expect(await schema.read({ n: 1, extra: true })).toMatchObject({ ok: true, value: { n: 1, plan: "free" } });
    expect(await schema.read({ n: "1" })).toMatchObject({ ok: false });
  });
});
