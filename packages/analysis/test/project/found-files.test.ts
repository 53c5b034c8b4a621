import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { makeFolder, putFile } from "../kit.js";
import { openProject, pathsOf } from "./open-project.js";

const ONE = "export const one = () => 1;\n";

test("files are in the order of their paths, and each has its language and origin", async () => {
  const project = await openProject({
    files: { "src/b.ts": ONE, "a.py": "x = 1\n", "src/a.test.ts": ONE, "read.me": "" },
  });
  const { files, root } = await project.read();
  expect(root).toBe(project.root);
  expect(files.map(({ path: name, displayPath, language, origin }) => [name, displayPath, language, origin])).toEqual([
    ["a.py", "a.py", "python", "own"],
    ["src/a.test.ts", "src/a.test.ts", "typescript", "test"],
    ["src/b.ts", "src/b.ts", "typescript", "own"],
  ]);
  expect(files[0]?.realPath).toBe(path.join(project.root, "a.py"));
});

test("what git ignores is not looked at, by the rules of each folder; .git never is", async () => {
  const project = await openProject({
    files: {
      ".git/hooks/x.ts": ONE,
      ".gitignore": "out/\n*.tmp.ts\n",
      "out/a.ts": ONE,
      "src/a.tmp.ts": ONE,
      "src/.gitignore": "secret.ts\n!kept.tmp.ts\n",
      "src/secret.ts": ONE,
      "src/kept.tmp.ts": ONE,
      "secret.ts": ONE,
    },
  });
  expect(pathsOf(await project.read())).toEqual(["secret.ts", "src/kept.tmp.ts"]);
});

test("links are not followed, be they to a file outside, to a folder outside or in a circle", async () => {
  const outside = await makeFolder();
  await putFile(outside, "stolen.ts", ONE);
  const project = await openProject({ files: { "a.ts": ONE } });
  await symlink(path.join(outside, "stolen.ts"), path.join(project.root, "b.ts"));
  await symlink(outside, path.join(project.root, "lib"));
  await symlink(project.root, path.join(project.root, "self"));
  expect(pathsOf(await project.read())).toEqual(["a.ts"]);
});

test("generated and vendored files are counted and left out, and read where all are wanted", async () => {
  const files = {
    "a.ts": ONE,
    "b.ts": `// @generated\n${ONE}`,
    "dist/c.js": ONE,
    "node_modules/x/index.js": ONE,
    "vendor/y.php": "<?php echo 1;\n",
  };
  const project = await openProject({ files });
  const some = await project.read();
  expect([pathsOf(some), some.left_out]).toEqual([["a.ts"], { generated: 2, vendored: 2 }]);
  const all = await project.read({ all: true });
  expect(all.files.map(({ path: name, origin }) => [name, origin])).toEqual([
    ["a.ts", "own"],
    ["b.ts", "generated"],
    ["dist/c.js", "generated"],
    ["node_modules/x/index.js", "vendored"],
    ["vendor/y.php", "vendored"],
  ]);
  expect(all.left_out).toEqual({ generated: 0, vendored: 0 });
});

test("a repository says itself what is generated or vendored, and its word goes over what a file looks like", async () => {
  const project = await openProject({
    files: {
      ".gitattributes": "api/*.ts linguist-generated\nlegacy/** linguist-vendored=true\ndist/** -linguist-generated\n",
      "api/a.ts": ONE,
      "api/.gitattributes": "hand.ts linguist-generated=false\n",
      "api/hand.ts": `// @generated\n${ONE}`,
      "legacy/b.ts": ONE,
      "dist/c.js": ONE,
    },
  });
  const { files, left_out } = await project.read();
  expect(files.map(({ path: name, origin }) => [name, origin])).toEqual([
    ["api/hand.ts", "own"],
    ["dist/c.js", "own"],
  ]);
  expect(left_out).toEqual({ generated: 1, vendored: 1 });
  // The rules above the folder that is read hold too.
  expect((await project.read({ path: "legacy" })).left_out).toEqual({ generated: 0, vendored: 1 });
});

test("globs and languages narrow what is read, and one that fits a folder stands for all in it", async () => {
  const project = await openProject({
    files: { "src/a.ts": ONE, "src/deep/b.ts": ONE, "src/c.py": "", "old/d.ts": ONE, "lib/e.ts": ONE },
    settings: { exclude: ["old"] },
  });
  const read = async (wish: object) => pathsOf(await project.read(wish));
  expect(await read({})).toEqual(["lib/e.ts", "src/a.ts", "src/c.py", "src/deep/b.ts"]);
  expect(await read({ include: ["src"] })).toEqual(["src/a.ts", "src/c.py", "src/deep/b.ts"]);
  expect(await read({ include: ["src/*.ts", "*.py"] })).toEqual(["src/a.ts", "src/c.py"]);
  expect(await read({ exclude: ["deep", "lib/**"] })).toEqual(["src/a.ts", "src/c.py"]);
  expect(await read({ languages: ["python"] })).toEqual(["src/c.py"]);
});

test("one file can be named, whatever it is; one in no known language is refused", async () => {
  const project = await openProject({ files: { "node_modules/x/min.js": `// @generated\n${ONE}`, "a.txt": "" } });
  const { files, root } = await project.read({ path: "node_modules/x/min.js" });
  expect(files.map(({ path: name, displayPath }) => [name, displayPath])).toEqual([
    ["min.js", "node_modules/x/min.js"],
  ]);
  expect(root).toBe(path.join(project.root, "node_modules/x"));
  await expect(project.read({ path: "a.txt" })).rejects.toThrow(
    /^Cannot analyze "a.txt": its language is not supported\. Supported are folders, and files with the extensions \.ts, /,
  );
  await expect(project.read({ path: "b.ts" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(project.read({ path: "../b.ts" })).rejects.toMatchObject({ code: "FORBIDDEN_PATH" });
});

test("names that are hard on programs are names like others", async () => {
  const names = ["-rf.ts", "a b.ts", "line\nbreak.ts", "naïve.ts", 'quote".ts', "~.ts", "日本.ts", "$(id).ts"];
  const project = await openProject({ files: Object.fromEntries(names.map((name) => [name, ONE])) });
  expect(pathsOf(await project.read())).toEqual(names.toSorted());
});

test("an empty folder is a project without files", async () => {
  const project = await openProject();
  await mkdir(path.join(project.root, "empty"));
  expect(await project.read()).toEqual({
    root: project.root,
    files: [],
    skipped: [],
    left_out: { generated: 0, vendored: 0 },
    read: 0,
    known: 0,
  });
});
