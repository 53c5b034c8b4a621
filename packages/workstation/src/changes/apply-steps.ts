import { lstat, mkdir, rename, rmdir, symlink, unlink } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import {
  changedMeanwhile,
  type FileAccess,
  type OpenEntry,
  OpenFolder,
  removeStaleLock,
  writeAtomically,
} from "@toolwright/kit/files";
import { ABSENT, contentAt, type FileState, isSame } from "./file-state.js";
import type { Journal } from "./journal.js";
import type { Change, ChangeState, Operation, Side, Step } from "./journal-tables.js";

/** A step, and the side to which it is to be brought. */
export interface StepMove {
  readonly step: Step;
  readonly side: "old" | "new";
  /** What must be at the path at the last moment; what is on the other side of the step by default. */
  readonly expected?: FileState;
}

/** What is needed to apply a step. */
interface StepContext {
  readonly access: FileAccess;
  readonly read: (hash: string) => Promise<Uint8Array | undefined>;
  /** Runs what changes something within the deadline. */
  readonly attempt: (displayPath: string, work: () => Promise<void>) => Promise<void>;
}

/** A recorded change, and what is to be done with it. */
export interface StepsToApply {
  readonly change: Change;
  readonly operation: Operation;
  readonly moves: readonly StepMove[];
  readonly access: FileAccess;
  /** Contents that need not be read from the journal. */
  readonly contents?: ReadonlyMap<string, Uint8Array>;
}

/** Applies the steps of a change, all or none, and records the result. */
export async function applySteps(
  journal: Journal,
  { change, operation, moves, access, contents }: StepsToApply,
): Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const context: StepContext = {
    access,
    read: async (hash) => contents?.get(hash) ?? (await journal.blobs.read(hash)),
    attempt: (displayPath, work) =>
      access.withTimeout(displayPath, () => {
        const started = work();
        running = started.catch(() => undefined);
        return started;
      }),
  };
  const applied: StepMove[] = [];
  try {
    for (const move of moves) {
      await applyStep(move, context);
      applied.push(move);
    }
  } catch (error) {
    // An operation that hangs may still happen; the state of the change is known only when it has ended.
    if (error instanceof ToolError && error.code === "TIMEOUT") void running.then(() => journal.release(change));
    else await revertSteps(journal, { ...change, doing: operation }, applied, context);
    throw error;
  }
  recordSuccess(journal, change, operation);
}

/** If the success cannot be recorded, the next look at the files finds the same. */
function recordSuccess(journal: Journal, change: Change, operation: Operation): void {
  const isUndo = operation === "undo";
  const side = isUndo ? "old" : "new";
  try {
    journal.finish(
      change,
      isUndo ? "undone" : "done",
      change.steps.map(() => side),
    );
  } catch {
    journal.release(change);
  }
}

async function revertSteps(
  journal: Journal,
  change: Change,
  applied: readonly StepMove[],
  context: StepContext,
): Promise<void> {
  try {
    for (const { step, side } of [...applied].reverse())
      await applyStep({ step, side: side === "new" ? "old" : "new" }, context);
  } catch {
    // The journal records what could not be reverted as it is.
  }
  await settleNow(journal, change);
}

/**
 * Applies a step after a last check of the path, while no other server changes its folder. What another program puts there between that
 * check and the end of the operation, a few instructions later, is lost; no system that Node supports can exclude that.
 */
async function applyStep(move: StepMove, context: StepContext): Promise<void> {
  await (move.step.kind === "move" ? applyMove(move, context) : applyPut(move, context));
}

