import { readdir } from "node:fs/promises";
import path from "node:path";
import { deniedPath } from "../../../files/faults.js";
import type { Reach } from "../../../files/reach.js";

/** Throws where something must not be moved. */
type Refuse = (reach: Reach, place: string, given?: string) => void;

/** What is hidden must not come out by a move of the folder around it. */
export const refuseHidden: Refuse = (reach, place, given = reach.show(place)) => {
  if (!reach.mayShow(place)) throw deniedPath(given, "there is something in it that this server hides");
};

/** Nor do the settings of the server go with the folder around them, or others come in their place. */
export const refuseSettings: Refuse = (reach, place, given = reach.show(place)) => {
  if (!reach.holdsSettings(place)) return;
  throw deniedPath(given, "the settings of this server lie there, which a person moves and no tool");
};

/** Looks at all that is in a folder. */
export async function refuseInside(reach: Reach, given: string, folder: string, refuse: Refuse): Promise<void> {
  const left = [folder];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const place = next;
    // Each folder has a deadline of its own: all of them together may take long.
    for (const entry of await reach.attempt(given, () => readdir(place, { withFileTypes: true }))) {
      const below = path.join(place, entry.name);
      refuse(reach, below, given);
      if (entry.isDirectory()) left.push(below);
    }
  }
}
