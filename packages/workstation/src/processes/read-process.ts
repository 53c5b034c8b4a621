import { type Call, ToolError } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import type { BackgroundProcess } from "./background-process.js";
import { pageOf } from "./page.js";
import { showProcess } from "./process-result.js";
import type { Processes } from "./processes.js";

/** What is to be read. */
export interface ReadRequest {
  readonly id?: string | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly wait_ms: number;
  readonly failures?: boolean | undefined;
}

/** Reads a part of the output of a process, or of what was found in it; without an id lists the processes. */
export async function readProcess(
  processes: Processes,
  { id, offset, limit, wait_ms: waitMs, failures }: ReadRequest,
  { principal, signal }: Pick<Call, "principal" | "signal">,
) {
  if (id === undefined) return listProcesses(processes.list(principal));
  const process = processes.find(id, principal);
  if (failures === true) {
    const { findings } = process;
    if (findings === undefined)
      throw new ToolError(
        `Cannot give the failures of ${id}: only ended runs of ci_build, ci_test and ci_lint have them.`,
        {
          code: "INVALID_ARGUMENT",
          details: { id },
        },
      );
    const page = pageOf(findings, Math.max(0, offset), limit);
    const next = Math.max(0, offset) + page.length;
    return { id, failures: [...page], next_offset: next, left: findings.length - next };
  }
  await process.news(offset, waitMs, signal);
  const part = await process.spool.read(offset, limit);
  const skipped = offset >= 0 ? part.offset - Math.min(offset, process.spool.bytes) : 0;
  return {
    ...showProcess(process),
    offset: part.offset,
    text: part.text,
    next_offset: part.nextOffset,
    ...(skipped > 3 && { skipped }),
    left: Math.max(0, process.spool.bytes - part.nextOffset),
  };
}

/** How much of a command a list shows, in characters. */
const LISTED_CHARACTERS = 200;

function listProcesses(all: readonly BackgroundProcess[]) {
  const listed = all.map((each) => ({ ...showProcess(each), command: each.command.slice(0, LISTED_CHARACTERS) }));
  const shown = fitToBudget(listed);
  return { processes: shown, ...(shown.length < listed.length && { left: listed.length - shown.length }) };
}
