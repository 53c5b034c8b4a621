import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, parseMessage } from "../../packages/engine/src/jsonrpc/messages.js";
import { schema as schemas, value as values } from "../../packages/engine/test/schema/random.js";
import { spoil } from "./mutate.js";
import { Random } from "./random.js";
import { change, SEEDS } from "./seeds.js";
import { codec } from "./targets/codec.js";
import { schema } from "./targets/schema.js";
import { TARGETS } from "./targets.js";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 600);
/** A conversation costs as much as a hundred other inputs. */
const runsOf = (name: string): number => (name === "conversation" ? Math.ceil(RUNS / 10) : RUNS);
const options = { seed: 20_260_728, endOnFailure: process.env["FUZZ_SHRINK"] === undefined };

describe("almost valid inputs", () => {
  test.each(Object.entries(TARGETS))("violate no property: %s", { timeout: 3_600_000 }, async (name, target) => {
    const seeds = SEEDS[name] ?? [];
    expect(seeds.length).toBeGreaterThan(1);
    for (const seed of seeds) await target(seed);
    const property = fc.asyncProperty(
      fc.array(fc.noBias(fc.integer()), { minLength: 1, maxLength: 5 }),
      async (numbers) => {
        let input = new Random(numbers[0] ?? 0).pick(seeds);
        for (const number of numbers) input = change(new Random(number), input, seeds);
        await target(input);
      },
    );
    await fc.assert(property, { ...options, numRuns: runsOf(name) });
  });
});

describe("any document", () => {
  const spoilt = fc.tuple(schemas, fc.array(fc.noBias(fc.integer()), { maxLength: 3 })).map(([source, numbers]) => {
    const copy = structuredClone(source);
    for (const number of numbers) spoil(new Random(number), copy as Parameters<typeof spoil>[1]);
    return copy;
  });

  test("is compiled or rejected when it is defined, and validates any value without throwing", {
    timeout: 3_600_000,
  }, async () => {
    const property = fc.asyncProperty(spoilt, fc.oneof(values, fc.jsonValue()), async (source, each) => {
      await schema(JSON.stringify({ schema: source, value: each }));
    });
    await fc.assert(property, { ...options, numRuns: RUNS });
  });
});

describe("any id", () => {
  const integers = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
  const key = fc.constantFrom('"id"', '"\\u0069d"', '"i\\u0064"');
  const decoy = fc.constantFrom('"params":{"id":7}', '"x":"\\"id\\":8"', '"ID":9', '"y":[{"id":1},"\\\\"]', '"id":3');

  test("keeps all its digits, at any position", () => {
    const property = fc.property(integers, key, fc.array(decoy), fc.array(decoy), (id, name, before, after) => {
      // The last of several equal keys counts.
      const behind = after.filter((member) => member !== '"id":3');
      const members = ['"jsonrpc":"2.0"', ...before, `${name} : ${id}`, ...behind, '"method":"ping"'];
      const text = `{${members.join(",")}}`;
      void codec(text);
      expect(String(parseMessage(parseJson(text), text).id)).toBe(String(id));
    });
    fc.assert(property, { ...options, numRuns: RUNS });
  });
});
