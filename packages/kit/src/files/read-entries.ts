import { lstat, type Stats } from "node:fs";
import path from "node:path";
import { changedMeanwhile } from "./errors.js";
import type { FileAccess } from "./file-access.js";
import { OpenFolder } from "./open-folder.js";

/** How many entries are looked at at once; more would only wait for the threads that Node has for files. */
const AT_ONCE = 256;

/** Looks at entries of a folder that is open; undefined for those that are gone or closed to us. */
export async function readEntries(
  reach: FileAccess,
  folder: OpenFolder,
  names: readonly string[],
): Promise<(Stats | undefined)[]> {
  const looked: (Stats | undefined)[] = [];
  const shown = reach.show(folder.place);
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE).map((name) => folder.at(name));
    looked.push(...(await reach.attempt(shown, () => lookMany(some))));
  }
  return looked;
}

/** One promise for all of them: in long folders those of single ones cost as much as the looks. */
function lookMany(places: readonly string[]): Promise<(Stats | undefined)[]> {
  return new Promise((resolve) => {
    const found: (Stats | undefined)[] = places.map(() => undefined);
    let left = places.length;
    for (const [at, place] of places.entries())
      lstat(place, (error, stats) => {
        if (error === null) found[at] = stats;
        left -= 1;
        if (left === 0) resolve(found);
      });
  });
}

/** Looks at places that a walk has come by, in its order: the folder of each is held while its entries are looked at. */
export async function statAll(reach: FileAccess, places: readonly string[]): Promise<(Stats | undefined)[]> {
  const looked: (Stats | undefined)[] = [];
  for (let at = 0; at < places.length; at = looked.length) {
    const above = path.dirname(places[at] ?? "");
    let end = at + 1;
    while (end < places.length && path.dirname(places[end] ?? "") === above) end += 1;
    looked.push(...(await lookBelow(reach, above, places.slice(at, end))));
  }
  return looked;
}

async function lookBelow(reach: FileAccess, above: string, places: readonly string[]): Promise<(Stats | undefined)[]> {
  const shown = reach.show(above);
  try {
    await using folder = await reach.attempt(
      shown,
      () => OpenFolder.open(shown, above),
      (late) => late.close(),
    );
    if (folder.place !== above) throw changedMeanwhile(shown);
    return await readEntries(
      reach,
      folder,
      places.map((place) => path.basename(place)),
    );
  } catch (error) {
    reach.signal?.throwIfAborted();
    if (error instanceof Error) return places.map(() => undefined);
    throw error;
  }
}
