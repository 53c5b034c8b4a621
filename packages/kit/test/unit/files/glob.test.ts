import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { compileGlob, compileGlobs } from "../../../src/files/glob.js";

const PATHS = [
  "a",
  "b",
  "ab",
  ".a",
  "a.ts",
  "b.js",
  "a/b",
  "a/b/c",
  "a/.b/c.ts",
  "src/a.ts",
  "src/b/a.ts",
  "src/b/c/a.js",
  "x{y}",
  "😀",
  "a b",
  "-",
  "a/b.ts",
  "{a",
  "a,b",
  "a]b",
];

test.each([
  ["*.ts", ["a.ts", "a/.b/c.ts", "src/a.ts", "src/b/a.ts", "a/b.ts"]],
  ["/a/*", ["a/b", "a/b.ts"]],
  ["src/**", ["src/a.ts", "src/b/a.ts", "src/b/c/a.js"]],
  ["src/**/a.{ts,js}", ["src/a.ts", "src/b/a.ts", "src/b/c/a.js"]],
  ["?", ["a", "b", "a/b", "a/b/c", "😀", "-"]],
  ["x{y}", ["x{y}"]],
  ["{a", ["{a"]],
  [String.raw`\{a`, ["{a"]],
  ["[!a-z]", ["😀", "-"].slice(1)],
  ["{a/b,b}", ["b", "a/b"]],
])("the glob %s fits what it says", (glob, expected) => {
  const { fits } = compileGlob(glob);
  expect(PATHS.filter(fits)).toEqual(expected);
});

test("a glob says which folders can hold what fits", () => {
  const { canHold } = compileGlob("src/b/*.ts");
  expect(["src", "src/b", "src/c", "a", "src/b/c"].map(canHold)).toEqual([true, true, false, false, true]);
  expect(compileGlob("*.ts").canHold("any")).toBe(true);
});

test("globs fit the same paths as with picomatch", () => {
  const part = fc.constantFrom("a", "b", ".", "*", "?", "src", "{a,b}", "{ts,js}", ".ts", "[ab]", "[a-c]");
  const segment = fc.oneof(
    fc.constant("**"),
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
  );
  const globs = fc.array(segment, { minLength: 2, maxLength: 4 }).map((segments) => segments.join("/"));
  const names = fc.array(fc.constantFrom("a", "b", "ab", "src", "a.ts", "b.js", ".a"), { minLength: 1, maxLength: 4 });
  const isPlain = (glob: string): boolean => !/(^|\/)\.{1,2}(\/|$)|\*\*\*|\*\*[^/]|[^/]\*\*|\/\*\*$|^\.\//.test(glob);
  fc.assert(
    fc.property(
      globs.filter(isPlain),
      names.map((parts) => parts.join("/")),
      (glob, below) => {
        expect([glob, below, compileGlob(glob).fits(below)]).toEqual([
          glob,
          below,
          picomatch(glob, { dot: true })(below),
        ]);
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ["a glob", () => compileGlob("{a,".repeat(2_000_000)), "it has more than 1000 characters"],
  ["a negated glob", () => compileGlob(`!${"a".repeat(1000)}`), "it has more than 1000 characters"],
  [
    "many globs",
    () => compileGlobs(Array(11).fill("a".repeat(1000))),
    "Cannot use 11 globs: they have more than 10000",
  ],
])("%s that is too long is refused with a short message", (_what, compile, expected) => {
  expect(compile).toThrow(expected);
  expect(compile).toThrow(/^.{0,300}$/s);
});

test("a glob with many open braces is read in linear time", () => {
  expect(compileGlob("{a,".repeat(333)).fits("a")).toBe(false);
});
