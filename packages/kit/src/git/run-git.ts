import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import { fromUri } from "../files/bounds.js";
import { deniedPath, forbiddenPath, wrongPath } from "../files/errors.js";
import type { FileAccess } from "../files/file-access.js";
import { findPathError, isWithin } from "../files/paths.js";
import { toGitError } from "./errors.js";
import { checkGitFolders } from "./git-folder.js";
import { type GitStartOptions, startGit } from "./start-git.js";
import { type Config, readConfig } from "./untrusted-config.js";

/** How git is asked in a repository. */
export interface GitOptions {
  /** What is being done, for faults: `Cannot <deed>: …`. */
  readonly deed: string;
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
  readonly reach: FileAccess;
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
    this.reach = found.reach;
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
      if (bytes > MOST_BYTES) throw tooLong(options.deed);
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
      avoid: this.reach.roots,
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

  /** Whether callers may see a file that git has named. */
  mayShow(name: string): boolean {
    return this.reach.mayShow(this.place(name));
  }

  /** A file that git has named, as callers see it; undefined = it is hidden from them. */
  show(name: string): string | undefined {
    if (!this.mayShow(name)) return undefined;
    // Without working files there is no place at which a caller could find it.
    if (this.isBare) return name;
    return this.reach.show(this.place(name)) + (name.endsWith("/") ? "/" : "");
  }

  /** The name that git has for a path that was given: relative to the first root, as everywhere, or to the repository. */
  async nameOf(given: string): Promise<string> {
    const words = given.startsWith("file://") ? fromUri(given) : given;
    const fault = findPathError(words);
    if (fault !== undefined) throw wrongPath(given, fault);
    const [root = this.top] = this.reach.roots;
    const found = [path.resolve(root, words), path.resolve(this.top, words)].find((place) => isWithin(this.top, place));
    const place = found ?? (await this.#realPlace(words));
    if (!this.reach.mayShow(place)) throw deniedPath(given, "the settings of this server hide it");
    return path.relative(this.top, place).split(path.sep).join("/") || ".";
  }

  /** The last name stands for itself, for git keeps links as links; those on the way may be how a root was given. */
  async #realPlace(given: string): Promise<string> {
    const folder = await this.reach.look(path.dirname(given));
    const place = folder && path.join(folder.place, path.basename(given));
    if (place === undefined || !isWithin(this.top, place)) throw forbiddenPath(given, [this.top]);
    return place;
  }
}

/** Finds the repository in which a path lies, and makes sure that nothing of it lies outside the roots. */
export async function openRepository(
  reach: FileAccess,
  given: string,
  call: Pick<Call, "signal">,
): Promise<Repository> {
  const deed = `use the repository of ${JSON.stringify(given)}`;
  const cwd = await folderOf(reach, given);
  const where = { cwd, avoid: reach.roots, deed };
  const [facts, listing] = await Promise.all([
    ask(call, ["rev-parse", ...FACTS], { ...where, exits: [0, 128] }),
    ask(call, ["config", "--list", "-z", "--show-scope"], where),
  ]);
  const [isBare, isShallow, objectFormat, gitDir, commonDir, top, ...more] = facts.toString("utf8").split("\n");
  if (gitDir === undefined) {
    // The same question again, for what git has to say about it.
    await ask(call, ["rev-parse", "--git-dir"], where);
    throw toGitError(deed, "");
  }
  if (more.length > 1 || (isBare === "false" && !top)) throw oddPlace(given);
  const real = { gitDir: path.resolve(gitDir), commonDir: path.resolve(cwd, commonDir ?? gitDir) };
  const place = isBare === "true" ? real.gitDir : path.resolve(top ?? "");
  if (!reach.mayShow(place)) throw repositoryOutside(given, reach.roots);
  await checkGitFolders(reach, [real.gitDir, real.commonDir]);
  return new Repository({
    ...real,
    call,
    reach,
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

async function folderOf(reach: FileAccess, given: string): Promise<string> {
  const found = await reach.look(given);
  if (found?.stats.isFile()) return path.dirname(found.place);
  await using folder = await reach.openFolder(given);
  return folder.place;
}

async function ask(
  call: Pick<Call, "signal">,
  args: readonly string[],
  options: Pick<GitStartOptions, "cwd" | "avoid" | "deed" | "exits">,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  await startGit(call, args, {
    ...options,
    take(piece) {
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw tooLong(options.deed);
      return pieces.push(piece) > 0;
    },
  });
  return Buffer.concat(pieces);
}

const tooLong = (deed: string): ToolError =>
  new ToolError(`Cannot ${deed}: git's answer has more than ${MOST_BYTES} bytes. Ask for less.`, { code: "TOO_LARGE" });

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
