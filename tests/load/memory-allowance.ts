import path from "node:path";

/** The allowed memory of a server relative to Node, by runtime: other garbage collectors run later. */
const SLACKS: Readonly<Record<string, number>> = { bun: 2, deno: 1.5 };

export const SLACK = SLACKS[path.basename(process.execPath)] ?? 1;
