import { expect, test } from "vitest";
import { brandClass } from "../../src/jsonrpc/errors.js";

/** Creates a class as one copy of the engine has it. */
function makeCopy() {
  class Made {
    readonly word = "made";
  }
  brandClass(Made, "Made for a test");
  return Made;
}

test("an instance of one copy of a class is an instance of the other", () => {
  const [Own, Other] = [makeCopy(), makeCopy()];
  expect(new Other() instanceof Own).toBe(true);
  expect(new Own() instanceof Own).toBe(true);
});

test.each([undefined, null, "text", {}, [], new Error("other")])("%s is not an instance", (value) => {
  expect(value instanceof makeCopy()).toBe(false);
});

test("a subclass is compared as usual", () => {
  const Own = makeCopy();
  class Narrower extends Own {}
  expect(new Narrower() instanceof Own).toBe(true);
  expect(new Own() instanceof Narrower).toBe(false);
});
