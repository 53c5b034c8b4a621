import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { Change } from "./change.js";
import type { Journal } from "./journal.js";
import type { Plan } from "./plan.js";

/** A change for which the journal does not have what is needed. */
export interface Lost {
  readonly change: Change;
  /** The real paths of the files whose contents are gone. */
  readonly places: readonly string[];
}

/** Those plans that need contents which the journal does not have: too large to be kept, too old, or removed by somebody. */
export async function findLost(journal: Journal, plans: readonly Plan[]): Promise<readonly Lost[]> {
  const lost: Lost[] = [];
  for (const { change, moves } of plans) {
    const places: string[] = [];
    for (const { step, side } of moves) {
      const target = side === "new" ? step.after : step.before;
      if (step.kind === "move" || target.kind !== "file") continue;
      if ((await journal.blobs.read(target.hash)) === undefined) places.push(step.path);
    }
    if (places.length > 0) lost.push({ change, places });
  }
  return lost;
}

const MOST_SHOWN = 5;

/** Says which contents are gone, and how to go on without them. */
export function lostFault(reach: FileAccess, lost: readonly Lost[], doing: "undo" | "redo"): ToolError {
  const shown = lost.slice(0, MOST_SHOWN).map(({ change, places }) => {
    const names = places.map((place) => JSON.stringify(reach.displayPath(place))).join(", ");
    return `change ${change.id}: what was in ${names} is not in the journal`;
  });
  const more = lost.length > shown.length ? `; and ${lost.length - shown.length} more` : "";
  return new ToolError(
    `Cannot ${doing} ${shown.join("; ")}${more}; it was too large, or it was too long ago. Nothing was changed now. With force: true such a change is left out for good, and the others are ${doing === "undo" ? "undone" : "made again"}.`,
    { code: "UNAVAILABLE", details: { changes: lost.slice(0, 50).map(({ change }) => change.id) } },
  );
}

/** What results say of those that stay. */
export const tellLeft = (reach: FileAccess, left: readonly Lost[]) =>
  left.length === 0
    ? {}
    : {
        left: left.map(({ change, places }) => ({
          change: change.id,
          files: places.map((place) => reach.displayPath(place)),
        })),
      };
