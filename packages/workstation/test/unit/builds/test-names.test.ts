import { describe, expect, it } from "vitest";
import {
  dotnetFilter,
  goPattern,
  gradlePattern,
  mavenPattern,
  pytestArgs,
  titlePattern,
  unittestArgs,
} from "../../../src/builds/test-names.js";

describe("titlePattern", () => {
  it.each([
    ["tiny > adds (1) [a|b] $2.00?", "tiny adds (1) [a|b] $2.00?"],
    ["tiny › adds", "tiny adds"],
    ["tiny > a > b", "tiny a > b"],
    ["/users/x", "/users/x"],
    [String.raw`a\d`, String.raw`a\d`],
  ])("makes of %j what matches %j", (test, title) => {
    expect(new RegExp(titlePattern(test)).exec(title)?.[0]).toBe(title);
  });

  it("begins with no slash, and means no other character", () => {
    expect(titlePattern("/a/g")).toBe(String.raw`\/a\/g`);
    expect(new RegExp(titlePattern("a.b")).test("axb")).toBe(false);
  });
});

it.each([
  ["TestA", "./...", "^TestA$"],
  ["example.com/m/inner.TestA/x", "example.com/m/inner", "^TestA$/^x$"],
  ["example.com/m.TestA/f(1)_[b].TestB", "example.com/m", String.raw`^TestA$/^f\(1\)_\[b\]\.TestB$`],
  ["TestA/x.TestB", "./...", String.raw`^TestA$/^x\.TestB$`],
  ["inner.ExampleTwice", "./...", "^ExampleTwice$"],
])("goPattern takes %s apart", (test, where, pattern) => {
  expect(goPattern(test, "example.com/m")).toEqual({ where, pattern });
});

it.each([
  ["a/test_b.py::T::test_c[(1) - x]", ["--", "a/test_b.py::T::test_c[(1) - x]"]],
  ["T::test_c", ["-k", "T and test_c"]],
  ["test_c[(1)]", ["-k", "test_c[ and 1 and ]"]],
  ["this and not that", ["-k", "this and that"]],
])("pytestArgs picks %s", (test, args) => {
  expect(pytestArgs(test)).toEqual(args);
});

it.each([
  ["adds", ["-k", "*adds*"]],
  ["test_m.T.test_a[1]*", ["-k", "*test_m.T.test_a[[]1][*]", "-k", "*test_m.T.test_a[[]1][*].*"]],
])("unittestArgs picks %s", (test, args) => {
  expect(unittestArgs(test)).toEqual(args);
});

it.each([
  ["ATest", "ATest"],
  ["com.acme.ATest", "com.acme.ATest"],
  ["com.acme.ATest.adds", "com.acme.ATest#adds"],
  ["com.acme.ATest$Inner.adds(int)[1]", "com.acme.ATest$Inner#adds"],
  ["ATest#adds", "ATest#adds"],
])("mavenPattern makes of %s: %s", (test, pattern) => {
  expect(mavenPattern(test)).toBe(pattern);
});

it.each([
  ["ATest", "ATest"],
  ["com.acme.ATest > adds()", "com.acme.ATest.adds"],
  ["ATest > Inner > adds(int, int) > [1] 1, 2", "ATest$Inner.adds"],
])("gradlePattern makes of %s: %s", (test, pattern) => {
  expect(gradlePattern(test)).toBe(pattern);
});

it.each([
  ["Tiny.Tests.Breaks(x: 1)", "FullyQualifiedName~Tiny.Tests.Breaks"],
  ["a|b", String.raw`FullyQualifiedName~a\|b`],
])("dotnetFilter makes of %s: %s", (test, filter) => {
  expect(dotnetFilter(test)).toBe(filter);
});
