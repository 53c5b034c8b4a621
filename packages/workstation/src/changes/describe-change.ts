import { type FileAccess, fitToBudget, unifiedDiff } from "@toolwright/kit/files";
import { type FileState, toText, truncateDiff } from "./file-state.js";
import type { Journal } from "./journal.js";
import type { Change, Step } from "./journal-tables.js";
import type { MissingContent } from "./revert.js";

/** How much of the changed lines is described. */
export interface DiffOptions {
  readonly diffs: boolean;
  /** The longest diff, in characters. */
  readonly maxDiff: number;
}

/** How many bytes the files of one change may take in a result. */
const MAX_FILES_BYTES = 20_000;

const STATES = {
  done: "done",
  undone: "undone",
  dropped: "undone",
  failed: "not_made",
  open: "unfinished",
  lost: "lost",
} as const;

/** Describes a change in the form of `CHANGE`. */
export async function describeChange(journal: Journal, access: FileAccess, change: Change, options?: DiffOptions) {
  const { id, madeAt, tool, state, doing, steps } = change;
  const isMixed = new Set(steps.map(({ side }) => side)).size > 1;
  const transaction =
    change.transaction === undefined ? undefined : journal.transactions.find(change.transaction)?.name;
  const all = await Promise.all(
    steps.map(async (step) => ({
      ...describeStep(access, step),
      ...(isMixed && { now: step.side }),
      ...(options !== undefined && (await describeLines(journal, access, step, options))),
    })),
  );
  const files = fitToBudget(all, MAX_FILES_BYTES);
  return {
    change: id,
    at: new Date(madeAt).toISOString(),
    // A change of others was found by a forced undo.
    tool: tool || "somebody else",
    state: doing === undefined ? STATES[state] : ("unfinished" as const),
    ...(transaction !== undefined && { transaction }),
    files,
    ...(files.length < all.length && { more_files: all.length - files.length }),
  };
}

function describeStep(access: FileAccess, step: Step) {
  const { kind, path, to, before, after } = step;
  if (kind === "move")
    return { path: access.displayPath(to ?? ""), action: "moved" as const, from: access.displayPath(path) };
  const displayPath = access.displayPath(path);
  if (kind === "clear") return { path: displayPath, action: "replaced" as const };
  if (after.kind === "folder") return { path: displayPath, action: "folder_created" as const };
  if (after.kind === "absent") return { path: displayPath, action: "deleted" as const };
  return { path: displayPath, action: before.kind === "absent" ? ("created" as const) : ("modified" as const) };
}

async function describeLines(
  journal: Journal,
  access: FileAccess,
  { kind, path, before, after }: Step,
  { diffs, maxDiff }: DiffOptions,
) {
  if (kind === "move" || (before.kind !== "file" && after.kind !== "file")) return {};
  const [old, fresh] = [await storedText(journal, before), await storedText(journal, after)];
  const isKnown = (state: FileState, text: string | undefined) => state.kind !== "file" || text !== undefined;
  if (!isKnown(before, old) || !isKnown(after, fresh)) return {};
  const diff = await unifiedDiff(access.displayPath(path), old, fresh);
  const lines = diff.split("\n").slice(2);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    ...(diffs && { diff: truncateDiff(diff, maxDiff) }),
  };
}

const storedText = async (journal: Journal, state: FileState): Promise<string | undefined> =>
  state.kind === "file" ? toText(await journal.blobs.read(state.hash)) : undefined;

/** Describes the changes that stay as they are. */
export const describeLeftOut = (
  access: FileAccess,
  leftOut: readonly MissingContent[],
): { readonly left?: { change: number; files: string[] }[] } => {
  const left = leftOut.map(({ change, realPaths }) => ({
    change: change.id,
    files: realPaths.map((realPath) => access.displayPath(realPath)),
  }));
  return left.length === 0 ? {} : { left };
};
