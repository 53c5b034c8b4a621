import { isUtf8 } from "node:buffer";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import { deniedPath, forbiddenPath, wrongPath } from "../files/errors.js";
import type { FileAccess } from "../files/file-access.js";
import { findPathError, fromUri, isWithin } from "../files/paths.js";
import { type GitStartOptions, startGit, toGitError } from "./start-git.js";

/** How git is asked in a repository. */
export interface GitOptions {
  /** The operation in error messages: `Cannot <operation>: …`. */
  readonly operation: string;
  /** What git reads from its input. */
  readonly input?: string;
  /** Ends that are no fault; 0 by default. */
  readonly exits?: readonly number[];
  /** Lets the hooks of the repository run. */
  readonly isHooked?: boolean;
}

/** How much `run` takes: it is for answers that are short by nature. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A repository inside the roots, with all that it could run switched off. Git works on it and on no other. */
export class Repository {
  readonly access: FileAccess;
  /** The folder of the working files; where there are none, that of git itself. */
  readonly top: string;
  readonly gitDir: string;
  /** What all worktrees of a repository share; mostly the same as `gitDir`. */
  readonly commonDir: string;
  readonly isBare: boolean;
  readonly isShallow: boolean;
  readonly objectFormat: string;
  readonly config: Config;
  readonly #call: Pick<Call, "signal">;

  constructor(
    found: Omit<Repository, "run" | "stream" | "place" | "mayShow" | "show" | "nameOf"> & {
      call: Pick<Call, "signal">;
    },
  ) {
    this.access = found.access;
    this.top = found.top;
    this.gitDir = found.gitDir;
    this.commonDir = found.commonDir;
    this.isBare = found.isBare;
    this.isShallow = found.isShallow;
    this.objectFormat = found.objectFormat;
    this.config = found.config;
    this.#call = found.call;
  }

  /** Asks git something whose answer is short. Throws a `ToolError` where git fails. */
  async run(
    args: readonly string[],
    options: GitOptions,
  ): Promise<{ readonly exitCode: number; readonly output: Buffer }> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const exitCode = await this.stream(args, options, (piece) => {
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw tooLong(options.operation);
      pieces.push(piece);
      return true;
    });
    return { exitCode, output: Buffer.concat(pieces) };
  }

  /** Asks git something whose answer may be long; it is ended as soon as `take` returns false. */
  stream(args: readonly string[], options: GitOptions, take: (piece: Buffer) => boolean): Promise<number> {
    return startGit(this.#call, args, {
      ...options,
      cwd: this.top,
      avoid: this.access.roots,
      gitDir: this.gitDir,
      workTree: this.isBare ? undefined : this.top,
      overrides: [...this.config.overrides, ...(options.isHooked === true ? [] : this.config.hooksOff)],
      take,
    });
  }

  /** The place of a file that git has named. */
  place(name: string): string {
    return path.join(this.top, name);
  }

  /** Whether callers may see a file that git has named. What is hidden in the main folder is hidden in its worktrees. */
  mayShow(name: string): boolean {
    if (!this.access.isVisible(this.place(name))) return false;
    if (this.access.hidesNothing || this.gitDir === this.commonDir) return true;
    const main = path.dirname(this.commonDir);
    return !this.access.roots.some((root) => isWithin(root, main)) || this.access.isVisible(path.join(main, name));
  }

  /** A file that git has named, as callers see it; undefined = it is hidden from them. */
  show(name: string): string | undefined {
    if (!this.mayShow(name)) return undefined;
    // Without working files there is no place at which a caller could find it.
    if (this.isBare) return name;
    return this.access.displayPath(this.place(name)) + (name.endsWith("/") ? "/" : "");
  }

  /** The name that git has for a path that was given: relative to the first root, as everywhere, or to the repository. */
  async nameOf(given: string): Promise<string> {
    const words = given.startsWith("file://") ? fromUri(given) : given;
    const fault = findPathError(words);
    if (fault !== undefined) throw wrongPath(given, fault);
    const [root = this.top] = this.access.roots;
    const found = [path.resolve(root, words), path.resolve(this.top, words)].find((place) => isWithin(this.top, place));
    const place = found ?? (await this.#realPlace(words));
    const name = path.relative(this.top, place).split(path.sep).join("/") || ".";
    if (!this.mayShow(name)) throw deniedPath(given, "the settings of this server hide it");
    return name;
  }

  /** The last name stands for itself, for git keeps links as links; those on the way may be how a root was given. */
  async #realPlace(given: string): Promise<string> {
    const folder = await this.access.stat(path.dirname(given));
    const place = folder && path.join(folder.realPath, path.basename(given));
    if (place === undefined || !isWithin(this.top, place)) throw forbiddenPath(given, [this.top]);
    return place;
  }
}

