import { existsSync } from "node:fs";

/** Where the system shows what a process has open; a name below it is looked up in the folder that is open. */
export const OPEN_THINGS = "/proc/self/fd";

/** Whether the system shows that. */
export const hasOpenThings = process.platform === "linux" && existsSync(OPEN_THINGS);
