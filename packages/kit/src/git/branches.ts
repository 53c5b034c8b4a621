import { ToolError } from "@toolwright/engine";
import { invalidGitArgument } from "./errors.js";
import { checkWay } from "./git-folder.js";
import { toName } from "./names.js";
import { Page, shorten } from "./page.js";
import { currentBranch, findCommit, resolveCommit } from "./revisions.js";
import type { Repository } from "./run-git.js";
import { NEWLINE, Splitter } from "./splitter.js";
import { stateOf } from "./status.js";

/** A branch as callers see it. */
export interface Branch {
  readonly name: string;
  readonly remote?: true;
  readonly current?: true;
  readonly hash: string;
  readonly date: string;
  readonly subject: string;
  readonly upstream?: string;
  /** How it stands to its upstream, such as `ahead 1, behind 2` or `gone`. */
  readonly track?: string;
}

const FIELDS = [
  "%(refname)",
  "%(objectname)",
  "%(upstream:short)",
  "%(upstream:track,nobracket)",
  "%(HEAD)",
  "%(symref)",
  "%(committerdate:iso-strict)",
  "%(contents:subject)",
] as const;

/** Reads the branches, those of remotes after the local ones. */
export async function listBranches(
  repository: Repository,
  offset: number,
  limit: number,
): Promise<{ readonly branches: readonly Branch[]; readonly next: number | undefined }> {
  const page = new Page<Branch>(offset, limit);
  const splitter = new Splitter(NEWLINE, 64 * 1024, (record) => {
    const branch = toBranch(toName(record).split("\0"));
    return branch === undefined || page.add(branch);
  });
  await repository.stream(
    ["for-each-ref", `--format=${FIELDS.join("%00")}`, "refs/heads", "refs/remotes"],
    { deed: "list the branches" },
    (piece) => splitter.add(piece),
  );
  return { branches: page.entries, next: page.next };
}

function toBranch(fields: readonly string[]): Branch | undefined {
  const [ref = "", hash = "", upstream = "", track = "", head = "", target = "", date = "", subject = ""] = fields;
  // The HEAD of a remote only points to one of its branches.
  if (target !== "" && ref.startsWith("refs/remotes/")) return undefined;
  return {
    name: ref.replace(/^refs\/(?:heads|remotes)\//, ""),
    ...(ref.startsWith("refs/remotes/") && { remote: true }),
    ...(head === "*" && { current: true }),
    hash,
    date,
    subject: shorten(subject, 200),
    ...(upstream !== "" && { upstream }),
    ...(track !== "" && { track }),
  };
}

/** Makes a branch, and puts HEAD on it where no file changes by that. */
export async function createBranch(
  repository: Repository,
  { name, start, isCurrent }: { readonly name: string; readonly start: string; readonly isCurrent: boolean },
): Promise<string> {
  await checkName(repository, name);
  if ((await findCommit(repository, `refs/heads/${name}`)) !== undefined)
    throw new ToolError(`The branch ${JSON.stringify(name)} already exists.`, {
      code: "ALREADY_EXISTS",
      details: { name },
    });
  const hash = await resolveCommit(repository, start);
  if (isCurrent) await checkSwitch(repository, hash);
  const way = ["refs", "heads", ...name.split("/")];
  await checkWay(repository.reach, repository.commonDir, way);
  await checkWay(repository.reach, repository.commonDir, ["logs", ...way]);
  const deed = `make the branch ${JSON.stringify(name)}`;
  await repository.run(["branch", "--no-track", name, hash], { deed });
  if (isCurrent)
    await repository.run(["symbolic-ref", "-m", `checkout: moving to ${name}`, "HEAD", `refs/heads/${name}`], { deed });
  return hash;
}

async function checkName(repository: Repository, name: string): Promise<void> {
  const isOdd = name.startsWith("-") || name === "HEAD" || name.includes("\0") || name.length > 200;
  const { exitCode } = isOdd
    ? { exitCode: 1 }
    : await repository.run(["check-ref-format", `refs/heads/${name}`], { deed: "check the name", exits: [0, 1] });
  if (exitCode !== 0)
    throw invalidGitArgument(
      `${JSON.stringify(name.slice(0, 200))} cannot name a branch: no spaces, no .. ~ ^ : ? * [ \\ @{, no leading dash, no part that starts with a dot or ends with .lock.`,
      { name: name.slice(0, 200) },
    );
}

/** HEAD moves only where the files stay as they are. */
async function checkSwitch(repository: Repository, hash: string): Promise<void> {
  const state = await stateOf(repository);
  const head = await findCommit(repository, "HEAD");
  if (state === undefined && head === hash) return;
  const reason =
    state === undefined
      ? "it starts at another commit than HEAD, so files would change"
      : `the repository is in the middle of something (${state})`;
  const current = (await currentBranch(repository)) ?? "a detached HEAD";
  throw new ToolError(`Cannot switch from ${current}: ${reason}. Make the branch without checkout; nothing was made.`, {
    code: "CONFLICT",
    details: { expected: head ?? "no commit", got: hash },
  });
}
