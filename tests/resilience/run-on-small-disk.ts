import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildProgram } from "../support/program.js";
import type { Report } from "./report.js";

const UNSHARE = "/usr/bin/unshare";
const OWN_NAMESPACE = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const MOUNT = 'mount -t tmpfs -o size=64m tmpfs "$1"';

/** Whether the system lets a user mount a small disk. */
const canMount = (): boolean =>
  spawnSync(UNSHARE, [...OWN_NAMESPACE, `${MOUNT} && umount "$1"`, "sh", "/mnt"]).status === 0;

/** How long to run, and with which seed. */
export interface Run {
  readonly milliseconds: number;
  readonly roundMs: number;
  readonly seed: number;
}

/** Runs clients and faults against the built program, on a small disk where the system lets a user mount one. */
export async function runOnSmallDisk({
  milliseconds,
  roundMs,
  seed,
}: Run): Promise<Pick<Report, "counts" | "failures" | "skipped" | "longestWaitMs">> {
  const folder = mkdtempSync(path.join(tmpdir(), "resilience-"));
  const program = path.join(folder, "main.mjs");
  const disk = mkdtempSync(path.join(folder, "disk-"));
  const server = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));
  try {
    await buildProgram(new URL("./main.ts", import.meta.url), program);
    const hasSmallDisk = canMount();
    const args = [program, server, disk, hasSmallDisk ? "yes" : "no", milliseconds, roundMs, seed].map(String);
    const child = hasSmallDisk
      ? spawn(UNSHARE, [...OWN_NAMESPACE, `${MOUNT} && shift && exec "$@"`, "sh", disk, process.execPath, ...args])
      : spawn(process.execPath, args);
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, "close");
    if (stdout === "") throw new Error(`The run ended with ${code} and without a report: ${stderr}`);
    const report = JSON.parse(stdout) as Report;
    if (report.failures.length > 0) console.error(stderr);
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
