import { expect, test } from "vitest";
import { chooseSteps } from "../../../src/hotspots/steps.js";

const block = (line: number, end_line: number, takes: number, becomes: number) => ({
  what: 'the "for"',
  line,
  end_line,
  takes,
  becomes,
  jumps: [],
});

test("the part comes first after which the worse of both functions is best", () => {
  const steps = chooseSteps(20, [block(3, 14, 14, 14), block(4, 13, 13, 9), block(5, 13, 11, 8), block(15, 19, 6, 6)]);
  expect(steps).toEqual([
    {
      what: 'the "for"',
      line: 5,
      end_line: 13,
      takes: 11,
      becomes: 8,
      leaves: 9,
      advice: 'Extract lines 5–13 (the "for"): removes 11 of 20, 9 remain; the new function has 8.',
    },
  ]);
});

test("what is left is taken apart in turn, without lines that are gone already", () => {
  const steps = chooseSteps(60, [block(1, 20, 30, 20), block(5, 15, 20, 10), block(30, 40, 16, 12)]);
  expect(steps.map(({ advice }) => advice)).toEqual([
    'Extract lines 1–20 (the "for"): removes 30 of 60, 30 remain; the new function has 20, so split it further.',
    'Extract lines 30–40 (the "for"): removes 16 of 30, 14 remain; the new function has 12.',
  ]);
});

test("a function that is not too complex is left alone", () => {
  expect(chooseSteps(15, [block(1, 9, 8, 5)])).toEqual([]);
});

test("a part that is nearly the whole function is no help", () => {
  expect(chooseSteps(21, [block(2, 9, 19, 19)])).toEqual([]);
});

test("a part that leaves the function says that the caller must test it", () => {
  const [step] = chooseSteps(34, [{ ...block(5, 22, 23, 15), jumps: ["return", "break"] }]);
  expect(step).toMatchObject({ leaves: 11, jumps: ["return", "break"] });
  expect(step?.advice).toBe(
    'Extract lines 5–22 (the "for"): removes 23 of 34, 11 remain; the new function has 15. It contains return and break: the caller must test the result, which is included.',
  );
});
