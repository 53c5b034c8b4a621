import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { findListed } from "../answers/query.js";
import type { Library } from "../library/library.js";
import { type ListedCheck, toChecks, writeChecklist } from "./checklist.js";
import { checksOf } from "./checks.js";
import { type Given, gather } from "./gather.js";
import { lateNotes, lookAtAll, type ReviewWay } from "./review.js";

/** What a checklist is made of. */
export interface ChecklistAsk extends Pick<Given, "diff" | "files"> {
  /** The task in words. */
  readonly context?: string | undefined;
}

/** A checklist. */
export interface Checklist {
  readonly markdown: string;
  readonly checks: readonly ListedCheck[];
  /** How many patterns had no room. */
  readonly left_out: number;
}

/** Writes a checklist for a task, for code, or for both: what the code touches comes first. Throws a `ToolError`. */
export async function runChecklist(
  library: Library,
  { context, ...ask }: ChecklistAsk,
  way: Pick<ReviewWay, "limit" | "signal" | "hear">,
  openReach: () => Promise<FileAccess>,
): Promise<Checklist> {
  const hasCode = ask.diff !== undefined || ask.files !== undefined;
  if (!hasCode && (context ?? "").trim() === "")
    throw new ToolError("Cannot write a checklist of nothing. Give context, diff or files.", {
      code: "INVALID_ARGUMENTS",
    });
  const fromCode = hasCode ? await seenIn(library, ask, way, openReach) : { checks: [], notes: [] };
  const told = context === undefined ? [] : await findListed(library, { context });
  const fromWords = told
    .filter((entry) => !fromCode.checks.some(({ id }) => id === entry.id))
    .map(({ id, category, severity, agent_summary: { check } }): ListedCheck => {
      return { id, category, severity, check, places: [], count: 0, visible: false };
    });
  const all = [...fromCode.checks, ...fromWords];
  const checks = all.slice(0, way.limit);
  const leftOut = all.length - checks.length;
  return { markdown: writeChecklist(checks, leftOut, fromCode.notes), checks, left_out: leftOut };
}

async function seenIn(
  library: Library,
  ask: Given,
  way: Pick<ReviewWay, "signal" | "hear">,
  openReach: () => Promise<FileAccess>,
): Promise<{ readonly checks: readonly ListedCheck[]; readonly notes: readonly string[] }> {
  const checks = await checksOf(library);
  const { pieces, notes } = await gather(ask, openReach);
  const look = await lookAtAll(pieces, { ...way, checks });
  return { checks: toChecks(look.sightings), notes: [...notes, ...look.notes, ...lateNotes(look.late)] };
}