/** Finds the repository in which a path lies, and makes sure that nothing of it lies outside the roots. */
export async function openRepository(
  access: FileAccess,
  given: string,
  call: Pick<Call, "signal">,
): Promise<Repository> {
  const operation = `use the repository of ${JSON.stringify(given)}`;
  const cwd = await folderOf(access, given);
  const where = { cwd, avoid: access.roots, operation };
  const [facts, listing] = await Promise.all([
    ask(call, ["rev-parse", ...FACTS], { ...where, exits: [0, 128] }),
    ask(call, ["config", "--list", "-z", "--show-scope"], where),
  ]);
  const [isBare, isShallow, objectFormat, gitDir, commonDir, top, ...more] = facts.toString("utf8").split("\n");
  if (gitDir === undefined) {
    // The same question again, for what git has to say about it.
    await ask(call, ["rev-parse", "--git-dir"], where);
    throw toGitError(operation, "");
  }
  if (more.length > 1 || (isBare === "false" && !top)) throw oddPlace(given);
  const real = { gitDir: path.resolve(gitDir), commonDir: path.resolve(cwd, commonDir ?? gitDir) };
  const place = isBare === "true" ? real.gitDir : path.resolve(top ?? "");
  if (!access.isVisible(place)) throw repositoryOutside(given, access.roots);
  const stores = await checkGitFolders(access, [real.gitDir, real.commonDir]);
  if (!access.hidesNothing) await refuseChangeable(access, given, [real.gitDir, real.commonDir, ...stores]);
  return new Repository({
    ...real,
    call,
    access,
    top: place,
    isBare: isBare === "true",
    isShallow: isShallow === "true",
    objectFormat: objectFormat ?? "sha1",
    config: readConfig(listing),
  });
}

/** What git is asked of a repository. The last fails where there are no working files. */
const FACTS = [
  "--is-bare-repository",
  "--is-shallow-repository",
  "--show-object-format",
  "--absolute-git-dir",
  "--git-common-dir",
  "--show-toplevel",
] as const;

async function folderOf(access: FileAccess, given: string): Promise<string> {
  const found = await access.stat(given);
  if (found?.stats.isFile()) return path.dirname(found.realPath);
  await using folder = await access.openFolder(given);
  return folder.realPath;
}

async function ask(
  call: Pick<Call, "signal">,
  args: readonly string[],
  options: Pick<GitStartOptions, "cwd" | "avoid" | "operation" | "exits">,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  await startGit(call, args, {
    ...options,
    take(piece) {
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw tooLong(options.operation);
      return pieces.push(piece) > 0;
    },
  });
  return Buffer.concat(pieces);
}

const tooLong = (operation: string): ToolError =>
  new ToolError(`Cannot ${operation}: git's answer has more than ${MOST_BYTES} bytes. Ask for less.`, {
    code: "TOO_LARGE",
  });

const oddPlace = (given: string): ToolError =>
  new ToolError(
    `Cannot use the repository of ${JSON.stringify(given)}: give the folder of its working files, not one inside .git; its path must not have a line break in it.`,
    { code: "INVALID_ARGUMENT", details: { path: given } },
  );

const repositoryOutside = (given: string, roots: readonly string[]): ToolError =>
  new ToolError(
    `Cannot use the repository of ${JSON.stringify(given)}: its folder lies outside the allowed folders. Add it to the roots in the settings of this pack, or give a repository inside ${roots.join(" or ")}.`,
    { code: "FORBIDDEN_PATH", details: { path: given, allowed: [...roots] } },
  );

/** How far borrowed objects may be borrowed in turn; git itself goes no further. */
const MOST_LOANS = 5;
const MOST_LIST_BYTES = 64 * 1024;

/**
 * Throws unless all that git would read and write for a repository lies inside the roots: its folders, what links in them lead to,
 * and the stores from which it borrows objects. Returns the stores.
 */
async function checkGitFolders(access: FileAccess, folders: readonly string[]): Promise<readonly string[]> {
  const stores: string[] = [];
  for (const folder of new Set(folders)) {
    await checkInside(access, folder);
    for (const part of WITH_LINKS) await checkLinks(access, path.join(folder, part));
    await checkLoans(access, path.join(folder, "objects"), stores, 0);
  }
  return stores;
}

