import { open, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { makeFolder, nextPage, openWorkstation } from "../kit.js";

interface Found {
  readonly path: string;
  readonly count?: number;
  readonly matches?: { readonly line: number; readonly column: number; readonly text: string }[];
}

const files = (result: JsonObject): Found[] => result["files"] as unknown as Found[];

/** `path:line:column` of all that was found. */
const places = (result: JsonObject): string[] =>
  files(result).flatMap(({ path: file, matches }) =>
    (matches ?? []).map(({ line, column }) => `${file}:${line}:${column}`),
  );

describe("fs_search", () => {
  test("gives path, line, column and text of each line that fits", async () => {
    const { call } = await openWorkstation({
      files: { "a.ts": "let one;\nlet two = one + one;\n", "b/c.ts": "ONE", "b/d.md": "none" },
    });
    expect(await call("fs_search", { pattern: "one" })).toEqual({
      files: [
        {
          path: "a.ts",
          matches: [
            { line: 1, column: 5, text: "let one;" },
            { line: 2, column: 11, text: "let two = one + one;" },
          ],
        },
        { path: "b/d.md", matches: [{ line: 1, column: 2, text: "none" }] },
      ],
      matches: 3,
      searched: 3,
    });
    expect(places(await call("fs_search", { pattern: "one", glob: "*.ts", ignore_case: true }))).toEqual([
      "a.ts:1:5",
      "a.ts:2:11",
      "b/c.ts:1:1",
    ]);
    expect(places(await call("fs_search", { pattern: "(?i)^ONE$", path: "b" }))).toEqual(["b/c.ts:1:1"]);
    expect(places(await call("fs_search", { pattern: "two", path: "a.ts" }))).toEqual(["a.ts:2:5"]);
  });

  test("takes text literally where that is wanted", async () => {
    const { call } = await openWorkstation({ files: { a: "f(x) {\nf.x.\n[a-z]+\\d$^|" } });
    expect(places(await call("fs_search", { pattern: "f(x) {", literal: true }))).toEqual(["a:1:1"]);
    expect(places(await call("fs_search", { pattern: "[a-z]+\\d$^|", literal: true }))).toEqual(["a:3:1"]);
    expect(places(await call("fs_search", { pattern: String.raw`f\(x\) {` }))).toEqual(["a:1:1"]);
  });

  test("respects .gitignore, hidden paths and links", async () => {
    const outside = await makeFolder();
    await writeFile(path.join(outside, "x"), "needle");
    const { root, call } = await openWorkstation({
      files: { ".gitignore": "dist/\n", "dist/a": "needle", ".env": "needle", "src/a": "needle", ".git/b": "needle" },
      policy: { hidden: [".env"] },
    });
    await symlink(outside, path.join(root, "folder"));
    await symlink(path.join(outside, "x"), path.join(root, "file"));
    expect(places(await call("fs_search", { pattern: "needle" }))).toEqual(["src/a:1:1"]);
    expect(places(await call("fs_search", { pattern: "needle", ignored: true }))).toEqual(["dist/a:1:1", "src/a:1:1"]);
  });

  test("gives the lines around a match, each once", async () => {
    const { call } = await openWorkstation({ files: { a: "1\n2\nx3\n4\nx5\n6\n7\n8\n9\nx10" } });
    const [found] = files(await call("fs_search", { pattern: "x", context: 2 }));
    expect(found?.matches).toEqual([
      { line: 3, column: 1, text: "x3", before: ["1", "2"], after: ["4"] },
      { line: 5, column: 1, text: "x5", after: ["6", "7"] },
      { line: 10, column: 1, text: "x10", before: ["8", "9"] },
    ]);
  });

  test("counts lines, file by file", async () => {
    const { call } = await openWorkstation({ files: { a: "x\nx x\ny", b: "y", c: "x" } });
    expect(await call("fs_search", { pattern: "x", counts: true })).toEqual({
      files: [
        { path: "a", count: 2 },
        { path: "c", count: 1 },
      ],
      matches: 3,
      searched: 3,
    });
    const first = await call("fs_search", { pattern: "x", counts: true, limit: 1 });
    expect(files(first)).toEqual([{ path: "a", count: 2 }]);
    expect(files(await call("fs_search", { pattern: "x", counts: true, limit: 1, ...nextPage(first) }))).toEqual([
      { path: "c", count: 1 },
    ]);
  });

  test("comes in pages, each line exactly once, also with a bound for each file", async () => {
    const made = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d${at % 5}/f${at}`, "x\ny\n".repeat(at)]));
    const { call } = await openWorkstation({ files: made });
    const all = places(await call("fs_search", { pattern: "x", limit: 10_000 }));
    for (const more of [{ limit: 7 }, { limit: 100, context: 1 }, { limit: 11, per_file: 3 }]) {
      const seen: string[] = [];
      for (let next: JsonObject | undefined = {}; next !== undefined; ) {
        const page: JsonObject = await call("fs_search", { pattern: "x", ...more, ...next });
        seen.push(...places(page));
        next = nextPage(page);
      }
      const isFew = "per_file" in more;
      expect(seen).toEqual(isFew ? all.filter((place) => Number(place.split(":")[1]) <= 6) : all);
    }
  });

  test("finds text in every encoding, and passes over what is no text", async () => {
    const { call } = await openWorkstation({
      files: {
        "a.utf8": "Käse\r\n",
        "b.bom": "\uFEFFKäse",
        "c.utf16le": Buffer.from("\uFEFFx\r\nKäse", "utf16le"),
        "d.utf16be": Buffer.from("\uFEFFKäse", "utf16le").swap16(),
        "e.latin1": Buffer.from("Käse\n", "latin1"),
        "f.bin": Buffer.from("\0\u0001\u0002Käse\n"),
      },
    });
    expect(places(await call("fs_search", { pattern: "^Käse$" }))).toEqual([
      "a.utf8:1:1",
      "b.bom:1:1",
      "c.utf16le:2:1",
      "d.utf16be:1:1",
      "e.latin1:1:1",
    ]);
    expect(await call("fs_search", { pattern: "K.se", counts: true })).toMatchObject({ matches: 5, searched: 6 });
  });

  test("shows only a part of a long line, around the match", async () => {
    const { call } = await openWorkstation({ files: { a: `${"y".repeat(5000)}needle${"z".repeat(5000)}` } });
    const [found] = files(await call("fs_search", { pattern: "needle" }));
    expect(found?.matches?.[0]).toMatchObject({ line: 1, column: 5001 });
    expect(found?.matches?.[0]?.text).toBe(`…${"y".repeat(100)}needle${"z".repeat(294)}…`);
  });

  test("a hundred megabytes in one line are searched piece by piece", async () => {
    const { root, call } = await openWorkstation({ files: { a: "x" } });
    await truncate(path.join(root, "a"), 100 * 1024 * 1024);
    const handle = await open(path.join(root, "a"), "r+");
    await handle.write("y".repeat(1_100_000), 0);
    // Across the border of two pieces.
    await handle.write("needle", 20 * 1024 * 1024 - 3);
    await handle.close();
    expect(places(await call("fs_search", { pattern: "needle" }))).toEqual([`a:1:${20 * 1024 * 1024 - 2}`]);
    expect(await call("fs_search", { pattern: "^needle|needle$", path: "a" })).toMatchObject({ matches: 0 });
  });

  test("cannot be made to hang by a pattern", async () => {
    const { fail, call } = await openWorkstation({ files: { a: `${"a".repeat(60)}!\n`, b: "b" } });
    for (const pattern of ["^(a+)+$", "^(a|a)*$"]) {
      const failed = await fail("fs_search", { pattern, path: "a" });
      expect([pattern, failed.code]).toEqual([pattern, "INVALID_ARGUMENT"]);
      expect(failed.text).toContain("tries too many ways to match");
    }
    expect(places(await call("fs_search", { pattern: "^b+$" }))).toEqual(["b:1:1"]);
  });

  test.each([
    ["(?=x)", "no looking ahead or behind"],
    ["(?<!x)", "no looking ahead or behind"],
    [String.raw`(a)\1`, "refers back to a group"],
    [String.raw`a\nb`, "within one line"],
    ["a\nb", "within one line"],
    ["[[:alpha:]]", "write [A-Za-z]"],
    [String.raw`\Aa`, "is not known here"],
    ["[a--z]", "Range out of order"],
    ["(a", "Unterminated group"],
    ["*a", "Nothing to repeat"],
  ])("refuses %j and says why", async (pattern, reason) => {
    const { fail } = await openWorkstation();
    const failed = await fail("fs_search", { pattern });
    expect(failed.code).toBe("INVALID_ARGUMENT");
    expect(failed.text).toContain(reason);
  });

  test("refuses a place to go on after that no search has given", async () => {
    const { call, fail } = await openWorkstation({ files: { a: "x" } });
    expect((await fail("fs_search", { pattern: "x", after: "a" })).code).toBe("INVALID_ARGUMENT");
    expect(await call("fs_search", { pattern: "x", after: "0/0:../../etc/passwd" })).toMatchObject({
      files: [{ path: "a" }],
    });
  });

  test("finds files with odd names", async () => {
    const odd = ["-e", "new\nline", "“x” 😀", "tab\t", "--pre=sh"];
    const { call } = await openWorkstation({ files: Object.fromEntries(odd.map((name) => [name, "needle"])) });
    expect(files(await call("fs_search", { pattern: "needle" })).map((file) => file.path)).toEqual(odd.sort());
  });
});

describe("a file that is too large to be searched", () => {
  test("is named, and the others are searched", async () => {
    const { root, call } = await openWorkstation({
      files: { "a.txt": "needle\n", "huge.log": "none\n", "z.txt": "needle\n" },
    });
    await truncate(path.join(root, "huge.log"), 8 * 1024 ** 4);
    expect(await call("fs_search", { pattern: "needle" })).toEqual({
      files: [
        { path: "a.txt", matches: [{ line: 1, column: 1, text: "needle" }] },
        { path: "z.txt", matches: [{ line: 1, column: 1, text: "needle" }] },
      ],
      matches: 2,
      searched: 3,
      skipped: ["huge.log (larger than 1 GiB)"],
    });
    expect(await call("fs_search", { pattern: "needle", path: "huge.log" })).toMatchObject({
      matches: 0,
      skipped: ["huge.log (larger than 1 GiB)"],
    });
  }, 60_000);
});
