import { lstat, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { changedMeanwhile } from "./errors.js";
import type { FileAccess } from "./file-access.js";
import { OpenFolder } from "./file-handles.js";
import { entryKind, type Kind } from "./file-stats.js";
import { fitToBudget, sizeInJson } from "./fit-to-budget.js";

/** An entry of a folder. */
interface Listed extends Named {
  readonly size?: number;
  readonly modified?: string;
}

/** What a folder has, and where it is. */
export interface Listing {
  readonly realPath: string;
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
export async function listFolder(access: FileAccess, lists: FolderLists, options: ListOptions): Promise<Listing> {
  const { path: inputPath, sort, offset, limit } = options;
  await using folder = await access.openFolder(inputPath);
  const { realPath } = folder;
  const all = await lists.of(access, inputPath, folder);
  const shown = access.hidesNothing ? all : all.filter(({ name }) => access.isVisible(path.join(realPath, name)));
  const total = shown.length;
  const page = { from: offset, to: offset + limit };
  if (sort === "name")
    return { realPath, total, entries: await lookWhileFitting(access, folder, shown.slice(page.from, page.to)) };
  const looked = await lookAll(access, folder, shown);
  looked.sort((one, other) =>
    sort === "size" ? (other.size ?? 0) - (one.size ?? 0) : (other.modified ?? "") < (one.modified ?? "") ? -1 : 1,
  );
  return { realPath, total, entries: fitToBudget(looked.slice(page.from, page.to), ROOM) };
}

/** Looks at no more entries than fit into a result, or a few. */
async function lookWhileFitting(access: FileAccess, folder: OpenFolder, names: readonly Named[]): Promise<Listed[]> {
  const looked: Listed[] = [];
  let left = ROOM;
  for (let step = STEP; looked.length < names.length && left > 0; ) {
    const some = await lookAll(access, folder, names.slice(looked.length, looked.length + step));
    for (const entry of some) left -= sizeInJson(entry) + 1;
    looked.push(...some);
    step = Math.ceil((left * looked.length) / (ROOM - left)) + 1;
  }
  return left < 0 ? fitToBudget(looked, ROOM) : looked;
}

/** What is gone meanwhile, or closed to us, is still a name in the folder. */
async function lookAll(access: FileAccess, folder: OpenFolder, entries: readonly Named[]): Promise<Listed[]> {
  const names = entries.map(({ name }) => name);
  const looked = await readEntries(access, folder, names);
  return entries.map((entry, at) => {
    const stats = looked[at];
    if (stats === undefined) return entry;
    const { kind } = entryKind(stats);
    const size = stats.isFile() && { size: stats.size };
    return { name: entry.name, kind, ...size, modified: stats.mtime.toISOString() };
  });
}

/** A name in a folder, and what it stands for. */
export interface Named {
  readonly name: string;
  readonly kind: Kind;
}

/** How many folders are remembered, and how many names of each. */
const MOST = 8;
const MOST_NAMES = 200_000;

/** A folder that was changed more recently could change again without a later time being noted. */
const SETTLED_MS = 2000;

/** Remembers the names of folders in their order, so that the next page of a long one costs no more than itself. */
export class FolderLists {
  readonly #lists = new Map<string, readonly Named[]>();

  /** All names in a folder as it is now, upwards. */
  async of(access: FileAccess, inputPath: string, folder: OpenFolder): Promise<readonly Named[]> {
    const { dev, ino, mtimeMs, ctimeMs } = await access.withTimeout(inputPath, () => stat(folder.path));
    const key = [dev, ino, mtimeMs, ctimeMs].join(" ");
    const list = this.#lists.get(key) ?? (await readNames(access, inputPath, folder));
    this.#lists.delete(key);
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < SETTLED_MS || list.length > MOST_NAMES) return list;
    this.#lists.set(key, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MOST && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }
}

async function readNames(access: FileAccess, inputPath: string, folder: OpenFolder): Promise<readonly Named[]> {
  const entries = await access.withTimeout(inputPath, () => readdir(folder.path, { withFileTypes: true }));
  return entries
    .map((entry): Named => ({ name: entry.name, kind: entryKind(entry).kind }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** How many entries are looked at at once; more would only wait for the threads that Node has for files. */
const AT_ONCE = 256;

/** Looks at entries of a folder that is open; undefined for those that are gone or closed to us. */
async function readEntries(
  access: FileAccess,
  folder: OpenFolder,
  names: readonly string[],
): Promise<(Stats | undefined)[]> {
  const looked: (Stats | undefined)[] = [];
  const shown = access.displayPath(folder.realPath);
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE).map((name) => folder.at(name));
    looked.push(...(await access.withTimeout(shown, () => lookMany(some))));
  }
  return looked;
}

/** One promise for all of them: in long folders those of single ones cost as much as the looks. */
function lookMany(paths: readonly string[]): Promise<(Stats | undefined)[]> {
  return new Promise((resolve) => {
    const found: (Stats | undefined)[] = paths.map(() => undefined);
    let left = paths.length;
    for (const [at, realPath] of paths.entries())
      lstat(realPath, (error, stats) => {
        if (error === null) found[at] = stats;
        left -= 1;
        if (left === 0) resolve(found);
      });
  });
}

/** Looks at places that a walk has come by, in its order: the folder of each is held while its entries are looked at. */
export async function statAll(access: FileAccess, paths: readonly string[]): Promise<(Stats | undefined)[]> {
  const looked: (Stats | undefined)[] = [];
  for (let at = 0; at < paths.length; at = looked.length) {
    const above = path.dirname(paths[at] ?? "");
    let end = at + 1;
    while (end < paths.length && path.dirname(paths[end] ?? "") === above) end += 1;
    looked.push(...(await lookBelow(access, above, paths.slice(at, end))));
  }
  return looked;
}

async function lookBelow(access: FileAccess, above: string, paths: readonly string[]): Promise<(Stats | undefined)[]> {
  const shown = access.displayPath(above);
  try {
    await using folder = await access.withTimeout(
      shown,
      () => OpenFolder.open(shown, above),
      (late) => late.close(),
    );
    if (folder.realPath !== above) throw changedMeanwhile(shown);
    return await readEntries(
      access,
      folder,
      paths.map((realPath) => path.basename(realPath)),
    );
  } catch (error) {
    access.signal?.throwIfAborted();
    if (error instanceof Error) return paths.map(() => undefined);
    throw error;
  }
}

/** What the system says of a path on which a file stands for a folder, or a link leads to nothing. */
const ABSENCES: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** What is there. Undefined where nothing is or can be; a path that leads out is a fault all the same. */
export async function statIfExists(access: FileAccess, inputPath: string): Promise<Stats | undefined> {
  try {
    return (await access.stat(inputPath))?.stats;
  } catch (error) {
    if (error instanceof ToolError && ABSENCES.has(error.details?.["system"])) return undefined;
    throw error;
  }
}
