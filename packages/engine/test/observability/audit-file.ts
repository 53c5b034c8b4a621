import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is gone when the test is over. */
export function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** One line of an audit log. */
export type AuditLine = Readonly<Record<string, unknown>>;

/** The lines of an audit log; throws where one of them is not whole. */
export function readLines(file: string): AuditLine[] {
  const text = readFileSync(file, "utf8");
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as AuditLine);
}
