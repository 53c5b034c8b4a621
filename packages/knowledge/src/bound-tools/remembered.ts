import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { BoundTool } from "./bound-tool.js";

const FILE = "knowledge-tools.json";

interface Remembered {
  readonly database: string;
  readonly tools: readonly BoundTool[];
}

/**
 * The tools that were active when a process of this state folder last looked: they are listed from the first moment, without
 * waiting for the database.
 */
export function recallTools(state: string, database: string): readonly BoundTool[] {
  try {
    const kept = JSON.parse(readFileSync(path.join(state, FILE), "utf8")) as Remembered;
    return kept.database === database && Array.isArray(kept.tools) ? kept.tools : [];
  } catch {
    // There are none, or the file was cut short: the database tells soon.
    return [];
  }
}

/** Writes the tools down for the next process. */
export async function rememberTools(state: string, database: string, tools: readonly BoundTool[]): Promise<void> {
  const file = path.join(state, FILE);
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify({ database, tools } satisfies Remembered), { mode: 0o600 });
  await rename(own, file);
}
