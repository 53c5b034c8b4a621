import { existsSync } from "node:fs";

/** Where the system shows what a process has open; a name below it is looked up in the folder that is open. */
export const PROC_FD = "/proc/self/fd";

/** Whether the system shows that. */
export const hasProcFd = process.platform === "linux" && existsSync(PROC_FD);
