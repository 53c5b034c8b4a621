import { setMaxListeners } from "node:events";
import { readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Call, ToolError } from "@toolwright/engine";
import type { Root as ClientRoot } from "@toolwright/engine/types";
import { FileAccess } from "./file-access.js";
import type { FileSettings } from "./file-policy.js";
import { resolveRealPath, statFile } from "./file-stats.js";
import { isWithin } from "./paths.js";
import { type TimeoutOptions, withTimeout } from "./with-timeout.js";

/** Where a server runs, and what is its own. */
interface Surroundings {
  readonly folder: string;
  readonly home: string;
  readonly own?: readonly string[];
  readonly configuration?: string | undefined;
}

/** Real paths of what is the server's own. */
interface Kept {
  /** What it keeps for itself. */
  readonly own: readonly string[];
  /** The file from which its settings were read, and the links on the way to it. */
  readonly settings: readonly string[];
}

/** The folders that the tools of a pack may use in any call; a call gets its `FileAccess` from it. */
export class AccessPolicy {
  readonly #settings: FileSettings;
  readonly #roots: readonly Root[];
  readonly #isHidden: (realPath: string) => boolean;
  readonly #isReadOnly: (realPath: string) => boolean;
  /** Looked up with the first call. */
  readonly #kept: () => Promise<Kept>;

  private constructor(
    settings: FileSettings,
    roots: readonly Root[],
    [isHidden, isReadOnly]: readonly [(realPath: string) => boolean, (realPath: string) => boolean],
    kept: () => Promise<Kept>,
  ) {
    this.#settings = settings;
    this.#roots = roots;
    this.#isHidden = isHidden;
    this.#isReadOnly = isReadOnly;
    this.#kept = kept;
  }

  /**
   * Looks up the roots. Throws an error that names the setting that is wrong. `own` are files and folders that the server keeps
   * for itself, whether or not they are there yet: no tool reads or changes them. `configuration` is the file from which its
   * settings were read: no tool changes it.
   */
  static async open(
    settings: FileSettings,
    { folder, home, own = [], configuration }: Surroundings,
  ): Promise<AccessPolicy> {
    // A client that starts a server seldom says where; a whole disk or home is never what was meant.
    const isUnsaid = settings.roots === undefined && isWithin(folder, home);
    const folders = isUnsaid ? [] : (settings.roots ?? [folder]);
    const timeoutMs = settings.timeoutMs;
    const roots = await findSettingRoots(folders, folder, timeoutMs);
    let kept: Promise<Kept> | undefined;
    const stat = async (): Promise<Kept> => ({
      own: await findOwn(own, roots),
      settings: configuration === undefined ? [] : await findWay(configuration),
    });
    const findKept = () =>
      (kept ??= withTimeout({ timeoutMs, part: "settings" }, "look up the folders", stat).catch((error: unknown) => {
        kept = undefined;
        throw error;
      }));
    const matchers = await Promise.all([
      createPathMatcher(settings.hidden, roots),
      createPathMatcher(settings.readOnly, roots),
    ]);
    return new AccessPolicy(settings, roots, matchers, findKept);
  }

  /** The real paths of the folders, before a client narrows them. */
  get folders(): readonly string[] {
    return this.#roots.map(({ realPath: real }) => real);
  }

