import { ToolError } from "@toolwright/engine";
import { type FileAccess, temporaryName, unifiedDiff } from "@toolwright/kit/files";
import { applySteps } from "./apply-steps.js";
import { contentOf, rejectProtectedInside, rejectSettings } from "./drafts.js";
import { type FileState, toText, truncateDiff } from "./file-state.js";
import type { ChangeAuthor, Journal } from "./journal.js";
import type { Change } from "./journal-tables.js";
import { type Conflict, type Plan, Preview, planChange } from "./plan.js";

/** Undo or redo, and whether changes of others are overwritten. */
export interface RevertOptions {
  readonly operation: "undo" | "redo";
  readonly force: boolean;
}

/** A change for which the journal lacks contents. */
export interface MissingContent {
  readonly change: Change;
  /** The real paths of the files whose contents are missing. */
  readonly realPaths: readonly string[];
}

/** The changes that were undone or redone, and those that stay for good because their contents are missing. */
export interface Reverted {
  readonly changes: readonly Change[];
  readonly leftOut: readonly MissingContent[];
}

/**
 * Undoes or redoes the selected changes in their order. Does nothing if others have changed a path since, or a content is missing. With
 * `force`, changes of others are recorded as undone, so that they can be redone; a change whose content is missing is left out for good,
 * and `select` is called without it.
 */
export async function revert(
  journal: Journal,
  author: ChangeAuthor,
  select: (without: ReadonlySet<number>) => readonly Change[],
  { operation, force }: RevertOptions,
): Promise<Reverted> {
  const leftOut: MissingContent[] = [];
  let plans = await planAll(author, select(new Set()), operation);
  for (
    let missing = await findMissingContents(journal, plans);
    missing.length > 0;
    missing = await findMissingContents(journal, plans)
  ) {
    if (!force) throw missingContentError(author.access, missing, operation);
    leftOut.push(...missing);
    plans = await planAll(author, select(new Set(leftOut.map(({ change }) => change.id))), operation);
  }
  const conflicts = plans.flatMap((plan) => plan.conflicts);
  const blocking = force ? conflicts.filter(({ canForce }) => !canForce) : conflicts;
  if (blocking.length > 0) throw await conflictError(journal, author.access, blocking, operation);
  if (plans.length === 0) recordLeftOut(journal, leftOut, operation);
  for (const [at, plan] of plans.entries()) {
    try {
      await rejectProtected(author.access, plan);
      await adoptConflicts(journal, author, plan);
      if (!journal.claim(plan.change, operation)) throw busyError(plan.change);
      await applySteps(journal, { ...plan, operation, access: author.access });
    } catch (error) {
      throw at === 0 ? error : partialError(error, at, operation);
    }
    // If nothing at all could be done, nothing is given up either.
    if (at === 0) recordLeftOut(journal, leftOut, operation);
  }
  return { changes: plans.map(({ change }) => change), leftOut };
}

/** Protected files that a person has put into a folder since must not move with it, and no link may lead to them. */
async function rejectProtected(access: FileAccess, { moves }: Plan): Promise<void> {
  for (const { step, side } of moves) {
    const target = side === "new" ? step.after : step.before;
    if (target.kind === "link") rejectSettings(access, step.path);
    if (step.kind !== "move") continue;
    const [from, to] = side === "new" ? [step.path, step.to ?? ""] : [step.to ?? "", step.path];
    rejectSettings(access, from);
    rejectSettings(access, to);
    if (step.before.kind === "folder") await rejectProtectedInside(access, from);
  }
}

async function planAll(author: ChangeAuthor, changes: readonly Change[], operation: "undo" | "redo") {
  const preview = new Preview(async (realPath) => (await contentOf(author.access, realPath)).state);
  const plans: Plan[] = [];
  for (const change of changes) plans.push(await planChange(change, operation === "undo" ? "old" : "new", preview));
  return plans;
}

/** Plans that need contents which are not in the journal: they were too large, are too old, or were removed. */
async function findMissingContents(journal: Journal, plans: readonly Plan[]): Promise<readonly MissingContent[]> {
  const missing: MissingContent[] = [];
  for (const { change, moves } of plans) {
    const realPaths: string[] = [];
    for (const { step, side } of moves) {
      const target = side === "new" ? step.after : step.before;
      if (step.kind === "move" || target.kind !== "file") continue;
      if ((await journal.blobs.read(target.hash)) === undefined) realPaths.push(step.path);
    }
    if (realPaths.length > 0) missing.push({ change, realPaths });
  }
  return missing;
}

/** Records that changes stay as they are, except those that another process works on by now. */
function recordLeftOut(journal: Journal, leftOut: readonly MissingContent[], operation: "undo" | "redo"): void {
  for (const { change } of leftOut) {
    if (!journal.claim(change, operation)) continue;
    const sides = change.steps.map(({ side }) => side);
    journal.finish(change, operation === "undo" ? "lost" : "dropped", sides);
  }
}

/** Changes of others are in the journal before they disappear from the disk. */
async function adoptConflicts(journal: Journal, author: ChangeAuthor, { change, conflicts }: Plan): Promise<void> {
  for (const conflict of conflicts) await storeFound(journal, author, conflict);
  const steps = conflicts.map(({ path, expected, found }) => ({
    ...({ kind: "put", path, before: expected, after: found } as const),
    ...({ side: "old", temporary: temporaryName() } as const),
  }));
  if (steps.length > 0) journal.adopt(author, steps, change.transaction);
}

