import type { Stats } from "node:fs";
import { lstat, mkdir, opendir } from "node:fs/promises";
import path from "node:path";
import { nearest } from "../text/nearest.js";
import { changedMeanwhile, deniedPath, notFound, toFileError } from "./errors.js";
import { type OpenFile, OpenFolder, openRegular } from "./file-handles.js";
import {
  type AccessBounds,
  checkAccess,
  checkChange,
  displayPath,
  isRoot,
  isVisible,
  partOf,
  type ResolvedPath,
  realRoots,
  resolveInput,
  resolvePath,
} from "./path-bounds.js";
import { withTimeout } from "./with-timeout.js";

export type { OpenFile };

/** How far a `Reach` goes. */
export interface FileAccessOptions extends AccessBounds {
  /** How long one operation of the file system may take. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A name in a folder that is open: what is there can be made, replaced, moved or removed. */
export interface OpenEntry extends AsyncDisposable {
  readonly folder: OpenFolder;
  readonly name: string;
  /** The real path, whether or not something is there yet. */
  readonly place: string;
  /** The path by which the system finds it in the folder that is open, wherever that folder may be by now. */
  readonly path: string;
}

/** How many names of a folder are looked at for one that was mistyped. */
const MOST_NAMES = 1000;

/**
 * What one call can reach of the file system. Paths are checked after all symbolic links are resolved and once more on what was
 * opened, so that a link put in place between the look and the deed gains nothing. Every fault is a `ToolError`.
 */
export class FileAccess {
  /** The real paths of the folders. */
  readonly roots: readonly string[];
  readonly #options: FileAccessOptions;

  constructor(options: FileAccessOptions) {
    this.roots = realRoots(options);
    this.#options = options;
  }

