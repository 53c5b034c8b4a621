import { lstat, rmdir, unlink } from "node:fs/promises";
import path from "node:path";
import { type Change, type ChangeState, decisive, type Side, type Step } from "./change.js";
import { contentAt, type FileState, isSame } from "./file-state.js";

/** What has become of a change that was cut off. */
export interface Settlement {
  readonly state: ChangeState;
  readonly sides: readonly Side[];
}

/**
 * Looks at each place of a change that was cut off, to tell whether it is old or new, and removes what the work left behind.
 * Undefined where a folder cannot be looked at, such as a disk that is not there: it can be told later.
 */
export async function settle(change: Change): Promise<Settlement | undefined> {
  for (const step of change.steps) if (!(await canBeTold(step, change.steps))) return undefined;
  await removeTemporaries(change.steps);
  const sides: Side[] = [];
  for (const step of change.steps) sides.push(await sideOf(step, change.steps));
  const isOld = decisive(change.steps).every((step) => sides[change.steps.indexOf(step)] === "old");
  if (!isOld) return { state: "done", sides };
  if (change.doing !== "make") return { state: "undone", sides };
  await removeFolders(change.steps);
  return { state: "failed", sides: sides.map(() => "old") };
}

/** Where the folder of a place is gone, though the change has not made it, the place says nothing. */
async function canBeTold({ path: place, after }: Step, steps: readonly Step[]): Promise<boolean> {
  const above = path.dirname(place);
  if (after.kind === "folder" || steps.some((step) => step.path === above)) return true;
  return isThere(above);
}

async function sideOf(step: Step, all: readonly Step[]): Promise<Side> {
  if (step.kind === "move") return sideOfMove(step);
  const move = all.find(({ kind, to }) => kind === "move" && to === step.path);
  if (step.kind === "clear" && move !== undefined && (await sideOfMove(move)) === "new") return "new";
  const state = await look(step.path);
  if (state !== undefined && isSame(state, step.before)) return "old";
  return state !== undefined && isSame(state, step.after) ? "new" : "other";
}

async function sideOfMove({ path: from, to = "" }: Step): Promise<Side> {
  if (await isThere(from)) return "old";
  return (await isThere(to)) ? "new" : "other";
}

const isThere = (place: string): Promise<boolean> =>
  lstat(place).then(
    () => true,
    () => false,
  );

const look = (place: string): Promise<FileState | undefined> =>
  contentAt(place).then(
    ({ state }) => state,
    () => undefined,
  );

async function removeTemporaries(steps: readonly Step[]): Promise<void> {
  for (const { path: place, temporary } of steps)
    await unlink(path.join(path.dirname(place), temporary)).catch(() => undefined);
}

/** Folders that were made for a file which never came. One that has something in it stays. */
async function removeFolders(steps: readonly Step[]): Promise<void> {
  for (const { path: place, kind, before, after } of [...steps].reverse())
    if (kind === "put" && after.kind === "folder" && before.kind === "absent")
      await rmdir(place).catch(() => undefined);
}
