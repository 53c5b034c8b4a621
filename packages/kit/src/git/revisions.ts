import { ToolError } from "@toolwright/engine";
import type { Repository } from "./repository.js";
import { invalidGitArgument } from "./start-git.js";

/** The hash of the commit that a name refers to. Names are passed to git only here, as one argument that is no option. */
export async function resolveCommit(repository: Repository, name: string): Promise<string> {
  const found = await findCommit(repository, name);
  if (found !== undefined) return found;
  throw new ToolError(
    name === "HEAD"
      ? "This repository has no commit yet."
      : `Cannot find the commit ${JSON.stringify(name)}: no branch, tag or commit has that name. Look at the branches or at the log for one.`,
    { code: "NOT_FOUND", details: { revision: name } },
  );
}

/** The same, or undefined if there is none. */
export async function findCommit(repository: Repository, name: string): Promise<string | undefined> {
  if (name.trim() === "" || name.startsWith("-") || name.length > 1000 || /\p{Cc}/u.test(name))
    throw invalidGitArgument(`${JSON.stringify(name.slice(0, 100))} is no name of a commit.`, {
      revision: name.slice(0, 100),
    });
  const { exitCode, output } = await repository.run(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`],
    { operation: `find ${JSON.stringify(name)}`, exits: [0, 1, 128] },
  );
  const hash = output.toString("latin1").trim();
  return exitCode === 0 && /^[0-9a-f]{40,64}$/.test(hash) ? hash : undefined;
}

/** The two sides of a diff: `a`, `a..b` or `a...b`; `to` is undefined for the working files or what is staged. */
export interface CommitRange {
  readonly from: string;
  readonly to: string | undefined;
}

/** Reads what a difference is to be between, as hashes. */
export async function resolveCommitRange(repository: Repository, target: string): Promise<CommitRange> {
  const [, left = "", dots, right = ""] = RANGE.exec(target) ?? [];
  if (dots === undefined) return { from: await resolveCommit(repository, target), to: undefined };
  const from = await resolveCommit(repository, left || "HEAD");
  const to = await resolveCommit(repository, right || "HEAD");
  if (dots === "..") return { from, to };
  const { output, exitCode } = await repository.run(["merge-base", from, to], {
    operation: `compare ${JSON.stringify(target)}`,
    exits: [0, 1],
  });
  if (exitCode === 1) throw invalidGitArgument(`${JSON.stringify(target)} have no commit in common.`, { target });
  return { from: output.toString("latin1").trim().split("\n")[0] ?? from, to };
}

/** The commits of a log, as arguments of git: `a`, `a..b` or `a...b`, with hashes for names. */
export async function resolveRange(repository: Repository, revision: string): Promise<string> {
  const [, left = "", dots, right = ""] = RANGE.exec(revision) ?? [];
  if (dots === undefined) return resolveCommit(repository, revision);
  const from = await resolveCommit(repository, left || "HEAD");
  return `${from}${dots}${await resolveCommit(repository, right || "HEAD")}`;
}

/** Branches cannot have two dots in their names. */
const RANGE = /^(.*?)(\.{2,3})(.*)$/s;

/** The tree without anything in it: what the first commit differs from. */
export const emptyTree = ({ objectFormat }: Repository): string =>
  objectFormat === "sha256"
    ? "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    : "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** The branch that HEAD is on, whether or not it has a commit; undefined where HEAD is detached. */
export async function currentBranch(repository: Repository): Promise<string | undefined> {
  const { exitCode, output } = await repository.run(["symbolic-ref", "--quiet", "HEAD"], {
    operation: "find the current branch",
    exits: [0, 1],
  });
  if (exitCode === 1) return undefined;
  return output
    .toString("utf8")
    .trim()
    .replace(/^refs\/heads\//, "");
}
