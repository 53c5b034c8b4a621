import { expect, it } from "vitest";
import { createSchema } from "../../src/schema/schema.js";

const SOURCE = { type: "object", properties: { a: { type: "integer" } } };

it("a valid value is validated synchronously, an invalid one asynchronously", async () => {
  const schema = createSchema(SOURCE, { correct: true, unknownProperties: "reject", root: "object" });
  expect(schema.validate({ a: 1 })).toEqual({ ok: true, value: { a: 1 }, corrections: [] });
  const corrected = schema.validate({ a: "2" });
  const rejected = schema.validate({ a: "x" });
  expect([corrected, rejected]).toEqual([expect.any(Promise), expect.any(Promise)]);
  expect(await corrected).toEqual({ ok: true, value: { a: 2 }, corrections: ['a: read "2" as the number 2'] });
  expect(await rejected).toMatchObject({ ok: false, issues: ['a: expected an integer, got "x"'], example: { a: 1 } });
});

it("an invalid value is corrected after another one was too complex", async () => {
  const properties = { a: { $ref: "#" }, n: { $ref: "#/$defs/n" } };
  const choices = ["x", "y", "n"].map((name) => ({ type: "object", properties, required: [name] }));
  const source = { type: "object", anyOf: choices, $defs: { n: { type: "integer" } } };
  const schema = createSchema(source, { correct: true, unknownProperties: "allow", root: "object" });
  let complex: Record<string, unknown> = { z: 1 };
  for (let depth = 0; depth < 64; depth++) complex = { a: complex, x: 1, y: 1 };
  const wrong = schema.validate({ n: "1" });
  expect(schema.validate(complex)).toMatchObject({
    issues: ["too complex to validate: nest fewer objects or arrays"],
  });
  expect(await wrong).toMatchObject({ ok: true, value: { n: 1 } });
});
