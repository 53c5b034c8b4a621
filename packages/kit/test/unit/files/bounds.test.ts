import { describe, expect, test } from "vitest";
import { displayPath, insideRoots, partOf, resolveInput } from "../../../src/files/paths.js";

/** As on macOS, where /tmp is a link; and a second root inside nothing of the first. */
const BOUNDS = {
  roots: [
    { configuredPath: "/tmp/one", realPath: "/private/tmp/one" },
    { configuredPath: "/two", realPath: "/two" },
  ],
};
const WHOLE_DISK = { roots: [{ configuredPath: "/", realPath: "/" }] };
const NESTED = {
  roots: [
    { configuredPath: "/a/b", realPath: "/a/b" },
    { configuredPath: "/a", realPath: "/a" },
  ],
};

describe.skipIf(process.platform === "win32")("a path in words", () => {
  const meant: readonly (readonly [given: string, place: string])[] = [
    ["x", "/private/tmp/one/x"],
    [".", "/private/tmp/one"],
    ["a/../x", "/private/tmp/one/x"],
    ["/tmp/one/x", "/private/tmp/one/x"],
    ["/private/tmp/one/x", "/private/tmp/one/x"],
    ["/two/x", "/two/x"],
    ["file:///tmp/one/a%20b", "/private/tmp/one/a b"],
    ["file://localhost/two/x", "/two/x"],
    ["..x", "/private/tmp/one/..x"],
    ["x/", "/private/tmp/one/x"],
    ["%2e%2e/x", "/private/tmp/one/%2e%2e/x"],
  ];
  test.each(meant)("%s means %s", (given, place) => expect(resolveInput(BOUNDS, given)).toBe(place));

  test.each(["..", "../x", "/", "/tmp", "/tmp/onetwo", "/private/tmp", "/twox", "file:///etc/passwd", "file://"])(
    "%s lies outside",
    (given) =>
      expect(() => resolveInput(BOUNDS, given)).toThrow(
        `Cannot use "${given}": it lies outside the allowed folders. Use a path inside /private/tmp/one or /two.`,
      ),
  );

  test.each(["file://elsewhere/two/x", "file:///two/%2Fx", "file:///two/%00", "file://%"])("%s is no path", (given) =>
    expect(() => resolveInput(BOUNDS, given)).toThrow(`Cannot use the path "${given}": `),
  );

  test("says that no folder is allowed where none is", () => {
    expect(() => resolveInput({ roots: [] }, "x")).toThrow('Cannot use "x": no folder is allowed at the moment.');
  });

  test("repeats no more of a long one than is needed", () => {
    const error = (() => {
      try {
        return resolveInput(BOUNDS, `/${"x".repeat(4000)}`);
      } catch (caught) {
        return caught as Error & { details: { path: string } };
      }
    })();
    expect(error).toMatchObject({ code: "FORBIDDEN_PATH", details: { path: `/${"x".repeat(299)}…` } });
  });
});

describe.skipIf(process.platform === "win32")("a real path", () => {
  test.each([
    ["/private/tmp/one", "."],
    ["/private/tmp/one/a/b", "a/b"],
    ["/private/tmp/one/~", "./~"],
    ["/private/tmp/one/~/x", "./~/x"],
    ["/private/tmp/one/ ", "./ "],
    ["/two/a", "/two/a"],
  ])("%s is shown as %s, and means the same when it is given back", (place, shown) => {
    expect(displayPath(BOUNDS, place)).toBe(shown);
    expect(resolveInput(BOUNDS, shown)).toBe(place);
  });

  test("is shown relative to the first root, whichever root contains it", () => {
    expect([displayPath(NESTED, "/a/b/x"), displayPath(NESTED, "/a/x")]).toEqual(["x", "/a/x"]);
    expect(displayPath(WHOLE_DISK, "/etc/x")).toBe("etc/x");
    expect(resolveInput(WHOLE_DISK, "etc/x")).toBe("/etc/x");
  });

  test("is inside by the spelling of a root, too", () => {
    expect(insideRoots(BOUNDS, "/tmp/one/a")).toBe("/private/tmp/one/a");
    expect(insideRoots(BOUNDS, "/tmp/two")).toBeUndefined();
  });

  test.each([
    ["a/b/c", "/private/tmp/one/a"],
    ["/private/tmp/one/a", "/private/tmp/one/a"],
    [".", "/private/tmp/one"],
    ["/two/b/c", "/two/b"],
    ["file:///two/b/c", "/two/b"],
    ["/elsewhere/x", "/elsewhere"],
  ])("%s belongs to the part %s", (given, part) => expect(partOf(BOUNDS, given)).toBe(part));
});
