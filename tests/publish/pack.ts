import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A package as npm would publish it. */
export interface Packed {
  /** The tarball. */
  readonly file: string;
  readonly unpackedBytes: number;
  readonly files: readonly string[];
}

/** Runs a program to its end and returns its stdout; throws with its output if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  return stdout;
}

/** Packs the published packages into a temporary folder, which `remove` deletes. */
export async function packAll(): Promise<{
  engine: Packed;
  toolwright: Packed;
  sqlite: Packed;
  folder: string;
  remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "publish-"));
  const [engine, toolwright, sqlite] = await Promise.all([
    pack("engine", folder),
    pack("toolwright", folder),
    pack("sqlite", folder),
  ]);
  return { engine, toolwright, sqlite, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function pack(name: string, folder: string): Promise<Packed> {
  const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  const [packed] = JSON.parse(await run("npm", args, path.join(root, "packages", name))) as [
    { filename: string; unpackedSize: number; files: readonly { path: string }[] },
  ];
  const { filename, unpackedSize, files } = packed;
  return {
    file: path.join(folder, filename),
    unpackedBytes: unpackedSize,
    files: files.map(({ path: file }) => file),
  };
}
