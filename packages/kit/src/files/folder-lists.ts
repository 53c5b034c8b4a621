import { readdir, stat } from "node:fs/promises";
import { entryKind, type Kind } from "./entry-kind.js";
import type { FileAccess } from "./file-access.js";
import type { OpenFolder } from "./open-folder.js";

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
  async of(reach: FileAccess, given: string, folder: OpenFolder): Promise<readonly Named[]> {
    const { dev, ino, mtimeMs, ctimeMs } = await reach.attempt(given, () => stat(folder.path));
    const key = [dev, ino, mtimeMs, ctimeMs].join(" ");
    const list = this.#lists.get(key) ?? (await readNames(reach, given, folder));
    this.#lists.delete(key);
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < SETTLED_MS || list.length > MOST_NAMES) return list;
    this.#lists.set(key, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MOST && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }
}

async function readNames(reach: FileAccess, given: string, folder: OpenFolder): Promise<readonly Named[]> {
  const entries = await reach.attempt(given, () => readdir(folder.path, { withFileTypes: true }));
  return entries
    .map((entry): Named => ({ name: entry.name, kind: entryKind(entry).kind }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
