import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import { compileGlob } from "@toolwright/kit/files";
import { findCommit, openRepository, type Repository, toName } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import { counted } from "../format.js";

/** What a caller lends to the reading of a history. */
export type ChurnCall = Pick<Call, "signal" | "supports" | "roots" | "progress">;

/** A history that can be read. */
export interface OpenHistory {
  readonly repository: Repository;
  readonly folder: Folder;
  readonly names: Names;
  /** The newest commit; undefined = there is none yet. */
  readonly head: string | undefined;
}

/** Finds the history of a folder. */
export async function openHistory(analysis: Analysis, call: ChurnCall, given: string): Promise<OpenHistory> {
  const reach = await analysis.reach(call);
  const repository = await openRepository(reach, given, call).catch((error: unknown) => {
    throw explained(error, given);
  });
  const folder = await folderOf(repository, given);
  const names = namesOf(analysis, repository, folder);
  return { repository, folder, names, head: await findCommit(repository, "HEAD") };
}

/** The folder whose files count, in a repository. */
export interface Folder {
  /** Its real path. */
  readonly root: string;
  /** In front of each name inside, as bytes in latin1: "" or "a/b/". */
  readonly prefix: string;
  readonly isInside: (name: string) => boolean;
}

/** Finds the folder, or the one file, that a caller means. */
export async function folderOf(repository: Repository, given: string): Promise<Folder> {
  const found = await repository.access.stat(given);
  const place = found?.realPath ?? repository.top;
  const words = path.relative(repository.top, place).split(path.sep).join("/");
  const name = Buffer.from(words).toString("latin1");
  if (repository.isBare || name === "") return { root: repository.top, prefix: "", isInside: () => true };
  if (found?.stats.isFile())
    return {
      root: path.dirname(place),
      prefix: name.slice(0, name.lastIndexOf("/") + 1),
      isInside: (each) => each === name,
    };
  return { root: place, prefix: `${name}/`, isInside: (each) => each.startsWith(`${name}/`) };
}

/** How the names that git has, bytes as latin1, are shown to callers. */
export interface Names {
  /** Relative to the folder. */
  readonly pathOf: (name: string) => string;
  /** Whether the settings let callers see it. */
  readonly isShown: (name: string) => boolean;
}

/** Shows names as the settings say. */
export function namesOf(analysis: Analysis, repository: Repository, folder: Folder): Names {
  const excluded = analysis.settings.exclude.map(compileGlob);
  const nameOf = (name: string): string => toName(Buffer.from(name, "latin1"));
  const below = nameOf(folder.prefix);
  const pathOf = (name: string): string => path.posix.relative(below, nameOf(name));
  const isShown = (name: string): boolean =>
    repository.mayShow(nameOf(name)) && !excluded.some(({ fits }) => fits(pathOf(name)));
  return { pathOf, isShown };
}

/** A fault of git, in the words of whoever asked for a history. */
export function explained(error: unknown, given: string): unknown {
  if (!(error instanceof ToolError)) return error;
  const said = error.details["git"];
  if (typeof said !== "string" || !/not a git repository/i.test(said)) return error;
  return new ToolError(
    `Cannot read the history of ${JSON.stringify(given)}: it is not in a git repository. Give a project_path that is, or make one with git init and commit.`,
    { code: "NOT_FOUND", details: { path: given }, cause: error },
  );
}

/** Whether git failed without a word, as it does when something ends it. */
export const isSilent = (error: unknown): boolean =>
  error instanceof ToolError && error.code === "GIT_FAILED" && error.details["git"] === "";

/** Whether git does not know a word, as an older one may not. */
export function isUnknown(error: unknown, word: string): boolean {
  const said = error instanceof ToolError ? error.details["git"] : undefined;
  return typeof said === "string" && said.includes(`unrecognized argument: ${word}`);
}

/** Something ended git before it had told all. */
export const gitEnded = (commits: number): ToolError =>
  new ToolError(
    `Cannot read the history: git was ended by something else after ${counted(commits, "commit")}. Try again; if memory is short, ask for a shorter period_days.`,
    { code: "GIT_FAILED", details: { commits } },
  );
