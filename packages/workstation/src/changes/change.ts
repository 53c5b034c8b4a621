import type { FileState } from "./file-state.js";

/** On which side of a step a place is: before it, after it, or neither, because somebody else was there. */
export type Side = "old" | "new" | "other";

/** One step of a change, for one place. It can be taken in both directions. */
export interface Step {
  /** `put`: a place gets another state. `move`: something goes from `path` to `to`. `clear`: what the move that follows replaces. */
  readonly kind: "put" | "clear" | "move";
  /** The real path. */
  readonly path: string;
  readonly to?: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly side: Side;
  /** The name of the file that is written first, beside the place. */
  readonly temporary: string;
}

/**
 * What has become of a change. `failed`: it was begun and never made. `dropped`: undone, and never made again. `lost`: made, and
 * never undone, because the old content is gone.
 */
export type ChangeState = "open" | "done" | "undone" | "failed" | "dropped" | "lost";

/** What is being done with a change at the moment. */
export type Doing = "make" | "undo" | "redo";

/** All that one call has changed, as the journal has it. */
export interface Change {
  readonly id: number;
  /** Whose it is; empty where callers are not told apart. */
  readonly principal: string;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly state: ChangeState;
  readonly doing: Doing | undefined;
  readonly holder: string;
  /** The transaction to which it belongs. */
  readonly bundle: number | undefined;
  readonly steps: readonly Step[];
}

/** Many changes that are kept or rolled back as one. */
export interface Bundle {
  readonly id: number;
  readonly principal: string;
  readonly name: string;
  /** The real paths of the folders that it is about. */
  readonly roots: readonly string[];
  readonly state: "open" | "committed" | "rolled_back";
  readonly holder: string;
  readonly begunAt: number;
}

/** The steps that tell whether a change was made: folders on the way to a file do not. */
export function decisive(steps: readonly Step[]): readonly Step[] {
  const others = steps.filter(({ after, before }) => after.kind !== "folder" && before.kind !== "folder");
  const moves = steps.filter(({ kind }) => kind === "move");
  if (moves.length > 0) return moves;
  return others.length > 0 ? others : steps;
}

/** Every place that a change touches. */
export const placesOf = ({ steps }: Pick<Change, "steps">): readonly string[] =>
  steps.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));
