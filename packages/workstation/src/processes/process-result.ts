import type { BackgroundProcess } from "./background-process.js";

/** How a process stands, as tools show it. */
export const PROCESS_PROPERTIES = {
  id: { type: "string" },
  command: { type: "string" },
  state: { enum: ["running", "ended"] },
  pid: { type: "integer" },
  bytes: { type: "integer", description: "All that it wrote." },
  exit_code: { type: "integer" },
  signal: { type: "string" },
  timed_out: { type: "boolean" },
  duration_ms: { type: "integer" },
  lost: { type: "string", description: "Why output is missing." },
} as const;

/** Says how a process stands. */
export function showProcess(process: BackgroundProcess) {
  const { id, command, pid, end, spool, startedAt } = process;
  return {
    id,
    command: command.slice(0, 2000),
    state: end === undefined ? ("running" as const) : ("ended" as const),
    ...(pid !== undefined && { pid }),
    bytes: spool.bytes,
    ...(end?.exitCode != null && { exit_code: end.exitCode }),
    ...(end?.signal != null && { signal: end.signal }),
    ...(end?.hasTimedOut === true && { timed_out: true }),
    duration_ms: Math.round(end?.durationMs ?? Date.now() - startedAt),
    ...(spool.fault !== undefined && { lost: spool.fault }),
  };
}
