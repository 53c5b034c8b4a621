import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findYoungNode } from "../support/young-node.js";

const folder = fileURLToPath(new URL("../../node_modules/.cache/interop-clients/", import.meta.url));
const node = findYoungNode();
const TIME_LIMIT_MS = 60_000;

/** Why these clients cannot run here; undefined if they can. */
export const missing =
  node === undefined || !existsSync(`${folder}node_modules/.package-lock.json`)
    ? ' (skipped: run "node tests/conformance/install.mjs" and "node tests/interop/clients/install.mjs" first)'
    : "";

/** The programs that are clients themselves, by their entry file. */
const PROGRAMS = {
  inspector: "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
  mcporter: "node_modules/mcporter/dist/cli.js",
} as const;

/** Runs the command line of a client, and returns the JSON that it prints. */
export function runProgram(name: keyof typeof PROGRAMS, ...args: readonly string[]): Promise<unknown> {
  return run([PROGRAMS[name], ...args]);
}

/** Runs a program of `clients/` that uses a library, and returns the JSON that it prints. */
export function drive(library: string, ...args: readonly string[]): Promise<unknown> {
  const program = readFileSync(new URL(`clients/drive-${library}.mjs`, import.meta.url), "utf8");
  // As source text, it resolves the packages of its working folder.
  return run(["--input-type=module", "--eval", program, "--", ...args]);
}

async function run(args: readonly string[]): Promise<unknown> {
  const home = mkdtempSync(path.join(tmpdir(), "client-"));
  try {
    const { code, out, err } = await start(args, home);
    if (code !== 0) throw new Error(`The client ended with ${code}: ${err}${out}`);
    return JSON.parse(out) as unknown;
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** The developer's settings, keys and proxies do not reach the client, and its telemetry is off. */
const environmentAt = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  SYSTEMROOT: process.env["SYSTEMROOT"],
  HOME: home,
  USERPROFILE: home,
  DO_NOT_TRACK: "1",
  LANGSMITH_TRACING: "false",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
});

function start(args: readonly string[], home: string): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(node ?? "node", args, {
    cwd: folder,
    env: environmentAt(home),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIME_LIMIT_MS,
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
}
