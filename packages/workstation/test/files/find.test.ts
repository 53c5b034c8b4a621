import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { makeFolder, nextPage, openWorkstation } from "../kit.js";

const paths = (result: JsonObject): unknown[] => (result["found"] as JsonObject[]).map(({ path: found }) => found);

describe("fs_find", () => {
  const files = {
    ".gitignore": "dist/\n*.log\n!keep.log\n",
    "a.ts": "",
    "b.js": "",
    "keep.log": "",
    "x.log": "",
    "dist/a.ts": "",
    "src/a.ts": "1",
    "src/.dot.ts": "",
    "src/deep/c.tsx": "",
    "src/deep/.gitignore": "c.*\n",
    "lib/[odd] {name}.ts": "",
  };

  test.each<[JsonObject, string[]]>([
    [{ glob: "*.ts" }, ["a.ts", "lib/[odd] {name}.ts", "src/.dot.ts", "src/a.ts"]],
    [{ glob: "./*.{ts,js}" }, ["a.ts", "b.js", "lib/[odd] {name}.ts", "src/.dot.ts", "src/a.ts"]],
    [{ glob: "src/**/*.ts*" }, ["src/.dot.ts", "src/a.ts"]],
    [{ glob: "src/*.ts", ignored: true }, ["src/.dot.ts", "src/a.ts"]],
    [{ glob: "*.tsx", ignored: true }, ["src/deep/c.tsx"]],
    [{ glob: "*.log" }, ["keep.log"]],
    [{ glob: "*.log", ignored: true }, ["keep.log", "x.log"]],
    [{ glob: "**/a.ts", path: "src" }, ["src/a.ts"]],
    [{ glob: "{src,lib}/*", kind: "any" }, ["lib/[odd] {name}.ts", "src/.dot.ts", "src/a.ts", "src/deep"]],
    [{ glob: "*", kind: "directory" }, ["lib", "src", "src/deep"]],
    [{ glob: String.raw`lib/\[odd\] \{name\}.ts` }, ["lib/[odd] {name}.ts"]],
    [{ glob: "[ab].[!t]?" }, ["b.js"]],
    [{ glob: "!**/*.ts" }, [".gitignore", "b.js", "keep.log", "src/deep/.gitignore"]],
  ])("finds %j", async (wish, expected) => {
    const { call } = await openWorkstation({ files });
    const found = await call("fs_find", wish);
    expect(paths(found)).toEqual(expected);
    expect(found["total"]).toBe(expected.length);
  });

  test("gives the newest first, with size and time", async () => {
    const { root, call } = await openWorkstation({ files: { a: "1", "sub/b": "22", c: "333" } });
    for (const [at, name] of ["c", "a", "sub/b"].entries()) await utimes(path.join(root, name), 1, at * 86_400);
    expect((await call("fs_find", { glob: "*", sort: "newest" }))["found"]).toEqual([
      { path: "sub/b", kind: "file", size: 2, modified: "1970-01-03T00:00:00.000Z" },
      { path: "a", kind: "file", size: 1, modified: "1970-01-02T00:00:00.000Z" },
      { path: "c", kind: "file", size: 3, modified: "1970-01-01T00:00:00.000Z" },
    ]);
  });

  test("comes in pages, each find exactly once", async () => {
    const made = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`d${at % 7}/f${String(at).padStart(3, "0")}`, ""]),
    );
    const { call } = await openWorkstation({ files: made });
    const seen: unknown[] = [];
    for (let next: JsonObject | undefined = {}; next !== undefined; ) {
      const page: JsonObject = await call("fs_find", { glob: "f*", limit: 37, ...next });
      expect(page["total"]).toBe(300);
      seen.push(...paths(page));
      next = nextPage(page);
    }
    expect(seen).toEqual(Object.keys(made).sort());
  });

  test("never follows links, enters .git or shows what is hidden", async () => {
    const outside = await makeFolder();
    await writeFile(path.join(outside, "secret"), "");
    const { root, call } = await openWorkstation({
      files: { "a/x": "", ".env": "", ".git/config": "" },
      policy: { hidden: [".env"] },
    });
    await symlink(outside, path.join(root, "out"));
    await symlink(root, path.join(root, "a/round"));
    expect(paths(await call("fs_find", { glob: "**", kind: "any", ignored: true }))).toEqual([
      "a",
      "a/round",
      "a/x",
      "out",
    ]);
  });

  test("refuses a glob that cannot be read, and is not held up by one with many stars", async () => {
    const { call, fail } = await openWorkstation({ files: { ["a".repeat(250)]: "" } });
    expect((await fail("fs_find", { glob: "[z-a]" })).code).toBe("INVALID_ARGUMENT");
    expect(await call("fs_find", { glob: `${"*a".repeat(40)}*b` })).toEqual({ found: [], total: 0 });
  });

  test("goes on when folders and files vanish while it walks", async () => {
    const made = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`d${at}/f`, ""]));
    const { root, call } = await openWorkstation({ files: made });
    const removal = (async () => {
      for (let at = 399; at >= 0; at -= 2) await rm(path.join(root, `d${at}`), { recursive: true });
    })();
    const kept = Array.from({ length: 200 }, (_, at) => `d${at * 2}/f`).sort();
    for (let time = 0; time < 5; time += 1)
      expect(paths(await call("fs_find", { glob: "f", limit: 1000 }))).toEqual(expect.arrayContaining(kept));
    await removal;
    expect(paths(await call("fs_find", { glob: "f", limit: 1000 }))).toEqual(kept);
  });

  test("ends at once when the call is cancelled", async () => {
    const { root, client, call } = await openWorkstation();
    for (let at = 0; at < 150; at += 1) await mkdir(path.join(root, `d${at}/a/b/c`), { recursive: true });
    const { id, response: answer } = client.startRequest("tools/call", {
      name: "fs_find",
      arguments: { glob: "**", kind: "any" },
    });
    client.notify("notifications/cancelled", { requestId: id });
    expect(await call("fs_find", { glob: "c", kind: "directory", limit: 1 })).toMatchObject({ total: 150 });
    const isAnswered = await Promise.race([answer.then(() => true), Promise.resolve(false)]);
    expect(isAnswered).toBe(false);
  });
});
