import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));

/** Does something with tasks in a process of its own, and gives what that has printed. */
export async function runTask(database: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [main, "task", ...words, "--database", database]);
  return stdout.trim();
}
