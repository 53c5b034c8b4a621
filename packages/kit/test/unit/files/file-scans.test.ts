import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Reading } from "../../../src/files/file-scan.js";
import { FileScans } from "../../../src/files/file-scan.js";

async function openFile(text: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "scans-"));
  await writeFile(path.join(folder, "a"), text);
  const handle = await open(path.join(folder, "a"));
  onTestFinished(async () => {
    await handle.close();
    await rm(folder, { recursive: true });
  });
  const stats = await handle.stat();
  const reading: Reading = { handle, size: stats.size, withTimeout: (work) => work() };
  return { stats, reading };
}

test("a file that has settled is looked at once, and anew for another encoding, time or size", async () => {
  const { stats, reading } = await openFile("a\nb\n");
  const scans = new FileScans();
  const old = Object.assign(Object.create(stats), { mtimeMs: 1000, ctimeMs: 1000 });
  const first = await scans.of(reading, old);
  expect(await scans.of(reading, old)).toBe(first);
  expect(await scans.of(reading, old, "windows-1252")).not.toBe(first);
  expect(await scans.of(reading, Object.assign(Object.create(old), { mtimeMs: 2000 }))).not.toBe(first);
  expect(await scans.of(reading, Object.assign(Object.create(old), { size: 5 }))).not.toBe(first);
});

test("a file that has just been changed is looked at each time", async () => {
  const { stats, reading } = await openFile("a\nb\n");
  const scans = new FileScans();
  const now = Object.assign(Object.create(stats), { mtimeMs: Date.now(), ctimeMs: 1000 });
  expect(await scans.of(reading, now)).not.toBe(await scans.of(reading, now));
});

test("a scan knows its lines from the start, the middle and the end", async () => {
  const text = Array.from({ length: 300_000 }, (_, at) => `${at + 1}\n`).join("");
  const { stats, reading } = await openFile(text);
  const scan = await new FileScans().of(reading, stats);
  expect(await scan.startOf(reading, 1)).toBe(0);
  expect(await scan.startOf(reading, 100_000)).toBe(text.indexOf("\n100000\n") + 1);
  expect(await scan.startOf(reading, 300_000)).toBe(text.indexOf("\n300000\n") + 1);
  expect(await scan.startOf(reading, 300_001)).toBeUndefined();
  expect(await scan.lines(reading)).toBe(300_000);
});