/**
 * Throws if tools can change a part of a repository, while something is hidden: whoever writes its list of borrowed objects or its HEAD
 * chooses whose files it shows, and under which names.
 */
async function refuseChangeable(access: FileAccess, given: string, folders: readonly string[]): Promise<void> {
  const parts = folders.flatMap((folder) => [folder, path.join(folder, "HEAD"), path.join(folder, "objects")]);
  for (const part of new Set(parts)) {
    const real = await access.withTimeout(part, () => whereTo(part));
    if (real === undefined || !access.isChangeable(path.join(real, "a"))) continue;
    throw new ToolError(
      `Cannot use the repository of ${JSON.stringify(given)}: the tools of this server can change its internal files in ${JSON.stringify(access.displayPath(real))}, and so could make it show hidden files. A person can make that folder read-only in the settings (files.readOnly).`,
      { code: "FORBIDDEN_PATH", details: { path: given } },
    );
  }
}

/** Where git follows a link: names in these folders, not below them. */
const WITH_LINKS = ["", "objects", "info", "logs", "refs"] as const;

/** Throws where a link on the way to a file that git is about to write leads out of the roots. */
export async function checkWay(access: FileAccess, folder: string, way: readonly string[]): Promise<void> {
  for (let at = 1; at <= way.length; at += 1) await checkInside(access, path.join(folder, ...way.slice(0, at)));
}

/** Throws where a path leads out of the roots. Hidden places are no matter: it is git that looks at them, not the caller. */
export async function checkInside(access: FileAccess, place: string): Promise<void> {
  const real = await access.withTimeout(place, () => whereTo(place));
  if (real === undefined || access.roots.some((root) => isWithin(root, real))) return;
  throw outside(place);
}

/** The real path of what is there, undefined where nothing is. What a link to nothing leads to would be made by git. */
async function whereTo(place: string): Promise<string | undefined> {
  try {
    return await realpath(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.isSymbolicLink()) throw outside(place);
    return undefined;
  }
}

const outside = (place: string): ToolError =>
  deniedPath(
    place,
    "git keeps a part of this repository there, or a link leads from there, outside the allowed folders. Add that folder to the roots in the settings of this pack, or use another repository",
  );

async function checkLinks(access: FileAccess, folder: string): Promise<void> {
  const entries = await access.withTimeout(folder, () =>
    readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw error;
    }),
  );
  for (const entry of entries) if (entry.isSymbolicLink()) await checkInside(access, path.join(folder, entry.name));
}

async function checkLoans(access: FileAccess, objects: string, stores: string[], depth: number): Promise<void> {
  stores.push(objects);
  if (depth > MOST_LOANS) return;
  const list = path.join(objects, "info", "alternates");
  const text = await access.withTimeout(list, async () => {
    const stats = await lstat(list).catch(() => undefined);
    if (stats === undefined) return "";
    if (!stats.isFile() || stats.size > MOST_LIST_BYTES) throw outside(list);
    return readFile(list, "utf8");
  });
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    // Git reads what is in quotes in a way of its own.
    if (line.startsWith('"')) throw outside(list);
    const place = path.resolve(objects, line);
    await checkInside(access, place);
    await checkLoans(access, place, stores, depth + 1);
  }
}

/** What the configuration of a repository came to: what of it is switched off, and what of the user's own is needed. */
export interface Config {
  /** Settings that override those of the repository. */
  readonly overrides: readonly (readonly [key: string, value: string])[];
  /** Settings that switch off the hooks that are in the configuration, as newer gits have them. */
  readonly hooksOff: readonly (readonly [key: string, value: string])[];
  /** The names of the filters that only the repository defines; they are switched off. */
  readonly filters: ReadonlySet<string>;
  /** Files of commits that blame passes over, which only the repository names; this cannot be switched off. */
  readonly ignoreFiles: readonly string[];
  /** Whether the user, not the repository, wants every commit signed. */
  readonly isSigning: boolean;
}

