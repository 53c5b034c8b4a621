import { expect, test } from "vitest";
import { sampleOf } from "../../../../src/cli/use/tool-help.js";

const ROOT = { $defs: { point: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } } };

test.each([
  [{ type: "string" }, "hello"],
  [{ type: "string", examples: ["src"] }, "src"],
  [{ type: "string", default: "a" }, "a"],
  [{ type: "string", format: "date" }, "2030-01-31"],
  [{ type: "string", minLength: 7 }, "helloxx"],
  [{ type: "string", maxLength: 2 }, "he"],
  [{ enum: ["fast", "slow"] }, "fast"],
  [{ const: 4 }, 4],
  [{ type: "integer" }, 1],
  [{ type: "integer", minimum: 5 }, 5],
  [{ type: "integer", exclusiveMinimum: 5 }, 6],
  [{ type: "number", maximum: 0 }, 0],
  [{ type: "integer", multipleOf: 10 }, 10],
  [{ type: "boolean" }, true],
  [{ type: "array", items: { type: "integer" }, minItems: 2 }, [1, 1]],
  [{ $ref: "#/$defs/point" }, { x: 1 }],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, 1],
  [{}, "hello"],
])("%j: %j", (schema, value) => {
  expect(sampleOf(schema, ROOT)).toEqual(value);
});

test("a schema that holds itself has an end", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["next"] };
  expect(sampleOf({ $ref: "#/$defs/node" }, { $defs: { node } })).toEqual({
    next: { next: { next: { next: { next: {} } } } },
  });
});
