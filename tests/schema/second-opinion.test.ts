import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createSchema, type Reading, type Schema } from "../../packages/engine/src/schema/schema.js";
import { schema, value } from "./random.js";

const RUNS = { seed: 20_260_728, numRuns: 1_000 };

/** A random schema may refer to itself in a circle, which is refused by design. */
function open(source: Record<string, unknown>, options: { repair: boolean; unknownKeys: "refuse" | "allow" }) {
  try {
    return createSchema(source, { ...options, root: "any" });
  } catch (error) {
    expect((error as Error).message).toMatch(/leads back to itself/);
    return undefined;
  }
}

function freeze<Value>(content: Value): Value {
  if (typeof content === "object" && content !== null) for (const item of Object.values(content)) freeze(item);
  return Object.freeze(content);
}

it("every verdict is that of an independent validator", () => {
  let compared = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 4, maxLength: 4 }), (source, values) => {
      const ours = open(source, { repair: false, unknownKeys: "allow" });
      if (!ours) return;
      const theirs = new Validator(source, "2020-12");
      for (const each of values) {
        compared++;
        expect((ours.read(each) as Reading).ok).toBe(theirs.validate(each).valid);
      }
    }),
    RUNS,
  );
  expect(compared).toBeGreaterThan(3_000);
});

it("reading never throws, never changes its input, and says why it refuses", () => {
  fc.assert(
    fc.property(schema, value, (source, each) => {
      const ours = open(source, { repair: true, unknownKeys: "refuse" });
      if (!ours) return;
      const reading = ours.read(freeze(each)) as Reading;
      if (reading.ok) expect(reads(ours, reading.value)).toBe(true);
      else {
        expect(reading.faults.length).toBeGreaterThan(0);
        if (reading.example) expect(reads(ours, reading.example)).toBe(true);
      }
    }),
    RUNS,
  );
});

function reads(ours: Schema, content: unknown): boolean {
  const reading = ours.read(content) as Reading;
  return reading.ok && reading.repairs.length === 0;
}
