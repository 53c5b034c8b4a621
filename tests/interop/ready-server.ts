import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The built command. */
export const main = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));

/** A tool of each pack that is included, to check that a client lists all packs. */
export const OF_EACH_PACK = [
  "fs_read_file",
  "create_task",
  "generate_template",
  "analyze_complexity",
  "kb_hybrid_search",
  "tmkb_query",
] as const;

/** The call of every client: a tool of a real pack that stores something and returns it. */
export const CALL = { name: "create_task", input: { description: "Meet Ada" } } as const;

/** The expected result of the call. */
export interface Task {
  readonly description: string;
  readonly status: string;
}

/** The ready server as users start it, with its default tools. */
export interface ReadyServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Its working folder. */
  readonly root: string;
  clear(): void;
}

/** The command that starts the ready server, in a new folder and without the developer's settings. */
export function prepareReadyServer(): ReadyServer {
  const folder = mkdtempSync(path.join(tmpdir(), "ready-"));
  const root = mkdtempSync(path.join(folder, "work-"));
  return {
    command: process.execPath,
    args: [main, "serve", "--no-config", "--root", root, "--state", path.join(folder, "state")],
    root,
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}
