import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readFileSync } from "../../../src/files/file-handles.js";

async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "read-plain-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, "real"));
  await writeFile(path.join(folder, "real", "a.txt"), "twelve bytes");
  return folder;
}

test("a regular file is given whole, with what the system says of it", async () => {
  const file = path.join(await makeFolder(), "real", "a.txt");
  const { size, mtimeMs, ctimeMs, ino } = await stat(file);
  const read = readFileSync(file, 12);
  expect(Buffer.from(read?.bytes ?? []).toString()).toBe("twelve bytes");
  expect(read?.stats).toEqual({ size, mtimeMs, ctimeMs, ino });
});

test("what is larger than allowed, no regular file or not there is not given", async () => {
  const folder = await makeFolder();
  expect(readFileSync(path.join(folder, "real", "a.txt"), 11)).toBe(undefined);
  expect(readFileSync(path.join(folder, "real"), 100)).toBe(undefined);
  expect(readFileSync(path.join(folder, "none"), 100)).toBe(undefined);
  expect(readFileSync("/dev/null", 100)).toBe(undefined);
});

test("nothing is read through a link, be it the file or a folder on the way", async () => {
  const folder = await makeFolder();
  await symlink("real/a.txt", path.join(folder, "link.txt"));
  await symlink("real", path.join(folder, "way"));
  expect(readFileSync(path.join(folder, "link.txt"), 100)).toBe(undefined);
  expect(readFileSync(path.join(folder, "way", "a.txt"), 100)).toBe(undefined);
});
