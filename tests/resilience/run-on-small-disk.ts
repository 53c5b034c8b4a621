import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildProgram } from "../support/program.js";
import type { Report } from "./report.js";
import { type DiskKind, MOUNT_OPTIONS } from "./small-disk.js";

const UNSHARE = "/usr/bin/unshare";
/** A namespace of one's own, so that no mount outlives a run. Root needs no other user for it, and can mount images of disks. */
const NAMESPACES: Readonly<Record<Exclude<DiskKind, "none">, readonly string[]>> = {
  image: ["--mount", "sh", "-c"],
  memory: ["--user", "--map-root-user", "--mount", "sh", "-c"],
};
const MOUNTS: Readonly<Record<Exclude<DiskKind, "none">, string>> = {
  image: `truncate -s 64M "$1.image" && mkfs.ext4 -q -m 0 "$1.image" && mount -o ${MOUNT_OPTIONS} "$1.image" "$1"`,
  memory: 'mount -t tmpfs -o size=64m tmpfs "$1"',
};

/** The best kind of disk that this user can mount. */
function findDiskKind(folder: string): DiskKind {
  const canMount = (kind: Exclude<DiskKind, "none">): boolean =>
    spawnSync(UNSHARE, [...NAMESPACES[kind], `${MOUNTS[kind]} && umount "$1"`, "sh", folder]).status === 0;
  if (process.getuid?.() === 0 && canMount("image")) return "image";
  return canMount("memory") ? "memory" : "none";
}

/** How long to run, and with which seed. */
export interface Run {
  readonly milliseconds: number;
  readonly roundMs: number;
  readonly seed: number;
  /** Only faults with this in their name. */
  readonly only?: string;
}

/** Runs clients and faults against the built program, on a small disk where the system lets a user mount one. */
export async function runOnSmallDisk(
  run: Run,
): Promise<Pick<Report, "counts" | "failures" | "skipped" | "longestWaitMs">> {
  const folder = mkdtempSync(path.join(tmpdir(), "resilience-"));
  const program = path.join(folder, "main.mjs");
  const disk = mkdtempSync(path.join(folder, "disk-"));
  const server = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));
  try {
    await buildProgram(new URL("./main.ts", import.meta.url), program);
    const diskKind = findDiskKind(disk);
    const options = { program: server, folder: disk, configFolder: folder, diskKind, ...run };
    const args = [program, JSON.stringify(options)];
    const script = diskKind === "none" ? "" : `${MOUNTS[diskKind]} && shift && exec "$@"`;
    const child =
      diskKind === "none"
        ? spawn(process.execPath, args)
        : spawn(UNSHARE, [...NAMESPACES[diskKind], script, "sh", disk, process.execPath, ...args]);
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
