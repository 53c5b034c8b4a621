import path from "node:path";
import { entryKind } from "./entry-kind.js";
import type { FileAccess } from "./file-access.js";
import { fitToBudget, sizeInJson } from "./fit-to-budget.js";
import type { FolderLists, Named } from "./folder-lists.js";
import type { OpenFolder } from "./open-folder.js";
import { readEntries } from "./read-entries.js";

/** An entry of a folder. */
interface Listed extends Named {
  readonly size?: number;
  readonly modified?: string;
}

/** What a folder has, and where it is. */
export interface Listing {
  readonly place: string;
  readonly total: number;
  /** Those of the page, as far as they fit into a result. */
  readonly entries: Listed[];
}

/** Which entries are wanted, and in which order: names upwards, the largest or the newest first. */
export interface ListOptions {
  readonly path: string;
  readonly sort: "name" | "size" | "modified";
  readonly offset: number;
  readonly limit: number;
}

/** How many bytes of JSON a page has: more than other lists, because each page of a long folder costs a look at the folder. */
const ROOM = 48_000;

/** How many entries are looked at before it is seen how many more fit. */
const STEP = 256;

/** Lists a folder, hidden names included. Only the entries of the page are looked at, unless the order needs all. */
export async function listFolder(reach: FileAccess, lists: FolderLists, wish: ListOptions): Promise<Listing> {
  const { path: given, sort, offset, limit } = wish;
  await using folder = await reach.openFolder(given);
  const { place } = folder;
  const all = await lists.of(reach, given, folder);
  const shown = reach.hidesNothing ? all : all.filter(({ name }) => reach.mayShow(path.join(place, name)));
  const total = shown.length;
  const page = { from: offset, to: offset + limit };
  if (sort === "name")
    return { place, total, entries: await lookWhileFitting(reach, folder, shown.slice(page.from, page.to)) };
  const looked = await lookAll(reach, folder, shown);
  looked.sort((one, other) =>
    sort === "size" ? (other.size ?? 0) - (one.size ?? 0) : (other.modified ?? "") < (one.modified ?? "") ? -1 : 1,
  );
  return { place, total, entries: fitToBudget(looked.slice(page.from, page.to), ROOM) };
}

/** Looks at no more entries than fit into a result, or a few. */
async function lookWhileFitting(reach: FileAccess, folder: OpenFolder, names: readonly Named[]): Promise<Listed[]> {
  const looked: Listed[] = [];
  let left = ROOM;
  for (let step = STEP; looked.length < names.length && left > 0; ) {
    const some = await lookAll(reach, folder, names.slice(looked.length, looked.length + step));
    for (const entry of some) left -= sizeInJson(entry) + 1;
    looked.push(...some);
    step = Math.ceil((left * looked.length) / (ROOM - left)) + 1;
  }
  return left < 0 ? fitToBudget(looked, ROOM) : looked;
}

/** What is gone meanwhile, or closed to us, is still a name in the folder. */
async function lookAll(reach: FileAccess, folder: OpenFolder, entries: readonly Named[]): Promise<Listed[]> {
  const names = entries.map(({ name }) => name);
  const looked = await readEntries(reach, folder, names);
  return entries.map((entry, at) => {
    const stats = looked[at];
    if (stats === undefined) return entry;
    const { kind } = entryKind(stats);
    const size = stats.isFile() && { size: stats.size };
    return { name: entry.name, kind, ...size, modified: stats.mtime.toISOString() };
  });
}
