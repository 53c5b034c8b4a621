import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createSchema, type Schema } from "../../src/schema/schema.js";
import { schema, value } from "./random.js";

const RUNS = { seed: 20_260_728, numRuns: 1_000 };

/** A random schema may refer to itself in a circle, which is rejected by design. */
function open(source: Record<string, unknown>, options: { correct: boolean; unknownProperties: "reject" | "allow" }) {
  try {
    return createSchema(source, { ...options, root: "any" });
  } catch (error) {
    expect((error as Error).message).toMatch(/refers to itself/);
    return undefined;
  }
}

function freeze<Value>(content: Value): Value {
  if (typeof content === "object" && content !== null) for (const item of Object.values(content)) freeze(item);
  return Object.freeze(content);
}

it("every result is that of an independent validator", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(schema, fc.array(value, { minLength: 4, maxLength: 4 }), async (source, values) => {
      const ours = open(source, { correct: false, unknownProperties: "allow" });
      if (!ours) return;
      const theirs = new Validator(source, "2020-12");
      for (const each of values) {
        compared++;
        expect((await ours.validate(each)).ok).toBe(theirs.validate(each).valid);
      }
    }),
    RUNS,
  );
  expect(compared).toBeGreaterThan(3_000);
});

it("validation never throws, never changes its input, and explains a rejection", async () => {
  await fc.assert(
    fc.asyncProperty(schema, value, async (source, each) => {
      const ours = open(source, { correct: true, unknownProperties: "reject" });
      if (!ours) return;
      const reading = await ours.validate(freeze(each));
      if (reading.ok) expect(await reads(ours, reading.value)).toBe(true);
      else {
        expect(reading.issues.length).toBeGreaterThan(0);
        if (reading.example) expect(await reads(ours, reading.example)).toBe(true);
      }
    }),
    RUNS,
  );
});

async function reads(ours: Schema, content: unknown): Promise<boolean> {
  const reading = await ours.validate(content);
  return reading.ok && reading.corrections.length === 0;
}