async function applyPut({ step, side, expected }: StepMove, context: StepContext): Promise<void> {
  const { access } = context;
  // The rename that follows replaces what is there atomically.
  if (step.kind === "clear" && side === "new") return;
  const target = side === "new" ? step.after : step.before;
  const present = expected ?? (side === "new" ? step.before : step.after);
  const bytes = target.kind === "file" ? await bytesOf(target, step, context) : undefined;
  const entry = await openRealPath(step.path, access, target.kind !== "absent");
  const check = () => expectState(entry, present, access, target.kind === "folder");
  const isModeChanged = present.kind !== "file" || modeOf(step.before) !== modeOf(step.after);
  const mode = isModeChanged ? modeOf(target) : undefined;
  await withEntries([entry], context, access.displayPath(step.path), async () => {
    if (bytes !== undefined) {
      const { temporary } = step;
      const isNew = present.kind === "absent";
      await writeAtomically(entry, bytes, {
        check,
        temporary,
        ...(mode !== undefined && { mode }),
        ...(isNew && { expect: "absent" }),
      });
      return;
    }
    await check();
    if (target.kind === "link") await symlink(target.target, entry.path);
    else if (target.kind === "folder") await mkdir(entry.path).catch(ignore("EEXIST"));
    else if (present.kind === "folder") await rmdir(entry.path).catch(ignore("ENOTEMPTY", "EEXIST", "ENOENT"));
    else await unlink(entry.path);
    await entry.folder.sync();
  });
}

async function applyMove({ step, side, expected }: StepMove, context: StepContext): Promise<void> {
  const { access } = context;
  const [source, target] = side === "new" ? [step.path, step.to ?? ""] : [step.to ?? "", step.path];
  const from = await openRealPath(source, access, false);
  const to = await openRealPath(target, access, true).catch(async (error: unknown) => {
    await from.folder.close();
    throw error;
  });
  await withEntries([from, to], context, access.displayPath(source), async () => {
    const moved = await lstat(from.path, { bigint: true });
    const there = await lstat(to.path, { bigint: true }).catch(() => undefined);
    const isSameFile = there !== undefined && there.ino === moved.ino && there.dev === moved.dev;
    // On case-insensitive disks both names may mean the same entry.
    const isSameEntry = isSameFile && (expected ?? ABSENT).kind === "absent";
    if (!isSameEntry) await expectState(to, expected ?? ABSENT, access);
    // rename() does nothing if both are hard links to one file.
    await (isSameFile && !isSameEntry ? unlink(from.path) : rename(from.path, to.path));
    await to.folder.sync();
    await from.folder.sync();
  });
}

/**
 * Works on open entries in locked folders and closes them after the work has really ended: an operation that hangs must not find another
 * folder under the same descriptor when it continues.
 */
async function withEntries(
  entries: readonly OpenEntry[],
  { access, attempt }: StepContext,
  displayPath: string,
  work: () => Promise<void>,
): Promise<void> {
  const close = async (): Promise<void> => {
    for (const { folder } of entries) await folder.close();
  };
  let hasStarted = false;
  try {
    const folders = entries.map(({ folder }) => folder);
    await access.changeFolders(displayPath, folders, work, (locked) =>
      attempt(displayPath, async () => {
        hasStarted = true;
        try {
          await locked();
        } finally {
          await close();
        }
      }),
    );
  } finally {
    if (!hasStarted) await close();
  }
}

/** Opens a real path of the journal. Throws if it leads elsewhere by now. */
async function openRealPath(realPath: string, access: FileAccess, create: boolean): Promise<OpenEntry> {
  const entry = await access.openEntry(realPath, { follow: false, create });
  if (entry.realPath === realPath) return entry;
  await entry.folder.close();
  throw changedMeanwhile(access.displayPath(realPath));
}

async function expectState(
  entry: OpenEntry,
  expected: FileState,
  access: FileAccess,
  isFolderWanted = false,
): Promise<void> {
  const { state } = await contentAt(entry.path);
  // A folder that already exists, or is already gone, is fine.
  if (expected.kind === "folder" || isSame(state, expected)) return;
  if (isFolderWanted && state.kind === "folder") return;
  const displayPath = access.displayPath(entry.realPath);
  throw new ToolError(`${JSON.stringify(displayPath)} was changed by somebody else at this moment. Read it again.`, {
    code: "CONFLICT",
    details: { path: displayPath },
  });
}

async function bytesOf(
  { hash }: FileState & { readonly kind: "file" },
  step: Step,
  { access, read }: StepContext,
): Promise<Uint8Array> {
  const bytes = await read(hash);
  if (bytes !== undefined) return bytes;
  const displayPath = access.displayPath(step.path);
  throw new ToolError(
    `Cannot restore ${JSON.stringify(displayPath)}: its content is not in the journal, because it was too large or is too old.`,
    { code: "UNAVAILABLE", details: { path: displayPath } },
  );
}

