import path from "node:path";

/** How many times as much memory a server may come to as on Node, by the runtime: other collectors run later. */
const SLACKS: Readonly<Record<string, number>> = { bun: 2, deno: 1.5 };

export const SLACK = SLACKS[path.basename(process.execPath)] ?? 1;
