import type { Stats } from "node:fs";
import { lstat, mkdir, opendir, readdir } from "node:fs/promises";
import path from "node:path";
import { nearest } from "../text/index.js";
import { changedMeanwhile, deniedPath, notFound, toFileError } from "./errors.js";
import { type OpenFile, OpenFolder, openRegular, type WriteOptions, writeAtomically } from "./file-handles.js";
import { lockFolders } from "./folder-lock.js";
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
} from "./paths.js";
import { withTimeout } from "./with-timeout.js";

export type { OpenFile };

/** The limits of a `FileAccess`. */
export interface FileAccessOptions extends AccessBounds {
  /** How long one operation of the file system may take. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A name in a folder that is open: what is there can be made, replaced, moved or removed. */
export interface OpenEntry extends AsyncDisposable {
  readonly folder: OpenFolder;
  readonly name: string;
  /** The real path, whether or not something is there yet. */
  readonly realPath: string;
  /** The path by which the system finds it in the folder that is open, wherever that folder may be by now. */
  readonly path: string;
}

/** How many names of a folder are looked at for one that was mistyped. */
const MOST_NAMES = 1000;

/**
 * What one call can reach of the file system. Paths are checked after all symbolic links are resolved and once more on what was
 * opened, so that a link put in place between the check and the operation gains nothing. Every error is a `ToolError`.
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
  isVisible(realPath: string): boolean {
    return isVisible(this.#options, realPath);
  }

  /** Whether every entry of a folder that is open may be shown, so that nobody has to ask for each. */
  get hidesNothing(): boolean {
    return this.#options.denial === undefined;
  }

  /** Whether the tools of this server can change what is at a real path, whoever calls. Nothing is looked up. */
  isChangeable(realPath: string): boolean {
    return this.#options.isChangeable?.(realPath) ?? isVisible(this.#options, realPath);
  }

