import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Child } from "../../../engine/test/stdio/child.js";
import { makeFolder } from "../kit.js";
import { type Built, buildWithDriver } from "./program.js";

const UNSHARE = "/usr/bin/unshare";
const MOUNT = 'mount -t tmpfs -o size=600k tmpfs "$1"';
const OWN_NAMESPACE = ["--user", "--map-root-user", "--mount", "sh", "-c"];
/** A disk of one's own can be had where the system lets users mount one. */
const canMount = spawnSync(UNSHARE, [...OWN_NAMESPACE, `${MOUNT} && umount "$1"`, "sh", "/mnt"]).status === 0;

let built: Built;
beforeAll(async () => {
  built = await buildWithDriver(new URL("full-disk-program.ts", import.meta.url));
  return () => built.remove();
});

/** Runs the program with its root on a disk of 600 KiB, and gives what it said. */
async function runOn(state: (disk: string) => string): Promise<unknown> {
  const disk = await makeFolder();
  const script = `${MOUNT} && exec "$2" "$3" "$1" "$4"`;
  const args = [...OWN_NAMESPACE, script, "sh", disk, process.execPath, built.file, state(disk)];
  const child = new Child(UNSHARE, args);
  await child.ended;
  expect(child.stderr).toBe("");
  return JSON.parse(child.lines[0] ?? "");
}

describe.skipIf(!canMount)("a full disk", () => {
  test("keeps the old file, leaves nothing behind, and the journal says that the change was not made", async () => {
    const folder = await makeFolder();
    await mkdir(path.join(folder, "state"));
    expect(await runOn(() => path.join(folder, "state"))).toEqual([
      "ok",
      'Cannot use "a": the disk is full. Nothing was lost; make room and try again.',
      "first",
      ["a"],
      "ok",
      "ok",
      "first",
      ["done", "not_made", "undone"],
    ]);
  });

  test("on which the journal is too stops the change before anything is touched", async () => {
    expect(await runOn((disk) => path.join(disk, "journal"))).toEqual([
      "ok",
      "Cannot keep the old content for undo: the disk of the journal is full. Nothing was changed.",
      "first",
      ["a"],
      "ok",
      "ok",
      "first",
      ["done", "undone"],
    ]);
  });
});
