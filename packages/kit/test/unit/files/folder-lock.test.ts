import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { lstat, mkdir, readdir, readlink, symlink, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { OpenFolder } from "../../../src/files/file-handles.js";
import { lockFolders, removeStaleLock } from "../../../src/files/folder-lock.js";
import { describeProcess } from "../../../src/storage/process-leases.js";

async function openFolder() {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "lock-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = await OpenFolder.open(root, root);
  onTestFinished(() => folder.close());
  return { root, folder, lock: path.join(root, ".toolwright.lock") };
}

const attempt = <Value>(operation: () => Promise<Value>): Promise<Value> => operation();

/** The id of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ["--version"]).pid;

const ownerOf = (pid: number): string => JSON.stringify({ place: describeProcess(), pid, id: "a" });

describe("the lock of a folder", () => {
  test("names its owner, and is gone after the change", async () => {
    const { root, folder, lock } = await openFolder();
    const held = await lockFolders([folder, folder], attempt);
    expect(JSON.parse(await readlink(lock))).toMatchObject({ place: describeProcess(), pid: process.pid });
    await held.release();
    expect(await readdir(root)).toEqual([]);
  });

  test("is held by one at a time", async () => {
    const { root, folder } = await openFolder();
    let holders = 0;
    const most: number[] = [];
    const change = async (): Promise<void> => {
      const held = await lockFolders([folder], attempt);
      holders += 1;
      most.push(holders);
      await new Promise((resolve) => setTimeout(resolve, 1));
      holders -= 1;
      await held.release();
    };
    await Promise.all(Array.from({ length: 20 }, change));
    expect(most).toEqual(Array.from({ length: 20 }, () => 1));
    expect(await readdir(root)).toEqual([]);
  });

  test("of a killed process does not block others", async () => {
    const { root, folder, lock } = await openFolder();
    await symlink(ownerOf(endedPid()), lock);
    const all = await Promise.all([1, 2, 3].map(() => lockAndRelease(folder)));
    expect([all.length, await readdir(root)]).toEqual([3, []]);
  });

  test("of a process that was killed while removing such a lock does not block others", async () => {
    const { root, folder, lock } = await openFolder();
    await symlink(ownerOf(endedPid()), lock);
    const { ino, ctimeNs } = await lstat(lock, { bigint: true });
    const identity = createHash("sha256")
      .update(`${ino} ${ctimeNs} ${await readlink(lock)}`)
      .digest("hex")
      .slice(0, 16);
    await symlink(ownerOf(endedPid()), `${lock}.${identity}`);
    await lockAndRelease(folder);
    expect(await readdir(root)).toEqual([]);
  });

  test("without a readable owner is removed once it is old, and stops others until then", async () => {
    const { root, folder, lock } = await openFolder();
    await writeFile(lock, "not an owner");
    await removeStaleLock(folder);
    expect(await readdir(root)).toEqual([".toolwright.lock"]);
    const old = new Date(Date.now() - 60_000);
    await utimes(lock, old, old);
    await removeStaleLock(folder);
    expect(await readdir(root)).toEqual([]);
  });

  test("that a running process keeps refuses the change, and says how to go on", async () => {
    const { folder, lock } = await openFolder();
    await symlink(ownerOf(process.ppid), lock);
    await expect(lockFolders([folder], attempt)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/another server .* remove \.toolwright\.lock from that folder\.$/),
    });
    expect(await readlink(lock)).toBe(ownerOf(process.ppid));
  }, 30_000);
});

test("a folder of that name refuses the change at any age, and the error names it", async () => {
  const { folder, lock } = await openFolder();
  await mkdir(lock);
  const old = new Date(Date.now() - 60_000);
  await utimes(lock, old, old);
  await expect(lockFolders([folder], attempt)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringMatching(/remove \.toolwright\.lock from that folder\.$/),
  });
}, 30_000);

async function lockAndRelease(folder: OpenFolder): Promise<void> {
  await (await lockFolders([folder], attempt)).release();
}
