import { expect, it } from "vitest";
import { createSchema } from "./schema.js";

const SOURCE = { type: "object", properties: { a: { type: "integer" } } };

it("a right value is read at once, a wrong one later", async () => {
  const schema = createSchema(SOURCE, { repair: true, unknownKeys: "refuse", root: "object" });
  expect(schema.read({ a: 1 })).toEqual({ ok: true, value: { a: 1 }, repairs: [] });
  const repaired = schema.read({ a: "2" });
  const refused = schema.read({ a: "x" });
  expect([repaired, refused]).toEqual([expect.any(Promise), expect.any(Promise)]);
  expect(await repaired).toEqual({ ok: true, value: { a: 2 }, repairs: ['a: read "2" as the number 2'] });
  expect(await refused).toMatchObject({ ok: false, faults: ['a: expected an integer, got "x"'], example: { a: 1 } });
});

it("a wrong value is read as well after another one that was too intricate", async () => {
  const properties = { a: { $ref: "#" }, n: { $ref: "#/$defs/n" } };
  const choices = ["x", "y", "n"].map((name) => ({ type: "object", properties, required: [name] }));
  const source = { type: "object", anyOf: choices, $defs: { n: { type: "integer" } } };
  const schema = createSchema(source, { repair: true, unknownKeys: "allow", root: "object" });
  let intricate: Record<string, unknown> = { z: 1 };
  for (let depth = 0; depth < 64; depth++) intricate = { a: intricate, x: 1, y: 1 };
  const wrong = schema.read({ n: "1" });
  expect(schema.read(intricate)).toMatchObject({
    faults: ["too intricate to be checked: nest fewer objects or arrays"],
  });
  expect(await wrong).toMatchObject({ ok: true, value: { n: 1 } });
});
