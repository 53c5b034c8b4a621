import { ToolError } from "@toolwright/engine";
import { invalidGitArgument } from "./errors.js";
import { checkWay } from "./git-folder.js";
import { type Commit, readLog } from "./log.js";
import { currentBranch, resolveCommit } from "./revisions.js";
import type { Repository } from "./run-git.js";
import { stateOf } from "./status.js";
import { workingFiles } from "./working-files.js";

/** What came of a commit. */
export interface CommitResult {
  readonly commit: Commit;
  readonly branch: string | undefined;
  readonly isSigned: boolean;
}

/** Commits what is staged. The hooks of the repository run only where they are allowed to. */
export async function commitStaged(
  repository: Repository,
  message: string,
  { isHooked }: { readonly isHooked: boolean },
): Promise<CommitResult> {
  workingFiles(repository);
  if (message.trim() === "" || message.includes("\0"))
    throw invalidGitArgument("Cannot commit: the message must not be blank, nor have a NUL character in it.");
  await refuseConflicts(repository);
  await refuseNothing(repository);
  const branch = await currentBranch(repository);
  await checkWrites(repository, branch);
  const isSigned = repository.config.isSigning;
  await repository.run(
    [
      "commit",
      "--quiet",
      "--no-edit",
      "--no-status",
      "--no-post-rewrite",
      "--cleanup=whitespace",
      isSigned ? "--gpg-sign" : "--no-gpg-sign",
      ...(isHooked ? [] : ["--no-verify"]),
      "--file=-",
    ],
    { deed: "commit", input: message, isHooked },
  );
  const which = [await resolveCommit(repository, "HEAD")];
  const { commits } = await readLog(repository, {
    which,
    names: [],
    skip: 0,
    limit: 1,
    hasFiles: true,
    bodyCharacters: 2000,
  });
  const [commit] = commits;
  if (commit === undefined) throw new Error("git has made a commit that it does not show");
  return { commit, branch, isSigned };
}

async function refuseConflicts(repository: Repository): Promise<void> {
  const names: string[] = [];
  await repository.stream(["ls-files", "-z", "--unmerged"], { deed: "look for conflicts" }, (piece) => {
    names.push(piece.toString("utf8"));
    return false;
  });
  const [first] = names.join("").split("\0");
  if (first === undefined || first === "") return;
  const name = first.slice(first.indexOf("\t") + 1);
  throw new ToolError(
    `Cannot commit: some files are in conflict, such as ${JSON.stringify(repository.show(name) ?? "a hidden one")}. Resolve them, then git_add them; git_status lists all.`,
    { code: "CONFLICT", details: { path: repository.show(name) ?? "" } },
  );
}

/** Something must be staged, except to end a merge whose outcome is what was there before. */
async function refuseNothing(repository: Repository): Promise<void> {
  const { exitCode } = await repository.run(
    ["diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--"],
    { deed: "look at what is staged", exits: [0, 1] },
  );
  if (exitCode === 0 && (await stateOf(repository)) !== "merging")
    throw invalidGitArgument("Cannot commit: nothing is staged. Use git_add first; git_status tells what has changed.");
}

/** Git follows a link where it notes down what a branch was; it must not lead out of the roots. */
async function checkWrites({ reach, commonDir, gitDir }: Repository, branch: string | undefined): Promise<void> {
  await checkWay(reach, gitDir, ["logs", "HEAD"]);
  if (branch === undefined) return;
  const way = ["refs", "heads", ...branch.split("/")];
  await checkWay(reach, commonDir, way);
  await checkWay(reach, commonDir, ["logs", ...way]);
}
