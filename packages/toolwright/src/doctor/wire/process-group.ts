import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process that the doctor has started. */
export interface GroupMember {
  readonly pid: number;
  readonly bytes: number;
}

/** How long listing processes may take. */
const LIST_TIMEOUT_MS = 2000;

const groups = new Set<number>();
let isWatching = false;

/** Kills a group when this process exits. */
export function watchGroup(pid: number): void {
  groups.add(pid);
  if (isWatching) return;
  isWatching = true;
  process.on("exit", () => {
    for (const group of groups) endGroup(group);
  });
}

/** Kills every process of a group. */
export function endGroup(pid: number): void {
  groups.delete(pid);
  try {
    if (process.platform === "win32")
      spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { timeout: LIST_TIMEOUT_MS });
    else process.kill(-pid, "SIGKILL");
  } catch {
    // No process is left.
  }
}

/** The running processes of a group; undefined if the system has no list of them. */
export function membersOf(group: number): readonly GroupMember[] | undefined {
  if (process.platform === "win32") return undefined;
  return process.platform === "linux" ? readFromSystem(group) : readFromList(group);
}

function readFromSystem(group: number): readonly GroupMember[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // A name may have anything in it, so that only what follows its bracket can be cut into words.
      const [state, , own] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(own) !== group || state === "Z" || state === "X") return [];
      const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      return [{ pid: Number(pid), bytes: Number(kilobytes) * 1024 }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function readFromList(group: number): readonly GroupMember[] | undefined {
  const { stdout, status } = spawnSync("ps", ["-A", "-o", "pid=,pgid=,rss=,stat="], {
    encoding: "utf8",
    timeout: LIST_TIMEOUT_MS,
  });
  if (status !== 0) return undefined;
  return stdout.split("\n").flatMap((line) => {
    const [pid = "", own, kilobytes, state = "Z"] = line.trim().split(/\s+/);
    if (Number(own) !== group || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), bytes: Number(kilobytes) * 1024 }];
  });
}