  /** What a call can reach: the folders of the settings, narrowed by those that the client names, if it names any. */
  async accessFor(call: Pick<Call, "signal" | "supports" | "roots">): Promise<FileAccess> {
    const timeout = { timeoutMs: this.#settings.timeoutMs, signal: call.signal };
    const named = this.#settings.clientRoots && call.supports("roots") ? await call.roots() : [];
    if (named.length > MOST_CLIENT_ROOTS) throw tooManyRoots(named.length);
    // Many clients declare the capability and then list no roots: that does not mean that nothing is allowed.
    const roots = named.length > 0 ? narrow(this.#roots, await toRoots(named, timeout)) : this.#roots;
    const { own, settings } = await this.#kept();
    const protection = (realPath: string): string | undefined =>
      protectionOf(realPath, settings) ?? (this.#isReadOnly(realPath) ? READ_ONLY : undefined);
    return new FileAccess({
      ...timeout,
      roots,
      ...(this.#mayHide(roots, own) && { denial: (realPath: string) => this.#denialOf(realPath, roots, own) }),
      protection,
      isChangeable: (realPath) =>
        this.#roots.some(({ realPath: real }) => isWithin(real, realPath)) &&
        this.#denialOf(realPath, this.#roots, own) === undefined &&
        protection(realPath) === undefined,
      holdsSettings: (realPath) => holdsSettings(realPath, settings),
    });
  }

  /** Most have nothing to hide, and then nobody has to look at each name. */
  #mayHide(roots: readonly Root[], own: readonly string[]): boolean {
    if (this.#settings.hidden.length > 0) return true;
    return roots.some(({ realPath: real }) => real === path.parse(real).root || isAround(real, own));
  }

  #denialOf(realPath: string, roots: readonly Root[], own: readonly string[]): string | undefined {
    if (isOfSystem(realPath, roots)) return "what the system shows of itself there is no file";
    if (own.some((kept) => isWithin(kept, realPath))) return "it is where this server keeps what it needs itself";
    if (GIT_CONTENTS.test(realPath)) return "git keeps the contents of all files there, also of hidden ones; use git";
    return this.#isHidden(realPath) ? "the settings of this server hide it" : undefined;
  }
}

const READ_ONLY = "the settings of this server make it read-only";

/** Whether one of some places touches a root. */
const isAround = (root: string, paths: readonly string[]): boolean =>
  paths.some((realPath) => isWithin(root, realPath) || isWithin(realPath, root));

/** Those inside a root, by their real paths. One that has a root in it is left out: the root was named by a person who knows. */
async function findOwn(own: readonly string[], roots: readonly Root[]): Promise<readonly string[]> {
  const found = await Promise.all(own.map((realPath) => realOf(path.resolve(realPath))));
  const inside = found.filter(
    (realPath) =>
      roots.every(({ realPath: real }) => !isWithin(realPath, real)) &&
      roots.some(({ realPath: real }) => isWithin(real, realPath)),
  );
  return inside.filter((realPath) => !inside.some((other) => other !== realPath && isWithin(other, realPath)));
}

/** The real path of a file, and those of all links that lead to it: whoever replaces one of them puts another file in its place. */
async function findWay(file: string): Promise<readonly string[]> {
  const links = new Set<string>();
  const follow = async (realPath: string): Promise<void> => {
    const above = path.dirname(realPath);
    if (above === realPath) return;
    await follow(above);
    const entry = path.join(await realOf(above), path.basename(realPath));
    const target = await readlink(entry).catch(() => undefined);
    if (target === undefined || links.has(entry)) return;
    links.add(entry);
    await follow(path.resolve(path.dirname(entry), target));
  };
  await follow(path.resolve(file));
  return [await realOf(path.resolve(file)), ...links];
}

/** The real path that something has, or will have when it is made. */
async function realOf(realPath: string): Promise<string> {
  return realpath(realPath).catch(async () => {
    const above = path.dirname(realPath);
    return above === realPath ? realPath : path.join(await realOf(above), path.basename(realPath));
  });
}

/** Where systems show processes and devices as if they were files: reading some has effects, others show secrets of this server. */
const SYSTEM_FOLDER = /^\/(?:proc|sys|dev)(?=\/|$)/;

function isOfSystem(realPath: string, roots: readonly Root[]): boolean {
  const [folder] = SYSTEM_FOLDER.exec(realPath) ?? [];
  return (
    folder !== undefined && !roots.some(({ realPath: real }) => isWithin(folder, real) && isWithin(real, realPath))
  );
}

/** Each one is looked up with every call, and compared with the others. */
const MOST_CLIENT_ROOTS = 256;
const MOST_URI_CHARACTERS = 32_768;

const tooManyRoots = (count: number): ToolError =>
  new ToolError(
    `Cannot use the folders of the client: it names ${count} roots, and ${MOST_CLIENT_ROOTS} are allowed. Name folders that contain them.`,
    { code: "TOO_LARGE", details: { expected: MOST_CLIENT_ROOTS, got: count } },
  );

/** The client's folders that are on this machine; those that are not there, or do not answer, allow nothing. */
async function toRoots(roots: readonly ClientRoot[], timeout: TimeoutOptions): Promise<readonly Root[]> {
  // Each lookup listens for the end of the call; Node would warn of more than ten.
  if (timeout.signal !== undefined) setMaxListeners(2 * MOST_CLIENT_ROOTS, timeout.signal);
  const found = await Promise.allSettled(
    roots.map(async ({ uri }) => {
      if (uri.length > MOST_URI_CHARACTERS) throw new Error("no folder has such a long name");
      const folder = fileURLToPath(uri);
      return withTimeout({ ...timeout, part: folder }, "look up a folder", () => findRoots([folder], path.sep));
    }),
  );
  timeout.signal?.throwIfAborted();
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

/** A folder inside which paths may be used. */
export interface Root {
  /** The absolute path as it was given; links in it are not resolved. */
  readonly configuredPath: string;
  readonly realPath: string;
}

/** Looks up the folders of a pack's settings within a deadline. Throws an error that names the setting and the folder at fault. */
async function findSettingRoots(folders: readonly string[], from: string, timeoutMs: number): Promise<readonly Root[]> {
  const find = () => findRoots(folders, from);
  return withTimeout({ timeoutMs, part: "settings" }, "look up the folders", find).catch((error: Error) => {
    throw new Error(`files.roots: ${error.message}`, { cause: error });
  });
}

/** Looks up folders. Throws an error that names the one that is no folder. */
export async function findRoots(folders: readonly string[], from: string): Promise<readonly Root[]> {
  return Promise.all(folders.map((folder) => findRoot(path.resolve(from, folder))));
}

async function findRoot(configuredPath: string): Promise<Root> {
  let real: string;
  try {
    real = await resolveRealPath(configuredPath);
  } catch (error) {
    throw new Error(`the folder ${configuredPath} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  if (!(await statFile(real)).isDirectory()) throw new Error(`${configuredPath} is not a folder`);
  return { configuredPath, realPath: real };
}

/** What both allow: of each pair the folder that lies inside the other. Never more than the first list has. */
export function narrow(roots: readonly Root[], wanted: readonly Root[]): readonly Root[] {
  const both = roots.flatMap((root) =>
    wanted.flatMap((other) => {
      if (isWithin(root.realPath, other.realPath)) return [other];
      return isWithin(other.realPath, root.realPath) ? [root] : [];
    }),
  );
  return both.filter((root, at) => both.findIndex(({ realPath: real }) => real === root.realPath) === at);
}

/** Creates the test for paths of a list of globs: whether a glob matches the path, or a folder above it. */
export async function createPathMatcher(
  globs: readonly string[],
  roots: readonly Root[],
): Promise<(realPath: string) => boolean> {
  if (globs.length === 0) return () => false;
  const { default: picomatch } = await import("picomatch");
  // Where case counts, or how a letter is composed, depends on the disk: what is spelled otherwise may be the same file.
  const patterns = globs.flatMap((glob) => roots.map((root) => toPattern(glob, root)));
  const fits = picomatch(patterns, { dot: true, nocase: true });
  return (realPath) =>
    roots.some(({ realPath: real }) => {
      const parts = path.relative(real, realPath).normalize().split(path.sep);
      return parts[0] !== ".." && parts.some((_, at) => fits(parts.slice(0, at + 1).join("/")));
    });
}

/** A glob as it is compared: below the root, without the marks of a folder at its ends. */
function toPattern(glob: string, { configuredPath, realPath: real }: Root): string {
  const root = [configuredPath, real].find((folder) => glob.startsWith(`${folder}/`)) ?? "";
  const relativePath = glob
    .slice(root.length)
    .normalize()
    .replace(/^(?:\.?\/)+/, "")
    .replace(/\/+$/, "");
  // A bare name is hidden wherever it is; too much hidden is better than too little.
  return relativePath.includes("/") ? relativePath : `**/${relativePath}`;
}

/** Signs that some disks take for nothing, so that a name with them is the name without. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Where git keeps contents and names of files: in its folder, and in one that has another name. */
const GIT_CONTENTS =
  /[\\/](?:\.git|git~\d+)[\\/](?:.*[\\/])?(?:objects|lfs|annex|rebase-apply|rebase-merge|index[^\\/]*)(?:[\\/]|$)|[\\/]objects[\\/](?:[0-9a-f]{2}[\\/][0-9a-f]{38}|pack[\\/])/i;

/** What is changed there can run programs at the next use of git; Windows knows the folder by a short name too. */
const INSIDE_GIT = /[\\/](?:\.git|git~\d+)(?:[\\/]|$)/i;

/** A lock that a tool could create would stop all changes in its folder. */
const LOCK = /[\\/]\.toolwright\.lock/i;

/** Whoever can write them decides what the tools may do from the next start on. */
const OWN_SETTINGS = /[\\/](?:toolwright\.config\.jsonc?|toolwr~\d+\.jso)$/i;

/**
 * Why something must not be changed, although it lies in a folder in which all else may; undefined = it may. `settings` are the real
 * paths from which the settings were read.
 */
export function protectionOf(realPath: string, settings: readonly string[] = []): string | undefined {
  const plain = plainOf(realPath);
  if (INSIDE_GIT.test(plain)) return "what is inside .git is not changed as files; use git";
  if (LOCK.test(plain)) return "servers use this name to keep out of each other's way";
  if (OWN_SETTINGS.test(plain) || settings.some((file) => isWithinAnyCase(file, realPath)))
    return "it has the settings of this server, which a person changes and no tool";
  return undefined;
}

/** Whether a place is a file with settings of the server, or one of the folders around the settings that were read. */
export const holdsSettings = (realPath: string, settings: readonly string[]): boolean =>
  OWN_SETTINGS.test(plainOf(realPath)) || settings.some((file) => isWithinAnyCase(realPath, file));

/** Some disks take names that differ in case, or in how their letters are put together, for one. */
const isWithinAnyCase = (folder: string, realPath: string): boolean => isWithin(foldedOf(folder), foldedOf(realPath));

const foldedOf = (realPath: string): string => plainOf(realPath).toLowerCase();

const plainOf = (realPath: string): string => realPath.replaceAll(IGNORED, "").normalize("NFKC");
