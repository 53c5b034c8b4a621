import { ToolError } from "../../protocol/outcome.js";
import type { TaskLimits } from "./store.js";

/** What a store holds, the coming task counted in. */
export interface TaskLoad {
  readonly tasks: number;
  /** Tasks of the owner of the coming task. */
  readonly tasksPerOwner: number;
  readonly bytes: number;
}

/** A final task that could go. */
export interface FinalTask {
  readonly id: string;
  readonly bytes: number;
  /** It belongs to the owner of the coming task. */
  readonly isOwn: boolean;
}

/**
 * For stores: says which final tasks go, so that the coming one has room, of those that could, in the order in which they
 * would. Throws where that does not suffice.
 */
export function makeTaskRoom(load: TaskLoad, limits: TaskLimits, finals: Iterable<FinalTask>): string[] {
  const left = { ...load };
  const exceeded = () => BOUNDS.find((bound) => left[bound] > limits[bound]);
  const gone: string[] = [];
  let bound = exceeded();
  if (bound === undefined) return gone;
  for (const { id, bytes, isOwn } of finals) {
    gone.push(id);
    left.tasks -= 1;
    left.bytes -= bytes;
    if (isOwn) left.tasksPerOwner -= 1;
    bound = exceeded();
    if (bound === undefined) return gone;
  }
  throw tasksFull(bound, limits[bound]);
}

// An owner's own bound comes first: only its own tasks can help there.
const BOUNDS = ["tasksPerOwner", "tasks", "bytes"] as const;

function tasksFull(bound: keyof TaskLimits, most: number): ToolError {
  const what = bound === "bytes" ? `${most} bytes of tasks` : `${most} tasks`;
  const whose = bound === "tasksPerOwner" ? " for one client" : "";
  return new ToolError(
    `The server keeps at most ${what}${whose}, and too few of them have ended to make room. Wait for one to end, or cancel one, and try again.`,
    { code: "TASKS_FULL", details: { limit: bound, retryable: true } },
  );
}
