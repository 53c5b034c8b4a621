import type { Move } from "./carry-out.js";
import type { Change, Step } from "./change.js";
import { ABSENT, type FileState, isSame } from "./file-state.js";
import type { Preview } from "./preview.js";

/** A place that is not as the journal left it. */
export interface Clash {
  readonly path: string;
  readonly expected: FileState;
  readonly found: FileState;
  /** Where what was found is at the moment. */
  readonly origin: string;
  /** Whether it can be noted as somebody's change, and then be replaced. */
  readonly canForce: boolean;
}

/** How a change is to be undone or made again. */
export interface Plan {
  readonly change: Change;
  readonly moves: readonly Move[];
  readonly clashes: readonly Clash[];
}

/** Works out what has to be done to bring a change to a side, after all that the preview knows of; nothing is done yet. */
export async function planChange(change: Change, side: "old" | "new", preview: Preview): Promise<Plan> {
  const moves: Move[] = [];
  const clashes: Clash[] = [];
  const clash = (path: string, expected: FileState, found: FileState, canForce: boolean): void => {
    clashes.push({ path, expected, found, canForce, origin: preview.origin(path) });
  };
  for (const step of side === "new" ? change.steps : [...change.steps].reverse()) {
    if (step.kind === "move") {
      const [source, target] = side === "new" ? [step.path, step.to ?? ""] : [step.to ?? "", step.path];
      const replaced = side === "new" ? clearedBy(step, change.steps) : ABSENT;
      const from = await preview.stateOf(source);
      const to = await preview.stateOf(target);
      if (from.kind === "absent") clash(source, step.before, from, false);
      else if (!isSame(to, replaced) && !isCaseChange(source, target, isSame(from, to)))
        clash(target, replaced, to, false);
      moves.push({ step, side, expected: replaced });
      preview.move(source, target);
      continue;
    }
    if (step.kind === "clear" && side === "new") continue;
    const [present, target] = side === "new" ? [step.before, step.after] : [step.after, step.before];
    const now = await preview.stateOf(step.path);
    if (isFine(now, present, target)) {
      if (!isSame(now, target)) moves.push({ step, side, expected: now });
    } else {
      clash(step.path, present, now, now.kind === "file" || now.kind === "absent");
      moves.push({ step, side, expected: now });
    }
    preview.put(step.path, target);
  }
  return { change, moves, clashes };
}

const clearedBy = (move: Step, steps: readonly Step[]): FileState =>
  steps.find(({ kind, path }) => kind === "clear" && path === move.to)?.before ?? ABSENT;

/** Names that differ in case only are one entry on some disks; whether on this one shows when it is done. */
const isCaseChange = (source: string, target: string, isAlike: boolean): boolean =>
  isAlike && source.toLowerCase() === target.toLowerCase();

/** As it was left, or already as it should be; a folder that is gone, or is not empty, is nobody's loss. */
function isFine(now: FileState, present: FileState, target: FileState): boolean {
  if (present.kind === "folder") return now.kind === "folder" || now.kind === "absent";
  return isSame(now, present) || isSame(now, target);
}
