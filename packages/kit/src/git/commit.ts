import { isUtf8 } from "node:buffer";
import { lstat } from "node:fs/promises";
import { ToolError } from "@toolwright/engine";
import { notFound } from "../files/errors.js";
import { type Commit, readLog } from "./log.js";
import { Page, shorten } from "./page.js";
import { checkWay, type Repository } from "./repository.js";
import { currentBranch, findCommit, resolveCommit } from "./revisions.js";
import { NEWLINE, NUL, Splitter, toName } from "./splitter.js";
import { invalidGitArgument } from "./start-git.js";
import { stateOf, workingFiles } from "./status.js";

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
    { operation: "commit", input: message, isHooked },
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
  await repository.stream(["ls-files", "-z", "--unmerged"], { operation: "look for conflicts" }, (piece) => {
    names.push(piece.toString("utf8"));
    return false;
  });
  const [first] = names.join("").split("\0");
  if (first === undefined || first === "") return;
  const name = first.slice(first.indexOf("\t") + 1);
  throw new ToolError(
    `Cannot commit: some files are in conflict, such as ${JSON.stringify(repository.show(name) ?? "a hidden one")}. Resolve and stage them first.`,
    {
      code: "CONFLICT",
      hint: { action: "list all of them", tool: "git_status" },
      details: { path: repository.show(name) ?? "" },
    },
  );
}

/** Something must be staged, except to end a merge whose outcome is what was there before. */
async function refuseNothing(repository: Repository): Promise<void> {
  const { exitCode } = await repository.run(
    ["diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--"],
    { operation: "look at what is staged", exits: [0, 1] },
  );
  if (exitCode === 0 && (await stateOf(repository)) !== "merging")
    throw invalidGitArgument("Cannot commit: nothing is staged.", {}, { action: "stage files", tool: "git_add" });
}

/** Git follows a link where it notes down what a branch was; it must not lead out of the roots. */
async function checkWrites({ access, commonDir, gitDir }: Repository, branch: string | undefined): Promise<void> {
  await checkWay(access, gitDir, ["logs", "HEAD"]);
  if (branch === undefined) return;
  const way = ["refs", "heads", ...branch.split("/")];
  await checkWay(access, commonDir, way);
  await checkWay(access, commonDir, ["logs", ...way]);
}

/** A file that was staged, and what happened to it. */
interface Staged {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "resolved";
}

/** What staging came to. */
export interface StageResult {
  readonly staged: readonly Staged[];
  /** What was left as it is, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Nobody means to stage more with one call; mostly a folder is missing in .gitignore. */
const MOST_FILES = 10_000;

const TAGS: Readonly<Record<string, Staged["status"]>> = {
  "?": "added",
  C: "modified",
  R: "deleted",
};

/**
 * Stages what differs at some paths, for the next commit. `git add` would look into submodules with a git that runs what they have
 * configured; so git is asked for the files, and they are put into its index by name.
 */
export async function stage(repository: Repository, given: readonly string[]): Promise<StageResult> {
  workingFiles(repository);
  const names = await Promise.all(given.map((each) => repository.nameOf(each)));
  const found = await changedAt(repository, names);
  for (const [at, name] of names.entries()) {
    const isFound = name === "." || [...found.keys()].some((each) => each === name || each.startsWith(`${name}/`));
    if (!isFound) await explainNothing(repository, given[at] ?? name, name);
  }
  const skipped: { path: string; reason: string }[] = [];
  const staged = new Map<string, Staged>();
  const folders = new Set([...found.keys()].flatMap(foldersOf));
  for (const [name, { status: reported, isNameable }] of found) {
    // A file whose place a folder has taken is reported as changed.
    const status = folders.has(name) ? "deleted" : reported;
    const shown = repository.show(name);
    if (shown === undefined) continue;
    if (name.endsWith("/")) skipped.push({ path: shown, reason: "a repository of its own" });
    else if (isNameable) staged.set(name, { path: shown, status });
    else skipped.push({ path: shown, reason: "its name is no UTF-8" });
  }
  await writeIndex(repository, staged);
  return { staged: [...staged.values()], skipped };
}

const foldersOf = (name: string): string[] =>
  name
    .split("/")
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join("/"));

/** What is gone goes by name first: a folder may be in its place by now. */
async function writeIndex(repository: Repository, staged: ReadonlyMap<string, Staged>): Promise<void> {
  const toInput = (isGone: boolean): string =>
    [...staged]
      .filter(([, { status }]) => (status === "deleted") === isGone)
      .map(([name]) => `${name}\0`)
      .join("");
  const [gone, there] = [toInput(true), toInput(false)];
  await refuseFiltered(repository, there);
  const operation = "stage the files";
  if (gone !== "")
    await repository.run(["update-index", "-z", "--force-remove", "--stdin"], { operation, input: gone });
  if (there !== "")
    await repository.run(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], {
      operation,
      input: there,
    });
}

