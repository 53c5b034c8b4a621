import { symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, openWorkstation } from "./kit.js";

describe("the reach of a workstation", () => {
  test("knows files inside its root, by relative and absolute paths and by URI", async () => {
    const { root, call } = await openWorkstation({ files: { "src/a.ts": "a" } });
    for (const given of ["src/a.ts", path.join(root, "src/a.ts"), `file://${root}/src/a.ts`, "./src/../src/a.ts"])
      expect(await call("fs_file_exists", { path: given })).toEqual({ exists: true });
    expect(await call("fs_file_exists", { path: "src/b.ts" })).toEqual({ exists: false });
    expect(await call("fs_file_exists", { path: "src" })).toEqual({ exists: false });
  });

  test("ends at its root, in words and after links", async () => {
    const outside = await makeFolder();
    const { root, fail } = await openWorkstation();
    await symlink(outside, path.join(root, "link"));
    for (const given of ["../x", "/etc/passwd", "link", "link/x", `file://${outside}/x`]) {
      const { code, text } = await fail("fs_file_exists", { path: given });
      expect([given, code]).toEqual([given, "FORBIDDEN_PATH"]);
      expect(text).toContain("outside the allowed folders");
      expect(text).not.toContain(outside === given ? "" : `${outside}/y`);
    }
  });

  test("is narrowed by the client's roots, and never widened", async () => {
    const { root, call, fail } = await openWorkstation({
      files: { "one/a": "", "two/b": "" },
      roots: [{ uri: "file:///" }],
    });
    expect(await call("fs_file_exists", { path: "one/a" })).toEqual({ exists: true });
    expect((await fail("fs_file_exists", { path: "/etc/passwd" })).code).toBe("FORBIDDEN_PATH");
    const narrow = await openWorkstation({ root, roots: [{ uri: `file://${root}/one` }] });
    expect(await narrow.call("fs_file_exists", { path: `${root}/one/a` })).toEqual({ exists: true });
    expect((await narrow.fail("fs_file_exists", { path: `${root}/two/b` })).code).toBe("FORBIDDEN_PATH");
  });

  test("is that of the settings where the client has roots and names none", async () => {
    const { call, fail } = await openWorkstation({ files: { "one/a": "" }, roots: [] });
    expect(await call("fs_file_exists", { path: "one/a" })).toEqual({ exists: true });
    expect((await fail("fs_file_exists", { path: "/etc/passwd" })).code).toBe("FORBIDDEN_PATH");
  });

  test("is that of at most 256 roots of the client, and of none with an endless name", async () => {
    const { root, call } = await openWorkstation({ files: { a: "" } });
    const uri = `file://${root}`;
    const long = { uri: `file:///${"a/".repeat(4_000_000)}` };
    const many = await openWorkstation({ root, roots: Array.from({ length: 257 }, () => ({ uri })) });
    expect(await many.fail("fs_file_exists", { path: "a" })).toMatchObject({
      code: "TOO_LARGE",
      text: expect.stringContaining("it names 257 roots, and 256 are allowed"),
    });
    const most = await openWorkstation({ root, roots: [...Array.from({ length: 255 }, () => ({ uri })), long] });
    expect(await most.call("fs_file_exists", { path: "a" })).toEqual({ exists: true });
    expect(await call("fs_file_exists", { path: "a" })).toEqual({ exists: true });
  });

  test("is nothing where all roots of the client are elsewhere", async () => {
    const { fail } = await openWorkstation({ files: { a: "" }, roots: [{ uri: "file:///no/such/folder" }] });
    expect((await fail("fs_file_exists", { path: "a" })).text).toContain("no folder is allowed at the moment");
  });
});