  /** Whether a real path may be shown: it lies inside a root, and no rule hides it. Nothing is looked up. */
  mayShow(place: string): boolean {
    return isVisible(this.#options, place);
  }

  /** Whether every entry of a folder that is open may be shown, so that nobody has to ask for each. */
  get hidesNothing(): boolean {
    return this.#options.denial === undefined;
  }

  /** Whether a move from or to a real path would put other settings in the place of the server's own. Nothing is looked up. */
  holdsSettings(place: string): boolean {
    return this.#options.holdsSettings?.(place) ?? false;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** A real path as callers see it and may give it back. */
  show(place: string): string {
    return displayPath(this.#options, place);
  }

  /**
   * Does an operation of the file system within the deadline; its faults are said of the path as it was given. What it does must
   * not attempt something in turn.
   */
  async attempt<Value>(given: string, deed: () => Promise<Value>, leave?: (late: Value) => unknown): Promise<Value> {
    const { deadlineMs, signal } = this.#options;
    try {
      return await withTimeout(
        { deadlineMs, signal, part: partOf(this.#options, given) },
        "use the file system",
        deed,
        leave,
      );
    } catch (error) {
      throw toFileError(error, given);
    }
  }

  /** Opens a regular file for reading. */
  async openFile(given: string): Promise<OpenFile> {
    const { place } = await this.#findThere(given);
    return this.openFound(given, place);
  }

  /** Opens a regular file for reading whose real path is known, such as one that a walk has come by. */
  async openFound(given: string, place: string): Promise<OpenFile> {
    return this.attempt(
      given,
      () => openRegular(this.#options, given, place),
      (late) => late.handle.close(),
    );
  }

  /** Opens a folder, to list it or to work on its entries. */
  async openFolder(given: string): Promise<OpenFolder> {
    const { place } = await this.#findThere(given);
    return this.#open(given, place);
  }

  /** What is there, or undefined. A link is followed. */
  async look(given: string): Promise<{ readonly place: string; readonly stats: Stats } | undefined> {
    const { place, missing } = await this.#find(given);
    if (missing.length > 0) return undefined;
    if (isRoot(this.#options, place)) return { place, stats: await this.attempt(given, () => lstat(place)) };
    await using folder = await this.#open(given, path.dirname(place));
    const name = path.basename(place);
    const stats = await this.attempt(given, () => lstat(folder.at(name)));
    if (stats.isSymbolicLink()) throw changedMeanwhile(given);
    return { place: path.join(folder.place, name), stats };
  }

  /**
   * Opens the folder in which something is, or is to be, made, replaced, moved or removed. With `follow` a link stands for what
   * it leads to; without, for itself. With `create` the folders on the way are made.
   */
  async openEntry(given: string, { follow = true, create = false } = {}): Promise<OpenEntry> {
    const { place, missing } = follow ? await this.#find(given) : await this.#findParent(given);
    checkChange(this.#options, given, path.join(place, ...missing));
    const names = missing.length > 0 ? missing : [path.basename(place)];
    const start = missing.length > 0 ? place : path.dirname(place);
    if (names.length > 1 && !create) throw notFound(this.show(path.join(start, ...names.slice(0, -1))));
    const entry = await this.#openDown(given, start, names);
    try {
      checkChange(this.#options, given, entry.place);
      return entry;
    } catch (error) {
      await entry.folder.close();
      throw error;
    }
  }

  /** Opens a folder and goes down from it, making what is not there; each step is taken from the folder that is open. */
  async #openDown(given: string, start: string, names: readonly string[]): Promise<OpenEntry> {
    let folder = await this.#open(given, start);
    try {
      for (const name of names.slice(0, -1)) {
        const below = await this.#stepDown(given, folder, name);
        await folder.close();
        folder = below;
      }
    } catch (error) {
      await folder.close();
      throw error;
    }
    const name = names.at(-1) ?? "";
    const opened = folder;
    return {
      folder: opened,
      name,
      place: path.join(opened.place, name),
      path: opened.at(name),
      [Symbol.asyncDispose]: () => opened.close(),
    };
  }

  async #stepDown(given: string, folder: OpenFolder, name: string): Promise<OpenFolder> {
    const made = folder.at(name);
    await this.attempt(given, async () => {
      try {
        await mkdir(made);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    });
    return this.#open(given, made, path.join(folder.place, name));
  }

  async #open(given: string, place: string, shown = place): Promise<OpenFolder> {
    const folder = await this.attempt(
      given,
      () => OpenFolder.open(given, place, shown),
      (late) => late.close(),
    );
    try {
      checkAccess(this.#options, given, folder.place);
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  async #findThere(given: string): Promise<ResolvedPath> {
    const found = await this.#find(given);
    if (found.missing.length === 0) return found;
    throw notFound(given, await this.#nearest(given, found).catch(() => undefined));
  }

  /** Names that are nearly the missing one help more than the bare fact. */
  async #nearest(given: string, { place, missing: [name = ""] }: ResolvedPath): Promise<string | undefined> {
    await using folder = await this.#open(given, place);
    const names = await this.attempt(given, () => firstNames(folder.path));
    const found = nearest(
      name,
      names.filter((each) => this.mayShow(path.join(folder.place, each))),
    );
    return found === undefined ? undefined : this.show(path.join(folder.place, found));
  }

  #find(given: string): Promise<ResolvedPath> {
    return this.attempt(given, async () => resolvePath(this.#options, given, resolveInput(this.#options, given)));
  }

  /** Looks up the folder of a path; the last name stands for itself. */
  async #findParent(given: string): Promise<ResolvedPath> {
    const wanted = resolveInput(this.#options, given);
    if (isRoot(this.#options, wanted)) throw deniedPath(given, "it is one of the allowed folders itself");
    const above = await this.attempt(given, () => resolvePath(this.#options, given, path.dirname(wanted)));
    return { place: above.place, missing: [...above.missing, path.basename(wanted)] };
  }
}

async function firstNames(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    names.push(name);
    if (names.length === MOST_NAMES) break;
  }
  return names;
}