  /** Whether a move from or to a real path would put other settings in the place of the server's own. Nothing is looked up. */
  holdsSettings(realPath: string): boolean {
    return this.#options.holdsSettings?.(realPath) ?? false;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** A real path as callers see it and may give it back. */
  displayPath(realPath: string): string {
    return displayPath(this.#options, realPath);
  }

  /**
   * Does an operation of the file system within the deadline; its faults are said of the path as it was given. What it does must
   * not attempt something in turn.
   */
  async withTimeout<Value>(
    inputPath: string,
    operation: () => Promise<Value>,
    onLate?: (late: Value) => unknown,
  ): Promise<Value> {
    const { timeoutMs, signal } = this.#options;
    try {
      return await withTimeout(
        { timeoutMs, signal, part: partOf(this.#options, inputPath) },
        "use the file system",
        operation,
        onLate,
      );
    } catch (error) {
      throw toFileError(error, inputPath);
    }
  }

  /** Opens a regular file for reading. */
  async openFile(inputPath: string): Promise<OpenFile> {
    const { realPath } = await this.#findThere(inputPath);
    return this.openFileAt(inputPath, realPath);
  }

  /** Opens a regular file for reading whose real path is known, such as one that a walk has come by. */
  async openFileAt(inputPath: string, realPath: string): Promise<OpenFile> {
    return this.withTimeout(
      inputPath,
      () => openRegular(this.#options, inputPath, realPath),
      (late) => late.handle.close(),
    );
  }

  /** Reads a text file. */
  async readText(inputPath: string): Promise<string> {
    await using file = await this.openFile(inputPath);
    return await this.withTimeout(inputPath, () => file.handle.readFile("utf8"));
  }

  /** Creates or replaces a text file, so that after a crash it is entirely old or entirely new. Missing folders are created. */
  async writeText(inputPath: string, text: string): Promise<void> {
    await using entry = await this.openEntry(inputPath, { create: true });
    await this.writeEntry(inputPath, entry, Buffer.from(text));
  }

  /** Creates or replaces the file at an entry that is open, while no other server changes its folder. */
  writeEntry(inputPath: string, entry: OpenEntry, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    return this.changeFolders(inputPath, [entry.folder], () => writeAtomically(entry, bytes, options));
  }

  /**
   * Runs work in open folders while no other server changes files in them. `run` runs it within the deadline; the folders stay locked
   * until the work has really ended.
   */
  async changeFolders(
    inputPath: string,
    folders: readonly OpenFolder[],
    work: () => Promise<void>,
    run = (locked: () => Promise<void>): Promise<void> => this.withTimeout(inputPath, locked),
  ): Promise<void> {
    const lock = await lockFolders(folders, (operation, onLate) => this.withTimeout(inputPath, operation, onLate));
    let hasStarted = false;
    try {
      await run(async () => {
        hasStarted = true;
        try {
          await work();
        } finally {
          await lock.release();
        }
      });
    } finally {
      if (!hasStarted) await lock.release();
    }
  }

  /** The names in a folder, sorted, without those that are hidden. */
  async listNames(inputPath: string): Promise<readonly string[]> {
    await using folder = await this.openFolder(inputPath);
    const names = await this.withTimeout(inputPath, () => readdir(folder.path));
    return names.filter((name) => this.isVisible(path.join(folder.realPath, name))).sort();
  }

  /** Opens a folder, to list it or to work on its entries. */
  async openFolder(inputPath: string): Promise<OpenFolder> {
    const { realPath } = await this.#findThere(inputPath);
    return this.#open(inputPath, realPath);
  }

  /** What is there, or undefined. A link is followed. */
  async stat(inputPath: string): Promise<{ readonly realPath: string; readonly stats: Stats } | undefined> {
    const { realPath, missing } = await this.#find(inputPath);
    if (missing.length > 0) return undefined;
    if (isRoot(this.#options, realPath))
      return { realPath, stats: await this.withTimeout(inputPath, () => lstat(realPath)) };
    await using folder = await this.#open(inputPath, path.dirname(realPath));
    const name = path.basename(realPath);
    const stats = await this.withTimeout(inputPath, () => lstat(folder.at(name)));
    if (stats.isSymbolicLink()) throw changedMeanwhile(inputPath);
    return { realPath: path.join(folder.realPath, name), stats };
  }

  /**
   * Opens the folder in which something is, or is to be, made, replaced, moved or removed. With `follow` a link stands for what
   * it leads to; without, for itself. With `create` the folders on the way are made.
   */
  async openEntry(inputPath: string, { follow = true, create = false } = {}): Promise<OpenEntry> {
    const { realPath, missing } = follow ? await this.#find(inputPath) : await this.#findParent(inputPath);
    checkChange(this.#options, inputPath, path.join(realPath, ...missing));
    const names = missing.length > 0 ? missing : [path.basename(realPath)];
    const start = missing.length > 0 ? realPath : path.dirname(realPath);
    if (names.length > 1 && !create) throw notFound(this.displayPath(path.join(start, ...names.slice(0, -1))));
    const entry = await this.#openDown(inputPath, start, names);
    try {
      checkChange(this.#options, inputPath, entry.realPath);
      return entry;
    } catch (error) {
      await entry.folder.close();
      throw error;
    }
  }

  /** Opens a folder and goes down from it, making what is not there; each step is taken from the folder that is open. */
  async #openDown(inputPath: string, start: string, names: readonly string[]): Promise<OpenEntry> {
    let folder = await this.#open(inputPath, start);
    try {
      for (const name of names.slice(0, -1)) {
        const relativePath = await this.#stepDown(inputPath, folder, name);
        await folder.close();
        folder = relativePath;
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
      realPath: path.join(opened.realPath, name),
      path: opened.at(name),
      [Symbol.asyncDispose]: () => opened.close(),
    };
  }

  async #stepDown(inputPath: string, folder: OpenFolder, name: string): Promise<OpenFolder> {
    const made = folder.at(name);
    await this.withTimeout(inputPath, async () => {
      try {
        await mkdir(made);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    });
    return this.#open(inputPath, made, path.join(folder.realPath, name));
  }

  async #open(inputPath: string, realPath: string, shown = realPath): Promise<OpenFolder> {
    const folder = await this.withTimeout(
      inputPath,
      () => OpenFolder.open(inputPath, realPath, shown),
      (late) => late.close(),
    );
    try {
      checkAccess(this.#options, inputPath, folder.realPath);
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  async #findThere(inputPath: string): Promise<ResolvedPath> {
    const found = await this.#find(inputPath);
    if (found.missing.length === 0) return found;
    throw notFound(inputPath, await this.#nearest(inputPath, found).catch(() => undefined));
  }

  /** Names that are nearly the missing one help more than the bare fact. */
  async #nearest(inputPath: string, { realPath, missing: [name = ""] }: ResolvedPath): Promise<string | undefined> {
    await using folder = await this.#open(inputPath, realPath);
    const names = await this.withTimeout(inputPath, () => firstNames(folder.path));
    const found = nearest(
      name,
      names.filter((each) => this.isVisible(path.join(folder.realPath, each))),
    );
    return found === undefined ? undefined : this.displayPath(path.join(folder.realPath, found));
  }

  #find(inputPath: string): Promise<ResolvedPath> {
    return this.withTimeout(inputPath, async () =>
      resolvePath(this.#options, inputPath, resolveInput(this.#options, inputPath)),
    );
  }

  /** Looks up the folder of a path; the last name stands for itself. */
  async #findParent(inputPath: string): Promise<ResolvedPath> {
    const wanted = resolveInput(this.#options, inputPath);
    if (isRoot(this.#options, wanted)) throw deniedPath(inputPath, "it is one of the allowed folders itself");
    const above = await this.withTimeout(inputPath, () => resolvePath(this.#options, inputPath, path.dirname(wanted)));
    return { realPath: above.realPath, missing: [...above.missing, path.basename(wanted)] };
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