const modeOf = (state: FileState): number | undefined => (state.kind === "file" ? state.mode : undefined);

function ignore(...codes: readonly string[]) {
  return (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}

/** Finds the state of an interrupted change in the files and records it. What is unknown now is found later. */
export async function settleNow(journal: Journal, change: Change): Promise<void> {
  try {
    const found = await settle(change);
    if (found !== undefined) {
      journal.finish(change, found.state, found.sides);
      return;
    }
  } catch {
    // The disk is full, or hangs.
  }
  journal.release(change);
}

/**
 * Checks for each path of an interrupted change whether it is old or new, and removes temporary files. Returns undefined if a folder
 * cannot be read, such as one on a disk that is not mounted.
 */
async function settle(
  change: Change,
): Promise<{ readonly state: ChangeState; readonly sides: readonly Side[] } | undefined> {
  for (const step of change.steps) if (!(await canCheck(step, change.steps))) return undefined;
  await removeTemporaries(change.steps);
  const sides: Side[] = [];
  for (const step of change.steps) sides.push(await sideOf(step, change.steps));
  const isOld = decisiveSteps(change.steps).every((step) => sides[change.steps.indexOf(step)] === "old");
  if (!isOld) return { state: "done", sides };
  if (change.doing !== "make") return { state: "undone", sides };
  await removeFolders(change.steps);
  return { state: "failed", sides: sides.map(() => "old") };
}

/** The steps that tell whether a change was made. Parent folders do not. */
function decisiveSteps(steps: readonly Step[]): readonly Step[] {
  const others = steps.filter(({ after, before }) => after.kind !== "folder" && before.kind !== "folder");
  const moves = steps.filter(({ kind }) => kind === "move");
  if (moves.length > 0) return moves;
  return others.length > 0 ? others : steps;
}

/** If the parent folder is gone, and the change has not created it, the path tells nothing. */
async function canCheck({ path: realPath, after }: Step, steps: readonly Step[]): Promise<boolean> {
  const parent = path.dirname(realPath);
  if (after.kind === "folder" || steps.some((step) => step.path === parent)) return true;
  return exists(parent);
}

async function sideOf(step: Step, all: readonly Step[]): Promise<Side> {
  if (step.kind === "move") return sideOfMove(step);
  const move = all.find(({ kind, to }) => kind === "move" && to === step.path);
  if (step.kind === "clear" && move !== undefined && (await sideOfMove(move)) === "new") return "new";
  const state = await contentAt(step.path).then(
    (content) => content.state,
    () => undefined,
  );
  if (state !== undefined && isSame(state, step.before)) return "old";
  return state !== undefined && isSame(state, step.after) ? "new" : "other";
}

async function sideOfMove({ path: from, to = "" }: Step): Promise<Side> {
  if (await exists(from)) return "old";
  return (await exists(to)) ? "new" : "other";
}

const exists = (realPath: string): Promise<boolean> =>
  lstat(realPath).then(
    () => true,
    () => false,
  );

/** Removes what a process that was killed has left in the folders: temporary files, and the locks. */
async function removeTemporaries(steps: readonly Step[]): Promise<void> {
  for (const { path: realPath, temporary } of steps)
    await unlink(path.join(path.dirname(realPath), temporary)).catch(() => undefined);
  const paths = steps.flatMap(({ path: from, to }) => (to === undefined ? [from] : [from, to]));
  for (const folder of new Set(paths.map((realPath) => path.dirname(realPath))))
    await removeLockIn(folder).catch(() => undefined);
}

async function removeLockIn(realPath: string): Promise<void> {
  await using folder = await OpenFolder.open(realPath, realPath);
  await removeStaleLock(folder);
}

/** Removes folders that were created for a file that was never written. One that is not empty stays. */
async function removeFolders(steps: readonly Step[]): Promise<void> {
  for (const { path: realPath, kind, before, after } of [...steps].reverse())
    if (kind === "put" && after.kind === "folder" && before.kind === "absent")
      await rmdir(realPath).catch(() => undefined);
}
