import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { OpenEntry } from "../../../src/files/file-access.js";
import { OpenFolder, temporaryName, writeAtomically } from "../../../src/files/file-handles.js";

async function openEntry(name: string): Promise<OpenEntry> {
  const root = await mkdtemp(path.join(os.tmpdir(), "write-"));
  const folder = await OpenFolder.open(root, root);
  onTestFinished(async () => {
    await folder.close();
    await rm(root, { recursive: true });
  });
  const place = path.join(root, name);
  return { folder, name, realPath: place, path: folder.at(name), [Symbol.asyncDispose]: () => folder.close() };
}

const bytes = (text: string): Buffer => Buffer.from(text);
const names = ({ realPath: place }: OpenEntry) => readdir(path.dirname(place));

describe("a file that is written atomically", () => {
  test("is made, and replaced with its permissions", async () => {
    const entry = await openEntry("a");
    await writeAtomically(entry, bytes("one"));
    await chmod(entry.realPath, 0o640);
    await writeAtomically(entry, bytes("two"));
    expect(await readFile(entry.realPath, "utf8")).toBe("two");
    expect((await stat(entry.realPath)).mode & 0o777).toBe(0o640);
    await writeAtomically(entry, bytes("three"), { mode: 0o600 });
    expect((await stat(entry.realPath)).mode & 0o777).toBe(0o600);
    expect(await names(entry)).toEqual(["a"]);
  });

  test("is never replaced where nothing was expected", async () => {
    const entry = await openEntry("a");
    await writeAtomically(entry, bytes("one"), { expect: "absent" });
    await expect(writeAtomically(entry, bytes("two"), { expect: "absent" })).rejects.toMatchObject({ code: "EEXIST" });
    expect(await readFile(entry.realPath, "utf8")).toBe("one");
    expect(await names(entry)).toEqual(["a"]);
  });

  test("stays old where the last look throws, and nothing is left behind", async () => {
    const entry = await openEntry("a");
    await writeFile(entry.realPath, "old");
    const temporary = temporaryName();
    let seen: string[] = [];
    const check = async (): Promise<void> => {
      seen = await names(entry);
      throw new Error("changed");
    };
    await expect(writeAtomically(entry, bytes("new"), { check, temporary })).rejects.toThrow("changed");
    expect(seen.sort()).toEqual([temporary, "a"].sort());
    expect(await readFile(entry.realPath, "utf8")).toBe("old");
    expect(await names(entry)).toEqual(["a"]);
  });

  test("is no link, no folder, and not read-only", async () => {
    const link = await openEntry("link");
    await symlink("elsewhere", link.realPath);
    await expect(writeAtomically(link, bytes(""))).rejects.toMatchObject({ code: "CONFLICT" });
    const locked = await openEntry("locked");
    await writeFile(locked.realPath, "", { mode: 0o444 });
    await expect(writeAtomically(locked, bytes("x"))).rejects.toMatchObject({ code: "FORBIDDEN_PATH" });
    const folder = await openEntry("folder");
    await mkdir(folder.realPath);
    await expect(writeAtomically(folder, bytes("x"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
