import path from "node:path";
import { isWithin } from "@toolwright/kit/files";
import type { StepMove } from "./apply-steps.js";
import { ABSENT, type FileState, isSame } from "./file-state.js";
import type { Change, Step } from "./journal-tables.js";

/** A path that is not as the journal left it. */
export interface Conflict {
  readonly path: string;
  readonly expected: FileState;
  readonly found: FileState;
  /** Where the content that was found is at the moment. */
  readonly origin: string;
  /** Whether it can be recorded as a change of somebody else, and then be replaced. */
  readonly canForce: boolean;
}

/** How to undo or redo a change. */
export interface Plan {
  readonly change: Change;
  readonly moves: readonly StepMove[];
  readonly conflicts: readonly Conflict[];
}

/** Plans how to bring a change to a side, after everything in the preview. Nothing is done yet. */
export async function planChange(change: Change, side: "old" | "new", preview: Preview): Promise<Plan> {
  const moves: StepMove[] = [];
  const conflicts: Conflict[] = [];
  const addConflict = (realPath: string, expected: FileState, found: FileState, canForce: boolean): void => {
    conflicts.push({ path: realPath, expected, found, canForce, origin: preview.origin(realPath) });
  };
  for (const step of side === "new" ? change.steps : [...change.steps].reverse()) {
    if (step.kind === "move") {
      const [source, target] = side === "new" ? [step.path, step.to ?? ""] : [step.to ?? "", step.path];
      const replaced = side === "new" ? replacedBy(step, change.steps) : ABSENT;
      const from = await preview.stateOf(source);
      const to = await preview.stateOf(target);
      if (from.kind === "absent") addConflict(source, step.before, from, false);
      else if (!isSame(to, replaced) && !isCaseChange(source, target, isSame(from, to)))
        addConflict(target, replaced, to, false);
      moves.push({ step, side, expected: replaced });
      preview.move(source, target);
      continue;
    }
    if (step.kind === "clear" && side === "new") continue;
    const [present, target] = side === "new" ? [step.before, step.after] : [step.after, step.before];
    const found = await preview.stateOf(step.path);
    if (isAcceptable(found, present, target)) {
      if (!isSame(found, target)) moves.push({ step, side, expected: found });
    } else {
      addConflict(step.path, present, found, found.kind === "file" || found.kind === "absent");
      moves.push({ step, side, expected: found });
    }
    preview.put(step.path, target);
  }
  return { change, moves, conflicts };
}

const replacedBy = (move: Step, steps: readonly Step[]): FileState =>
  steps.find(({ kind, path: realPath }) => kind === "clear" && realPath === move.to)?.before ?? ABSENT;

/** Names that differ in case only are one entry on some disks. Whether on this one is found when the move is made. */
const isCaseChange = (source: string, target: string, isAlike: boolean): boolean =>
  isAlike && source.toLowerCase() === target.toLowerCase();

/** As it was left, or already as it should be. A folder that is gone or not empty is no conflict. */
function isAcceptable(found: FileState, present: FileState, target: FileState): boolean {
  if (present.kind === "folder") return found.kind === "folder" || found.kind === "absent";
  return isSame(found, present) || isSame(found, target);
}

type Layer =
  | { readonly kind: "put"; readonly path: string; readonly state: FileState }
  | { readonly kind: "move"; readonly from: string; readonly to: string };

/** What would be at each path after some steps, without applying them. */
export class Preview {
  readonly #layers: Layer[] = [];
  readonly #read: (realPath: string) => Promise<FileState>;

  constructor(read: (realPath: string) => Promise<FileState>) {
    this.#read = read;
  }

  put(realPath: string, state: FileState): void {
    this.#layers.push({ kind: "put", path: realPath, state });
  }

  move(from: string, to: string): void {
    this.#layers.push({ kind: "move", from, to });
  }

  /** What would be at a path. */
  async stateOf(realPath: string): Promise<FileState> {
    let wanted = realPath;
    for (const layer of [...this.#layers].reverse()) {
      if (layer.kind === "put" && layer.path === wanted) return layer.state;
      if (layer.kind === "put") continue;
      if (isWithin(layer.to, wanted)) wanted = path.join(layer.from, path.relative(layer.to, wanted));
      else if (isWithin(layer.from, wanted)) return ABSENT;
    }
    return this.#read(wanted);
  }

  /** Where the content that would be at a path is now. */
  origin(realPath: string): string {
    let wanted = realPath;
    for (const layer of [...this.#layers].reverse())
      if (layer.kind === "move" && isWithin(layer.to, wanted))
        wanted = path.join(layer.from, path.relative(layer.to, wanted));
    return wanted;
  }
}
