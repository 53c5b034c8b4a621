import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { compileGlob } from "@toolwright/kit/files";
import { findCommit, openRepository, type Repository, toName } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import type { AnalysisCall } from "../project/project.js";

/** The analyzed folder or file, as a part of a repository. */
export interface HistoryScope {
  /** The real path of the folder. */
  readonly root: string;
  /** The prefix of each name inside, as bytes in latin1: "" or "a/b/". */
  readonly prefix: string;
  readonly contains: (name: string) => boolean;
}

/** How names in git, as bytes in latin1, are shown to callers. */
export interface DisplayNames {
  /** Relative to the analyzed folder. */
  readonly pathOf: (name: string) => string;
  /** Whether callers may see it. */
  readonly isVisible: (name: string) => boolean;
}

/** An open repository and the part to read. */
export interface History {
  readonly repository: Repository;
  readonly scope: HistoryScope;
  readonly names: DisplayNames;
  /** The newest commit; undefined = there is none yet. */
  readonly head: string | undefined;
}

/** Opens the history of a folder or file. */
export async function openHistory(analysis: Analysis, call: AnalysisCall, inputPath: string): Promise<History> {
  const access = await analysis.fileAccess(call);
  const repository = await openRepository(access, inputPath, call).catch((error: unknown) => {
    throw isNoRepository(error) ? noRepository(inputPath, error) : error;
  });
  const scope = await scopeOf(repository, inputPath);
  const names = displayNames(analysis, repository, scope);
  return { repository, scope, names, head: await findCommit(repository, "HEAD") };
}

async function scopeOf(repository: Repository, inputPath: string): Promise<HistoryScope> {
  const found = await repository.access.stat(inputPath);
  const realPath = found?.realPath ?? repository.top;
  const below = path.relative(repository.top, realPath).split(path.sep).join("/");
  const name = Buffer.from(below).toString("latin1");
  if (repository.isBare || name === "") return { root: repository.top, prefix: "", contains: () => true };
  if (found?.stats.isFile())
    return {
      root: path.dirname(realPath),
      prefix: name.slice(0, name.lastIndexOf("/") + 1),
      contains: (each) => each === name,
    };
  return { root: realPath, prefix: `${name}/`, contains: (each) => each.startsWith(`${name}/`) };
}

function displayNames(analysis: Analysis, repository: Repository, scope: HistoryScope): DisplayNames {
  const excluded = analysis.settings.exclude.map(compileGlob);
  const nameOf = (name: string): string => toName(Buffer.from(name, "latin1"));
  const prefix = nameOf(scope.prefix);
  const pathOf = (name: string): string => path.posix.relative(prefix, nameOf(name));
  const isVisible = (name: string): boolean =>
    repository.mayShow(nameOf(name)) && !excluded.some(({ fits }) => fits(pathOf(name)));
  return { pathOf, isVisible };
}

const gitMessage = (error: unknown): unknown => (error instanceof ToolError ? error.details["git"] : undefined);

function isNoRepository(error: unknown): boolean {
  const message = gitMessage(error);
  return typeof message === "string" && /not a git repository/i.test(message);
}

const noRepository = (inputPath: string, cause: unknown): ToolError =>
  new ToolError(`Cannot read the history of ${JSON.stringify(inputPath)}: it is not in a git repository.`, {
    code: "NOT_FOUND",
    details: { path: inputPath },
    cause,
  });

/** Whether git failed without a message, as it does when another program kills it. */
export const isSilentFailure = (error: unknown): boolean =>
  error instanceof ToolError && error.code === "GIT_FAILED" && gitMessage(error) === "";

/** Whether this version of git does not know an option. */
export function isUnknownOption(error: unknown, option: string): boolean {
  const message = gitMessage(error);
  return typeof message === "string" && message.includes(`unrecognized argument: ${option}`);
}

/** Git was killed before it had written everything. */
export const gitKilled = (commits: number): ToolError =>
  new ToolError(`Cannot read the history: git was killed by another program after ${commits} commits.`, {
    code: "GIT_FAILED",
    hint: { action: "try again, with a shorter period if memory is short" },
    details: { commits },
  });
