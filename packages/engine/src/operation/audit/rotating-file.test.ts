import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LogEntry } from "../../server/log-entry.js";
import { RotatingFile } from "./rotating-file.js";

async function open() {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "lines");
  const entries: LogEntry[] = [];
  const rotation = { file, maxBytes: 2 ** 30, keep: 1, tellLoss: (lines: number) => `lost ${lines}` };
  const lines = new RotatingFile(rotation, (entry) => void entries.push(entry));
  await lines.open();
  return { lines, entries, read: () => readFileSync(file, "utf8").split("\n") };
}

const messages = (entries: readonly LogEntry[]) => entries.map(({ message }) => message);

test("what a slow disk leaves behind is bounded, and the rest is lost and told", async () => {
  const { lines, entries, read } = await open();
  const heard: (Error | undefined)[] = [];
  for (let at = 0; at < 10_002; at += 1) lines.add(String(at), (error) => heard.push(error));
  expect(heard.map((error) => error?.message)).toEqual(["the disk is too slow", "the disk is too slow"]);
  await lines.close();
  expect(heard.filter((error) => error === undefined)).toHaveLength(10_000);
  const written = read();
  expect([written.length, written[0], written[1], written.at(-2), written.at(-1)]).toEqual([
    10_002,
    "lost 2",
    "0",
    "9999",
    "",
  ]);
  expect(messages(entries)).toEqual([
    "the audit log cannot be written; lines are lost until it can",
    "the audit log is written again; lines lost: 2",
  ]);
});

test("nothing is written after the end", async () => {
  const { lines, entries, read } = await open();
  lines.add("first");
  await lines.close();
  const heard: unknown[] = [];
  lines.add("second", (error) => heard.push(error?.message));
  expect(heard).toEqual(["it has been closed"]);
  expect(read()).toEqual(["first", ""]);
  expect(messages(entries)).toEqual(["the audit log cannot be written; lines are lost until it can"]);
});
