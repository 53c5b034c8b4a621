import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

/** What git itself would add, as paths. */
function filesOfGit(root: string): string[] {
  const env = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", ["init", "-q", "."], { cwd: root, env });
  const listed = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-standard"], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return listed.split("\0").filter(Boolean).sort();
}

const found = async (
  call: (name: string, args: JsonObject) => Promise<JsonObject>,
  args: JsonObject = {},
): Promise<string[]> =>
  ((await call("fs_find", { glob: "**", limit: 1000, ...args }))["found"] as JsonObject[]).map(
    (file) => file["path"] as string,
  );

const TREE = Object.fromEntries(
  [
    "a.log",
    "b.txt",
    "build/x",
    "src/build/y",
    "src/a.log",
    "src/keep.log",
    "src/deep/keep.log",
    "src/deep/other.log",
    "vendor/drop/a",
    "vendor/keep/a",
    "vendor/keep/b.log",
    "docs/a.md",
    "docs/sub/b.md",
    "docs/sub/deeper/c.md",
    "foo/bar",
    "x/foo/bar",
    "logs/a/b",
    "logs/keep/c",
    "temp~",
    "#odd",
    "!odd",
    "sp ace ",
    "[x].js",
    "x.js",
    "Case/UPPER.TXT",
    "case/upper.txt",
    "star*name",
    "q/one.c",
    "q/two.c",
    "q/three.h",
    "ü/ä.log",
    "only/dir/f",
    "only/file",
  ].map((name) => [name, ""]),
);

const RULES: readonly (readonly [name: string, files: Record<string, string>])[] = [
  ["names, endings and folders", { ".gitignore": "*.log\nbuild/\n*~\n" }],
  ["a later rule brings back", { ".gitignore": "*.log\n!keep.log\n" }],
  [
    "a nearer file brings back, and takes away",
    { ".gitignore": "*.log\n", "src/.gitignore": "!*.log\n", "src/deep/.gitignore": "other.*\n" },
  ],
  [
    "nothing is brought back from a folder that is left out",
    { ".gitignore": "vendor/\n!vendor/keep/\n", "vendor/.gitignore": "!*\n" },
  ],
  [
    "a folder is left out by a wildcard, and brought back by a nearer file",
    { ".gitignore": "vendor/*\n", "vendor/.gitignore": "!keep\n", "vendor/keep/.gitignore": "*.log\n" },
  ],
  ["a folder is left out by a wildcard, and brought back", { ".gitignore": "/vendor/*\n!/vendor/keep\n" }],
  ["anchored and not", { ".gitignore": "/foo\n/docs/sub\n" }],
  ["two stars", { ".gitignore": "docs/**/*.md\nlogs/**\n!logs/keep/\n**/foo\n" }],
  ["everything but", { ".gitignore": "*\n!*/\n!*.c\n!.gitignore\n" }],
  ["odd characters", { ".gitignore": "\\#odd\n\\!odd\nsp ace\\ \n\\[x\\].js\nstar\\*name\n# comment\n\n" }],
  ["classes and question marks", { ".gitignore": "q/[!t]*.c\nq/t?o.c\n[[:alpha:]].txt\n" }],
  ["case counts", { ".gitignore": "upper.txt\n" }],
  ["unicode", { ".gitignore": "ä.log\n" }],
  ["only folders", { ".gitignore": "file/\ndir/\n" }],
  ["line ends of Windows, and a mark", { ".gitignore": "\uFEFF*.log\r\nbuild/\r\n" }],
];

describe("what git ignores", () => {
  test.each(RULES)("%s: the same as git itself says", async (_name, rules) => {
    const { root, call } = await openWorkstation({ files: { ...TREE, ...rules } });
    const expected = filesOfGit(root);
    expect((await found(call)).sort()).toEqual(expected);
    expect(expected.length).toBeLessThan(Object.keys(TREE).length + Object.keys(rules).length);
    for (const name of ["src/a.log", "vendor/keep/b.log", "docs/sub/b.md", "build/x"])
      expect([name, (await call("fs_info", { path: name }))["git_ignored"]]).toEqual([name, !expected.includes(name)]);
  });

  test("the rules of a repository count below it, and end where another one begins", async () => {
    const { root, call } = await openWorkstation({
      files: {
        "one/.gitignore": "*.log\n",
        "one/a.log": "",
        "one/in/a.log": "",
        "one/in/b": "",
        "one/two/a.log": "",
        "one/two/.git/HEAD": "",
        "a.log": "",
      },
    });
    filesOfGit(path.join(root, "one"));
    expect(await found(call)).toEqual(["a.log", "one/.gitignore", "one/in/b", "one/two/a.log"]);
    expect(await found(call, { path: "one/in" })).toEqual(["one/in/b"]);
  });

  test("the rules that are not shared count too", async () => {
    const { root, call } = await openWorkstation({ files: { a: "", b: "", "sub/b": "" } });
    filesOfGit(root);
    await writeFile(path.join(root, ".git/info/exclude"), "b\n");
    expect(await found(call)).toEqual(["a"]);
    expect(await found(call, { ignored: true })).toEqual(["a", "b", "sub/b"]);
  });
});
