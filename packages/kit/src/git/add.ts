import { isUtf8 } from "node:buffer";
import { lstat } from "node:fs/promises";
import { ToolError } from "@toolwright/engine";
import { notFound } from "../files/errors.js";
import { invalidGitArgument } from "./errors.js";
import { toName } from "./names.js";
import type { Repository } from "./run-git.js";
import { NUL, Splitter } from "./splitter.js";
import { workingFiles } from "./working-files.js";

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
  for (const [name, { status: told, isNameable }] of found) {
    // A file whose place a folder has taken is told as changed.
    const status = folders.has(name) ? "deleted" : told;
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
  const deed = "stage the files";
  if (gone !== "") await repository.run(["update-index", "-z", "--force-remove", "--stdin"], { deed, input: gone });
  if (there !== "")
    await repository.run(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], { deed, input: there });
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
    // A file that is gone is told as changed too, and one in conflict once for each side.
    const known = found.get(name)?.status;
    const isResolved = (known === "modified" || known === "resolved") && status === "modified";
    if (known !== "deleted") found.set(name, { status: isResolved ? "resolved" : status, isNameable: isUtf8(bytes) });
    if (found.size > MOST_FILES) throw tooMany();
  });
  await repository.stream(
    ["ls-files", "-z", "-t", "--modified", "--deleted", "--others", "--exclude-standard", "--", ...names],
    { deed: "find what differs" },
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
  const { output } = await repository.run(["ls-files", "-z", "--full-name", "--", name], { deed: "find what differs" });
  if (output.length > 0 || name === ".") return;
  const place = repository.place(name);
  // A link on the way may lead out, where nothing is looked up.
  await using entry = await repository.reach.openEntry(place, { follow: false });
  const stats = await repository.reach.attempt(given, () => lstat(entry.path).catch(() => undefined));
  if (stats === undefined) throw notFound(given);
  const { output: ignored } = await repository.run(
    ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", name],
    { deed: "find what is ignored" },
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
  const { output } = await repository.run(["check-attr", "-z", "--stdin", "filter"], { deed: "find filters", input });
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