/** What would run a program, or read a file that git would not read on its own, and what takes its place. */
const NEUTRAL: readonly (readonly [key: RegExp, value: string])[] = [
  [/^core\.(?:sshcommand|gitproxy|askpass|editor|pager|alternaterefscommand)$|^sequence\.editor$/, ""],
  [/^core\.attributesfile$|^diff\.orderfile$|^mailmap\.file$/, os.devNull],
  [/^filter\..*\.(?:clean|smudge|process)$|^merge\..*\.driver$|^trailer\..*\.(?:command|cmd)$/, ""],
  // Without it git would refuse to read files whose filter is switched off.
  [/^filter\..*\.required$/, "false"],
  [/^diff\.(?:.*\.)?(?:external|command|textconv)$/, ""],
  [/^gpg\.(?:.*\.)?(?:program|defaultkeycommand)$|^credential\.(?:.*\.)?helper$/, ""],
  [/^protocol\.(?:.*\.)?allow$/, "never"],
  [/^remote\..*\.(?:uploadpack|receivepack|vcs|proxy)$|^uploadpack\.packobjectshook$/, ""],
  // Git LFS, which may be a filter of the user's own, asks git for these.
  [/^lfs\.(?:extension|customtransfer)\.|^lfs\.standalonetransferagent$/, ""],
  [/^submodule\..*\.update$/, "none"],
];

/** More than any honest repository has; each takes a place in the environment of git. */
const MOST_OVERRIDES = 500;

/** Reads `git config --list -z --show-scope`: what a repository sets itself is not trusted, what the user sets is. */
export function readConfig(listing: Buffer): Config {
  const overrides = new Map<string, string>();
  const hooks = new Set<string>();
  const filters = new Set<string>();
  const ignoreFiles: string[] = [];
  let isSigning = false;
  for (const { scope, key, value } of entriesOf(listing)) {
    const name = key.toString("utf8");
    if (scope === "local" || scope === "worktree") {
      if (name === "blame.ignorerevsfile" && value) ignoreFiles.push(value);
      const hook = /^hook\.(.*)\.[^.]*$/s.exec(name)?.[1];
      if (hook !== undefined) hooks.add(hook);
      const found = NEUTRAL.find(([pattern]) => pattern.test(name));
      if ((found ?? hook) !== undefined && !isUtf8(key)) throw unreadable(name);
      if (found === undefined) continue;
      overrides.set(name, found[1]);
      const filter = /^filter\.(.*)\.(?:clean|process)$/.exec(name)?.[1];
      if (filter !== undefined) filters.add(filter);
    } else if (name === "commit.gpgsign") isSigning = isTrue(value);
  }
  if (overrides.size + hooks.size > MOST_OVERRIDES) throw tooMany();
  const hasOwnProgram = [...overrides.keys()].some((key) => key.startsWith("gpg."));
  return {
    overrides: [...overrides],
    hooksOff: [...hooks].map((hook) => [`hook.${hook}.enabled`, "false"]),
    filters,
    ignoreFiles,
    isSigning: isSigning && !hasOwnProgram,
  };
}

interface Entry {
  readonly scope: string;
  readonly key: Buffer;
  readonly value: string | undefined;
}

function* entriesOf(listing: Buffer): Generator<Entry> {
  for (let from = 0; from < listing.length; ) {
    const scopeEnd = endOf(listing, from);
    const entryEnd = endOf(listing, scopeEnd + 1);
    const entry = listing.subarray(scopeEnd + 1, entryEnd);
    const keyEnd = entry.indexOf("\n");
    const hasValue = keyEnd !== -1;
    yield {
      scope: listing.toString("latin1", from, scopeEnd),
      key: hasValue ? entry.subarray(0, keyEnd) : entry,
      value: hasValue ? entry.toString("utf8", keyEnd + 1) : undefined,
    };
    from = entryEnd + 1;
  }
}

function endOf(listing: Buffer, from: number): number {
  const at = listing.indexOf(0, from);
  return at === -1 ? listing.length : at;
}

/** A key without a value is true. */
const isTrue = (value = "true"): boolean => /^(?:true|yes|on|[1-9]\d*)$/i.test(value);

// Such a name cannot be written into the environment of a program, so that it could not be switched off.
const unreadable = (name: string): ToolError =>
  new ToolError(
    `Cannot use this repository: its configuration names a program under ${JSON.stringify(name)}, which is no UTF-8. Remove it from .git/config by hand.`,
    { code: "GIT_FAILED", details: { setting: name } },
  );

const tooMany = (): ToolError =>
  new ToolError(
    `Cannot use this repository: its configuration names more than ${MOST_OVERRIDES} programs, which no honest one does. Look at .git/config by hand.`,
    { code: "GIT_FAILED", details: { expected: MOST_OVERRIDES } },
  );
