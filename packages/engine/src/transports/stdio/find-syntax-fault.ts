import path from "node:path";
import { builtin } from "../../server/builtin.js";
import { monotonic } from "../../server/clock.js";

/** Files that are looked at, and how long that may take. */
const MOST = { files: 30, ms: 3000 };
const IMPORTED = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;

/** Where a syntax error is. */
export interface SyntaxFault {
  readonly file: string;
  readonly line: string;
}

/**
 * Finds the file that an error of syntax is in, which Node shows but tells nobody: looks through the files of the program, from
 * the first one on, as they import each other. Nothing of them is run.
 */
export function findSyntaxFault(message: string, main: string | undefined): SyntaxFault | undefined {
  if (main === undefined) return undefined;
  const until = monotonic() + MOST.ms;
  const files = new Set([path.resolve(main)]);
  for (const file of files) {
    if (monotonic() > until) return undefined;
    const found = check(file, message);
    if (found !== undefined) return found;
    for (const imported of importsOf(file)) if (files.size < MOST.files) files.add(imported);
  }
  return undefined;
}

function check(file: string, message: string): SyntaxFault | undefined {
  const { spawnSync } = builtin("node:child_process");
  const { stderr } = spawnSync(process.execPath, ["--check", file], {
    encoding: "utf8",
    timeout: MOST.ms,
    windowsHide: true,
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [, name, line] = /^(.+):(\d+)\n/.exec(stderr ?? "") ?? [];
  return name === undefined || line === undefined || !stderr.includes(message) ? undefined : { file: name, line };
}

function importsOf(file: string): readonly string[] {
  const { readFileSync } = builtin("node:fs");
  try {
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(IMPORTED)].map(([, target = ""]) => path.resolve(path.dirname(file), target));
  } catch {
    return [];
  }
}
