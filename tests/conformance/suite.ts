import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findYoungNode } from "../support/young-node.js";

const installed = fileURLToPath(new URL("../../node_modules/.cache/conformance/node_modules/", import.meta.url));
const oneByOne = fileURLToPath(new URL("one-by-one.mjs", import.meta.url));

/** The releases of the official suite that `install.mjs` installs: 0.1.16 and 0.2.0-alpha.12. */
export type Release = "0.1" | "0.2";

/** One check of a scenario. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly name: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const LONGEST_RUN_MS = 120_000;

const programOf = (release: Release) => `${installed}conformance-${release}/dist/index.js`;

/** The suites need Node 22 or later, without saying so. */
const node = findYoungNode();

/** Why the suites cannot run here; undefined if they can. */
export const missing =
  node === undefined || !existsSync(programOf("0.1")) || !existsSync(programOf("0.2"))
    ? ' (skipped: run "node tests/conformance/install.mjs" first)'
    : "";

/** Runs a whole set of scenarios against the server at this URL. */
export function runSet(release: Release, url: string, ...options: readonly string[]): Promise<readonly Check[]> {
  return judge([programOf(release), "server", "--url", url, ...options]);
}

/** Runs single scenarios against the server at this URL, whatever revision the suite assigns them to. */
export function runEach(
  scenarios: readonly string[],
  url: string,
  ...options: readonly string[]
): Promise<readonly Check[]> {
  return judge([oneByOne, programOf("0.2"), scenarios.join(","), "--url", url, "--force", ...options]);
}

/**
 * The checks that a run has written. The exit code is not enough: it is 0 with warnings, and with scenarios that checked
 * nothing.
 */
async function judge(args: readonly string[]): Promise<readonly Check[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "conformance-"));
  try {
    await run([...args, "--output-dir", folder]);
    return readdirSync(folder).flatMap((name) => readChecks(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(args: readonly string[]): Promise<void> {
  const child = spawn(node ?? "node", args, { stdio: "ignore", timeout: LONGEST_RUN_MS });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

/** The folder of a scenario is named `server-<scenario>-<time>`; one that was interrupted has no checks in it. */
function readChecks(folder: string, name: string): readonly Check[] {
  const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
  const file = path.join(folder, name, "checks.json");
  if (!existsSync(file)) return [];
  const checks = JSON.parse(readFileSync(file, "utf8")) as Omit<Check, "scenario">[];
  return checks.map((check) => ({ ...check, scenario }));
}
