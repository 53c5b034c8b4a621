import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { workspacePackages } from "../../../../tests/support/workspace-packages.mjs";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** Makes the program from the sources of now: Node runs no TypeScript. Gives the folder that it is in. */
export async function buildProgram(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ingest-"));
  const package_ = path.join(ROOT, "packages/toolwright");
  await mkdir(path.join(folder, "dist"));
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  for (const name of ["models", "vectors", "grammars", "tokens", "knowledge-reader.js"])
    await symlink(path.join(package_, "dist", name), path.join(folder, "dist", name));
  await build({
    entryPoints: [fileURLToPath(new URL("./program.ts", import.meta.url))],
    outdir: path.join(folder, "dist"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [workspacePackages],
    alias: Object.fromEntries(
      ["", "/http", "/sockets", "/client", "/testing", "/tasks", "/observability", "/transport"].map((entry) => [
        `@toolwright/engine${entry}`,
        path.join(ROOT, `packages/engine/src${entry || "/index"}.ts`),
      ]),
    ),
    conditions: ["@toolwright/source"],
    logLevel: "warning",
  });
  return folder;
}

/** A process of the program. */
export interface Running {
  readonly child: ChildProcess;
  /** How it ended: what it said, and the signal that killed it. */
  readonly ended: Promise<{ readonly said: string; readonly signal: string | null }>;
}

/** Starts the program. A process that ends otherwise than by itself or by a kill is a fault. */
export function start(program: string, ...args: readonly string[]): Running {
  const file = path.join(program, "dist/program.mjs");
  const child = spawn(process.execPath, [file, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  let [said, complaint] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (complaint += piece.toString()));
  const ended = new Promise<{ said: string; signal: string | null }>((resolve, reject) =>
    child.once("close", (code, signal) =>
      code === 0 || signal === "SIGKILL"
        ? resolve({ said, signal })
        : reject(new Error(`It ended with ${code}: ${complaint}`)),
    ),
  );
  return { child, ended };
}