async function storeFound(journal: Journal, { access }: ChangeAuthor, { found, origin }: Conflict): Promise<void> {
  if (found.kind !== "file" || journal.blobs.has(found.hash)) return;
  const { bytes, state } = await contentOf(access, origin, journal.limits.fileBytes);
  if (bytes === undefined || state.kind !== "file") {
    const displayPath = access.displayPath(origin);
    throw new ToolError(`Cannot replace ${JSON.stringify(displayPath)}: it is too large for the journal.`, {
      code: "TOO_LARGE",
      details: { path: displayPath },
    });
  }
  await journal.blobs.store(state.hash, bytes);
}

const busyError = ({ id }: Change): ToolError =>
  new ToolError(`Change ${id} is being undone or redone by another process. Try again.`, {
    code: "CONFLICT",
    details: { change: id },
    hint: { action: "see its state", tool: "changes_since", arguments: { since: id - 1 } },
  });

/** Earlier changes of the same call stay undone or redone. */
function partialError(error: unknown, count: number, operation: "undo" | "redo"): unknown {
  if (!(error instanceof ToolError)) return error;
  const done = operation === "undo" ? "undone" : "redone";
  return new ToolError(
    `${error.message} Before that, ${count} ${count === 1 ? "change was" : "changes were"} ${done}.`,
    {
      ...(error.code !== undefined && { code: error.code }),
      ...(error.hint !== undefined && { hint: error.hint }),
      details: { ...error.details, done: count },
      cause: error,
    },
  );
}

const MAX_SHOWN = 5;
const MAX_LISTED = 50;
const MAX_DIFF = 4000;
const MAX_DIFFS = 10_000;

function missingContentError(
  access: FileAccess,
  missing: readonly MissingContent[],
  operation: "undo" | "redo",
): ToolError {
  const shown = missing.slice(0, MAX_SHOWN).map(({ change, realPaths }) => {
    const names = realPaths.map((realPath) => JSON.stringify(access.displayPath(realPath))).join(", ");
    return `change ${change.id}: the content of ${names} is not in the journal`;
  });
  const more = missing.length > shown.length ? `; and ${missing.length - shown.length} more` : "";
  return new ToolError(
    `Cannot ${operation} ${shown.join("; ")}${more}, because it was too large or is too old. Nothing was changed. With force: true such a change is left out for good, and the others are ${operation === "undo" ? "undone" : "redone"}.`,
    { code: "UNAVAILABLE", details: { changes: missing.slice(0, MAX_LISTED).map(({ change }) => change.id) } },
  );
}

async function conflictError(
  journal: Journal,
  access: FileAccess,
  conflicts: readonly Conflict[],
  operation: "undo" | "redo",
): Promise<ToolError> {
  const shown = conflicts.slice(0, MAX_SHOWN);
  const lines = shown.map((conflict) => `- ${access.displayPath(conflict.path)}: ${describeConflict(conflict)}`);
  if (conflicts.length > shown.length) lines.push(`- and ${conflicts.length - shown.length} more`);
  const diffs = await Promise.all(shown.map((conflict) => diffOf(journal, access, conflict)));
  const canForce = conflicts.every((conflict) => conflict.canForce);
  const restore = operation === "undo" ? ", after what was undone (count: 2 after one change)" : "";
  const advice = canForce
    ? `With force: true it is overwritten; redo then restores what is there now${restore}.`
    : "Resolve this by hand, then try again.";
  const diff = truncateDiff(diffs.join(""), MAX_DIFFS);
  return new ToolError(
    `Cannot ${operation}: somebody else has changed this since. Nothing was changed.\n${lines.join("\n")}\n${advice}${diff && `\n${diff}`}`,
    {
      code: "CONFLICT",
      details: { paths: conflicts.slice(0, MAX_LISTED).map(({ path }) => access.displayPath(path)) },
    },
  );
}

function describeConflict({ expected, found }: Conflict): string {
  if (found.kind === "absent") return "it does not exist any more";
  if (expected.kind === "absent") return `there is ${describeKind(found)} now`;
  return found.kind === expected.kind ? "it has other content" : `it is ${describeKind(found)} now`;
}

function describeKind(state: FileState): string {
  if (state.kind === "special") return state.words;
  return { absent: "nothing", file: "a file", link: "a symbolic link", folder: "a folder" }[state.kind];
}

async function diffOf(
  journal: Journal,
  access: FileAccess,
  { path, expected, found, origin }: Conflict,
): Promise<string> {
  if (found.kind !== "file" || expected.kind === "folder") return "";
  const before = expected.kind === "file" ? toText(await journal.blobs.read(expected.hash)) : undefined;
  const content = await contentOf(access, origin, journal.limits.fileBytes).catch(() => undefined);
  const after = toText(content?.bytes);
  if (after === undefined || (expected.kind === "file" && before === undefined)) return "";
  return truncateDiff(await unifiedDiff(access.displayPath(path), before, after), MAX_DIFF);
}
