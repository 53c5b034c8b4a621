import { chmod, mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { nextPage, openWorkstation } from "../kit.js";

const names = (result: JsonObject): unknown[] => (result["entries"] as JsonObject[]).map(({ name }) => name);

describe("fs_list_directory", () => {
  test("gives name, kind, size and time, sorted, hidden ones included", async () => {
    const { root, call } = await openWorkstation({ files: { "b.txt": "12345", ".hidden": "", "sub/x": "" } });
    await symlink("b.txt", path.join(root, "link"));
    await utimes(path.join(root, "b.txt"), 1, 86_400);
    const listed = await call("fs_list_directory");
    expect(listed).toMatchObject({
      path: ".",
      total: 4,
      entries: [
        { name: ".hidden", kind: "file", size: 0 },
        { name: "b.txt", kind: "file", size: 5, modified: "1970-01-02T00:00:00.000Z" },
        { name: "link", kind: "symlink" },
        { name: "sub", kind: "directory" },
      ],
    });
    expect(listed["next_cursor"]).toBeUndefined();
    expect(await call("ListDirectory", { path: "sub" })).toMatchObject({ path: "sub", total: 1 });
  });

  test("ten thousand entries come in pages, each exactly once", async () => {
    const { root, call } = await openWorkstation();
    const made = Array.from({ length: 10_000 }, (_, at) => `entry-${String(at).padStart(5, "0")}`);
    await Promise.all(made.map((name) => writeFile(path.join(root, name), "")));
    const seen: unknown[] = [];
    let pages = 0;
    for (let next: JsonObject | undefined = {}; next !== undefined; pages += 1) {
      const page: JsonObject = await call("fs_list_directory", next);
      expect(page["total"]).toBe(10_000);
      seen.push(...names(page));
      next = nextPage(page);
    }
    expect(seen).toEqual(made);
    expect(pages).toBeGreaterThan(10);
    expect(names(await call("fs_list_directory", { offset: 9_998 }))).toEqual(["entry-09998", "entry-09999"]);
    expect(names(await call("fs_list_directory", { offset: 10_000 }))).toEqual([]);
  });

  test("sorts by size and by time", async () => {
    const { root, call } = await openWorkstation({ files: { a: "1", b: "333", c: "22" } });
    for (const [at, name] of ["b", "c", "a"].entries()) await utimes(path.join(root, name), 1, 1000 + at);
    expect(names(await call("fs_list_directory", { sort: "size" }))).toEqual(["b", "c", "a"]);
    expect(names(await call("fs_list_directory", { sort: "modified" }))).toEqual(["a", "c", "b"]);
    expect(names(await call("fs_list_directory", { sort: "size", offset: 1, limit: 1 }))).toEqual(["c"]);
  });

  test("keeps odd names as they are", async () => {
    const odd = ["\u0001", " lead", "#", "-rf", "a\nb", "tab\t", "“x”", "😀"];
    const { call } = await openWorkstation({ files: Object.fromEntries(odd.map((name) => [name, ""])) });
    expect(names(await call("fs_list_directory"))).toEqual(odd);
  });

  test("does not show what the settings hide", async () => {
    const files = { ".env": "", "sub/.env": "", "sub/a": "" };
    const { call } = await openWorkstation({ files, policy: { hidden: ["**/.env"] } });
    expect(names(await call("fs_list_directory"))).toEqual(["sub"]);
    expect(await call("fs_list_directory", { path: "sub" })).toMatchObject({ total: 1 });
  });

  test("says what stands in the way", async () => {
    const { fail } = await openWorkstation({ files: { "src/a": "" } });
    expect((await fail("fs_list_directory", { path: "srk" })).text).toBe('"srk" does not exist. Did you mean "src"?');
    expect((await fail("fs_list_directory", { path: "src/a" })).text).toBe('"src/a" is a file, not a folder.');
  });
});

describe("fs_file_exists and fs_directory_exists", () => {
  test("distinguish files from folders", async () => {
    const { call } = await openWorkstation({ files: { "a/b": "" } });
    expect(await call("fs_directory_exists", { path: "a" })).toEqual({ exists: true });
    expect(await call("fs_directory_exists", { path: "a/b" })).toEqual({ exists: false });
    expect(await call("DirectoryExists", { path: "c" })).toEqual({ exists: false });
    expect(await call("FileExists", { path: "a/b" })).toEqual({ exists: true });
  });
});

describe("fs_info", () => {
  test("describes a file without its content", async () => {
    const { root, call } = await openWorkstation({
      files: { "a.md": "one\ntwo", ".gitignore": "*.log\n", "x.log": "" },
    });
    await chmod(path.join(root, "a.md"), 0o640);
    await utimes(path.join(root, "a.md"), 0, 86_400);
    expect(await call("fs_info", { path: "a.md" })).toMatchObject({
      path: "a.md",
      kind: "file",
      size: 7,
      mode: "640",
      modified: "1970-01-02T00:00:00.000Z",
      mime: "text/markdown",
      encoding: "utf-8",
      total_lines: 2,
      hash: "sha256:21066d108d5319ecb5a1fc4454f42ef2",
      git_ignored: false,
    });
    expect(await call("fs_info", { path: "x.log" })).toMatchObject({ size: 0, git_ignored: true });
    expect(await call("fs_info", { path: "." })).toMatchObject({ path: ".", kind: "directory", git_ignored: false });
  });

  test("says where a link leads, if that is inside", async () => {
    const { root, call, fail } = await openWorkstation({ files: { "dir/a": "x" } });
    await symlink("dir/a", path.join(root, "in"));
    await symlink("/etc", path.join(root, "out"));
    expect(await call("fs_info", { path: "in" })).toMatchObject({
      path: "in",
      kind: "file",
      link_target: "dir/a",
      size: 1,
    });
    expect((await fail("fs_info", { path: "out" })).code).toBe("FORBIDDEN_PATH");
    expect(await call("fs_info", { path: "gone" })).toEqual({ path: "gone", exists: false });
  });
});

describe("fs_tree", () => {
  const files = {
    "src/a.ts": "",
    "src/deep/er/x.ts": "",
    "node_modules/m/index.js": "",
    ".gitignore": "node_modules/\n",
    "new\nline": "",
  };

  test("draws what git does not ignore, as text and as paths", async () => {
    const { root, client, call } = await openWorkstation({ files });
    await symlink("src", path.join(root, "link"));
    await mkdir(path.join(root, ".git"));
    const { content, structuredContent } = await client.callTool("fs_tree", {});
    expect(structuredContent).toEqual({
      path: ".",
      entries: [".gitignore", "link@", "new\nline", "src/", "src/a.ts", "src/deep/", "src/deep/er/"],
    });
    expect(content).toEqual([
      { type: "text", text: '.gitignore\nlink@\n"new\\nline"\nsrc/\n  a.ts\n  deep/\n    er/' },
    ]);
    expect(await call("fs_tree", { path: "src", depth: 1 })).toEqual({ path: "src", entries: ["a.ts", "deep/"] });
    expect((await call("fs_tree", { ignored: true, depth: 1 }))["entries"]).toContain("node_modules/");
    expect((await call("fs_tree", { path: "node_modules" }))["entries"]).toEqual(["m/", "m/index.js"]);
  });

  test("goes on where a page has ended, and gives each entry exactly once", async () => {
    const { client, call } = await openWorkstation({ files });
    const { entries: all } = await call("fs_tree", { depth: 9 });
    for (const limit of [1, 2, 3, 5]) {
      const seen: unknown[] = [];
      for (let next: JsonObject | undefined = {}; next !== undefined; ) {
        const page: JsonObject = await call("fs_tree", { depth: 9, limit, ...next });
        seen.push(...(page["entries"] as string[]));
        next = nextPage(page);
      }
      expect(seen).toEqual(all);
    }
    const { content } = await client.callTool("fs_tree", { depth: 9, cursor: "src/deep/er" });
    expect((content as JsonObject[])[0]?.["text"]).toBe("src/\n  deep/\n    er/\n      x.ts");
  });

  test("goes on past what it may not read, and says so", async () => {
    const { seteuid, getuid } = process;
    const { root, call } = await openWorkstation({ files: { "a/x": "", "closed/y": "", z: "" } });
    await chmod(path.join(root, "closed"), 0);
    onTestFinished(() => chmod(path.join(root, "closed"), 0o700));
    if (getuid?.() === 0) {
      // The superuser may read everything.
      await chmod(root, 0o755);
      await chmod(path.join(root, "a"), 0o755);
      seteuid?.(65_534);
    }
    try {
      expect(await call("fs_tree")).toEqual({ path: ".", entries: ["a/", "a/x", "closed/", "z"], skipped: ["closed"] });
      expect(await call("fs_find", { glob: "**" })).toMatchObject({ total: 2, skipped: ["closed"] });
    } finally {
      if (getuid?.() === 0) seteuid?.(0);
    }
  });
});
