import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Whether a process of this machine is still there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

let place: string | undefined;

/** Where process ids mean the same: on Linux one container of one boot, elsewhere the machine. */
export function describeProcess(): string {
  place ??= findPlace();
  return place;
}

function findPlace(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // There is no such file on other systems.
    return hostname();
  }
}
