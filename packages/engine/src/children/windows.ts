import { builtin } from "../server/builtin.js";

/** Ends a process of Windows and all that it has started. There is no way to ask them. */
export function endTree(pid: number): void {
  const { spawnSync } = builtin("node:child_process");
  spawnSync("taskkill", ["/PID", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true, timeout: 5000 });
}
