import { expect, test } from "vitest";
import { brand } from "./brand.js";

/** The class as one copy of the engine has it. */
function makeCopy() {
  class Made {
    readonly word = "made";
  }
  brand(Made, "Made for a test");
  return Made;
}

test("what one copy of a class has made is an instance of the other", () => {
  const [Own, Other] = [makeCopy(), makeCopy()];
  expect(new Other() instanceof Own).toBe(true);
  expect(new Own() instanceof Own).toBe(true);
});

test.each([undefined, null, "text", {}, [], new Error("other")])("%s is none", (value) => {
  expect(value instanceof makeCopy()).toBe(false);
});

test("a class that extends it is told apart as any other", () => {
  const Own = makeCopy();
  class Narrower extends Own {}
  expect(new Narrower() instanceof Own).toBe(true);
  expect(new Own() instanceof Narrower).toBe(false);
});
