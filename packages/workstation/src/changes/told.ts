import { type FileAccess, fitToBudget, unifiedDiff } from "@toolwright/kit/files";
import type { Change, Step } from "./change.js";
import type { FileState } from "./file-state.js";
import type { Journal } from "./journal.js";
import { cutDiff, textOf } from "./text-of.js";

/** How much is told of the lines that changed. */
export interface Detail {
  readonly diffs: boolean;
  /** How many characters of a difference. */
  readonly most: number;
}

/** How many bytes the files of one change may have in a result. */
const MOST_FILES = 20_000;

const STATES = {
  done: "done",
  undone: "undone",
  dropped: "undone",
  failed: "not_made",
  open: "unfinished",
  lost: "lost",
} as const;

/** Says what a change has changed. */
export async function tell(journal: Journal, reach: FileAccess, change: Change, detail: Detail | undefined) {
  const { id, madeAt, tool, state, doing, bundle, steps } = change;
  const isMixed = new Set(steps.map(({ side }) => side)).size > 1;
  const transaction = bundle === undefined ? undefined : journal.bundles.find(bundle)?.name;
  const all = await Promise.all(
    steps.map(async (step) => ({
      ...named(reach, step),
      ...(isMixed && { now: step.side }),
      ...(detail !== undefined && (await lines(journal, reach, step, detail))),
    })),
  );
  const files = fitToBudget(all, MOST_FILES);
  return {
    change: id,
    at: new Date(madeAt).toISOString(),
    // A change of others was found when an undo was forced.
    tool: tool || "somebody else",
    state: doing === undefined ? STATES[state] : ("unfinished" as const),
    ...(transaction !== undefined && { transaction }),
    files,
    ...(files.length < all.length && { more_files: all.length - files.length }),
  };
}

function named(reach: FileAccess, step: Step) {
  const { kind, path, to, before, after } = step;
  if (kind === "move")
    return { path: reach.displayPath(to ?? ""), action: "moved" as const, from: reach.displayPath(path) };
  const shown = reach.displayPath(path);
  if (kind === "clear") return { path: shown, action: "replaced" as const };
  if (after.kind === "folder") return { path: shown, action: "folder_created" as const };
  if (after.kind === "absent") return { path: shown, action: "deleted" as const };
  return { path: shown, action: before.kind === "absent" ? ("created" as const) : ("modified" as const) };
}

async function lines(
  journal: Journal,
  reach: FileAccess,
  { kind, path, before, after }: Step,
  { diffs, most }: Detail,
) {
  if (kind === "move" || (before.kind !== "file" && after.kind !== "file")) return {};
  const [old, fresh] = [await kept(journal, before), await kept(journal, after)];
  const isKnown = (state: FileState, text: string | undefined) => state.kind !== "file" || text !== undefined;
  if (!isKnown(before, old) || !isKnown(after, fresh)) return {};
  const diff = await unifiedDiff(reach.displayPath(path), old, fresh);
  const marked = diff.split("\n").slice(2);
  return {
    added: marked.filter((line) => line.startsWith("+")).length,
    removed: marked.filter((line) => line.startsWith("-")).length,
    ...(diffs && { diff: cutDiff(diff, most) }),
  };
}

const kept = async (journal: Journal, state: FileState): Promise<string | undefined> =>
  state.kind === "file" ? textOf(await journal.blobs.read(state.hash)) : undefined;
