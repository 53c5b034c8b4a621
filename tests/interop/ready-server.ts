import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The built command. */
export const main = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));

/** A tool of each pack that comes with the ready server, so that a client that sees these sees them all. */
export const OF_EACH_PACK = [
  "fs_read_file",
  "create_task",
  "generate_template",
  "analyze_complexity",
  "kb_hybrid_search",
  "tmkb_query",
] as const;

/** What clients call: a tool of a real pack that writes something down, and gives it back. */
export const DEED = { name: "create_task", input: { description: "Meet Ada" } } as const;

/** What the deed gives. */
export interface Task {
  readonly description: string;
  readonly status: string;
}

/** The ready server as people start it, with the tools that it has by default. */
export interface ReadyServer {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder that it works in. */
  readonly root: string;
  clear(): void;
}

/** Says how the ready server is started, in a folder of its own and with nothing left over from others. */
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