interface FoundFile {
  readonly status: Staged["status"];
  readonly isNameable: boolean;
}

async function changedAt(repository: Repository, names: readonly string[]): Promise<ReadonlyMap<string, FoundFile>> {
  const found = new Map<string, FoundFile>();
  const splitter = new Splitter(NUL, 64 * 1024, (record) => {
    const status = TAGS[record.toString("latin1", 0, 1)] ?? "modified";
    const bytes = record.subarray(2);
    const name = toName(bytes);
    // A file that is gone is reported as changed too, and one in conflict once for each side.
    const known = found.get(name)?.status;
    const isResolved = (known === "modified" || known === "resolved") && status === "modified";
    if (known !== "deleted") found.set(name, { status: isResolved ? "resolved" : status, isNameable: isUtf8(bytes) });
    if (found.size > MOST_FILES) throw tooMany();
  });
  await repository.stream(
    ["ls-files", "-z", "-t", "--modified", "--deleted", "--others", "--exclude-standard", "--", ...names],
    { operation: "find what differs" },
    (piece) => splitter.add(piece),
  );
  return found;
}

const tooMany = (): ToolError =>
  new ToolError(
    `Cannot stage more than ${MOST_FILES} files with one call. Is a folder of built or installed files missing in .gitignore? Nothing was staged.`,
    { code: "TOO_LARGE", details: { expected: MOST_FILES } },
  );

/** Nothing differs at a path: that is fine for one that git knows, and a mistake for any other. */
async function explainNothing(repository: Repository, given: string, name: string): Promise<void> {
  const { output } = await repository.run(["ls-files", "-z", "--full-name", "--", name], {
    operation: "find what differs",
  });
  if (output.length > 0 || name === ".") return;
  const place = repository.place(name);
  // A link on the way may lead out, where nothing is looked up.
  await using entry = await repository.access.openEntry(place, { follow: false });
  const stats = await repository.access.withTimeout(given, () => lstat(entry.path).catch(() => undefined));
  if (stats === undefined) throw notFound(given);
  const { output: ignored } = await repository.run(
    ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", name],
    { operation: "find what is ignored" },
  );
  if (ignored.length > 0)
    throw invalidGitArgument(`${JSON.stringify(given)} is ignored by git (see .gitignore). Nothing was staged.`, {
      path: given,
    });
}

/** A filter that only the repository defines is switched off; without it, something else would be committed than was meant. */
async function refuseFiltered(repository: Repository, input: string): Promise<void> {
  const { filters } = repository.config;
  if (filters.size === 0 || input === "") return;
  const { output } = await repository.run(["check-attr", "-z", "--stdin", "filter"], {
    operation: "find filters",
    input,
  });
  const fields = output.toString("utf8").split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const filter = fields[at + 2] ?? "";
    if (!filters.has(filter)) continue;
    throw new ToolError(
      `Cannot stage ${JSON.stringify(fields[at])}: it goes through the filter "${filter}" of .git/config, which is a program of the repository and is not run. Stage it by hand, or define the filter in the user's own git configuration. Nothing was staged.`,
      { code: "FORBIDDEN_COMMAND", details: { path: fields[at] ?? "", setting: `filter.${filter}.clean` } },
    );
  }
}

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
    { operation: "list the branches" },
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
  await checkWay(repository.access, repository.commonDir, way);
  await checkWay(repository.access, repository.commonDir, ["logs", ...way]);
  const operation = `make the branch ${JSON.stringify(name)}`;
  await repository.run(["branch", "--no-track", name, hash], { operation });
  if (isCurrent)
    await repository.run(["symbolic-ref", "-m", `checkout: moving to ${name}`, "HEAD", `refs/heads/${name}`], {
      operation,
    });
  return hash;
}

async function checkName(repository: Repository, name: string): Promise<void> {
  const isOdd = name.startsWith("-") || name === "HEAD" || name.includes("\0") || name.length > 200;
  const { exitCode } = isOdd
    ? { exitCode: 1 }
    : await repository.run(["check-ref-format", `refs/heads/${name}`], { operation: "check the name", exits: [0, 1] });
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
  throw new ToolError(`Cannot switch from ${current}: ${reason}. No branch was created.`, {
    code: "CONFLICT",
    hint: { action: "create the branch without checkout" },
    details: { expected: head ?? "no commit", got: hash },
  });
}
