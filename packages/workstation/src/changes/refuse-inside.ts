import { readdir } from "node:fs/promises";
import path from "node:path";
import { deniedPath, type FileAccess } from "@toolwright/kit/files";

/** The settings of the server do not go with the folder around them, nor do others come in their place. */
export function refuseSettings(reach: FileAccess, place: string, given = reach.displayPath(place)): void {
  if (reach.holdsSettings(place))
    throw deniedPath(given, "the settings of this server lie there, which a person moves and no tool");
}

/** Looks at all that is in a folder: neither settings nor what is hidden must come out by a move of it. */
export async function refuseInside(
  reach: FileAccess,
  folder: string,
  given = reach.displayPath(folder),
): Promise<void> {
  const left = [folder];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const place = next;
    // Each folder has a deadline of its own: all of them together may take long.
    for (const entry of await reach.withTimeout(given, () => readdir(place, { withFileTypes: true }))) {
      const below = path.join(place, entry.name);
      if (!reach.isVisible(below)) throw deniedPath(given, "there is something in it that this server hides");
      refuseSettings(reach, below, given);
      if (entry.isDirectory()) left.push(below);
    }
  }
}
