import { lstat } from "node:fs/promises";
import path from "node:path";
import { Page } from "./page.js";
import type { Repository } from "./repository.js";
import { NUL, Splitter, toName } from "./splitter.js";
import { invalidGitArgument } from "./start-git.js";

/** One file in which something differs. */
export interface StatusEntry {
  readonly group: "staged" | "unstaged" | "untracked" | "conflicts";
  readonly path: string;
  readonly status: string;
  /** Its path before it was renamed or copied. */
  readonly from?: string;
  readonly submodule?: true;
}

/** The status of a working tree. */
export interface Status {
  readonly branch: string | undefined;
  readonly commit: string | undefined;
  readonly upstream: string | undefined;
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  readonly state: string | undefined;
  readonly counts: Readonly<Record<StatusEntry["group"], number>>;
  readonly entries: readonly StatusEntry[];
  readonly next: number | undefined;
}

const CHANGES: Readonly<Record<string, string>> = {
  M: "modified",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type_changed",
};

const CONFLICTS: Readonly<Record<string, string>> = {
  DD: "both_deleted",
  AU: "added_by_us",
  UD: "deleted_by_them",
  UA: "added_by_them",
  DU: "deleted_by_us",
  AA: "both_added",
  UU: "both_modified",
};

/** Reads the status; all is counted, and of the entries those of one page are kept. */
export async function readStatus(repository: Repository, offset: number, limit: number): Promise<Status> {
  const reader = new StatusReader(workingFiles(repository), new Page(offset, limit));
  const splitter = new Splitter(NUL, 64 * 1024, (record) => reader.read(record));
  await repository.stream(
    [
      "status",
      "--porcelain=v2",
      "-z",
      "--branch",
      "--untracked-files=normal",
      "--ignored=no",
      // A look into a submodule would run git there, with what that repository has configured.
      "--ignore-submodules=dirty",
      "--find-renames",
      "--ahead-behind",
    ],
    { operation: "read the status" },
    (piece) => splitter.add(piece),
  );
  return { ...reader.take(), state: await stateOf(repository) };
}

/** Reads the records of `git status --porcelain=v2 -z --branch`. */
class StatusReader {
  readonly #repository: Repository;
  readonly #page: Page<StatusEntry>;
  readonly #about = new Map<string, string>();
  readonly #counts = { staged: 0, unstaged: 0, untracked: 0, conflicts: 0 };
  /** A rename has two records; the first is kept until the second arrives. */
  #renamed: { readonly fields: readonly string[]; readonly name: string } | undefined;

  constructor(repository: Repository, page: Page<StatusEntry>) {
    this.#repository = repository;
    this.#page = page;
  }

  read(record: Buffer): void {
    if (this.#renamed !== undefined) {
      const { fields, name } = this.#renamed;
      this.#renamed = undefined;
      return this.#change(fields, name, toName(record));
    }
    const kind = record.toString("latin1", 0, 1);
    if (kind === "#") {
      const [, key = "", value = ""] = /^# (\S+) (.*)$/s.exec(toName(record)) ?? [];
      this.#about.set(key, value);
    } else if (kind === "?") this.#add("untracked", "untracked", toName(record.subarray(2)));
    else if (kind === "1") this.#change(...fieldsOf(record, 8));
    else if (kind === "u") {
      const [[, states = "", sub], name] = fieldsOf(record, 10);
      this.#add("conflicts", CONFLICTS[states] ?? "conflict", name, { sub });
    } else if (kind === "2") {
      const [fields, name] = fieldsOf(record, 9);
      this.#renamed = { fields, name };
    }
  }

  #change([, states = "..", sub]: readonly string[], name: string, from?: string): void {
    const letters = { staged: states[0] ?? ".", unstaged: states[1] ?? "." };
    for (const group of ["staged", "unstaged"] as const) {
      const letter = letters[group];
      if (letter === ".") continue;
      const source = letter === "R" || letter === "C" ? from : undefined;
      const isNew = this.#repository.mayShow(name);
      if (source === undefined || isNew === this.#repository.mayShow(source))
        this.#add(group, CHANGES[letter] ?? letter, name, { sub, from: source });
      // Where one of the names is hidden, the other one is a file that comes or goes.
      else if (isNew) this.#add(group, "added", name, { sub });
      else if (letter === "R") this.#add(group, "deleted", source, { sub });
    }
  }

  #add(
    group: StatusEntry["group"],
    status: string,
    name: string,
    more: { readonly sub?: string | undefined; readonly from?: string | undefined } = {},
  ): void {
    if (!this.#repository.mayShow(name)) return;
    this.#counts[group] += 1;
    if (!this.#page.isOpen) return this.#page.pass();
    const shown = this.#repository.show(name) ?? "";
    const from = more.from === undefined ? undefined : this.#repository.show(more.from);
    this.#page.add({
      group,
      path: shown,
      status,
      ...(from !== undefined && { from }),
      ...(more.sub?.startsWith("S") === true && { submodule: true }),
    });
  }

  take(): Omit<Status, "state"> {
    const head = this.#about.get("branch.head");
    const commit = this.#about.get("branch.oid");
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(this.#about.get("branch.ab") ?? "") ?? [];
    return {
      branch: head === "(detached)" ? undefined : head,
      commit: commit === "(initial)" ? undefined : commit,
      upstream: this.#about.get("branch.upstream"),
      ahead: ahead === undefined ? undefined : Number(ahead),
      behind: behind === undefined ? undefined : Number(behind),
      counts: this.#counts,
      entries: this.#page.entries,
      next: this.#page.next,
    };
  }
}

/** The fields before a name, which may contain spaces. */
function fieldsOf(record: Buffer, count: number): [fields: string[], name: string] {
  const fields: string[] = [];
  let from = 0;
  while (fields.length < count) {
    const at = record.indexOf(" ", from);
    if (at === -1) break;
    fields.push(record.toString("latin1", from, at));
    from = at + 1;
  }
  return [fields, toName(record.subarray(from))];
}

const STATES: readonly (readonly [file: string, state: string])[] = [
  ["rebase-merge", "rebasing"],
  ["rebase-apply", "rebasing"],
  ["MERGE_HEAD", "merging"],
  ["CHERRY_PICK_HEAD", "cherry_picking"],
  ["REVERT_HEAD", "reverting"],
  ["BISECT_LOG", "bisecting"],
];

/** The operation in progress, such as a merge that has stopped at conflicts; undefined = none. */
export async function stateOf({ access, gitDir }: Repository): Promise<string | undefined> {
  for (const [file, state] of STATES) {
    const place = path.join(gitDir, file);
    const stats = await access.withTimeout(place, () => lstat(place).catch(() => undefined));
    if (stats !== undefined) return state;
  }
  return undefined;
}

type Shown = Omit<StatusEntry, "group">;

/** A status as a result: empty members are omitted, and files are grouped. */
export function toStatusResult(repository: Repository, status: Status) {
  const { branch, commit, upstream, ahead, behind, state, counts, next } = status;
  const inGroup = (group: StatusEntry["group"]): Shown[] =>
    status.entries
      .filter((each) => each.group === group)
      .map((each) => {
        const { group: _, ...shown } = each;
        return shown;
      });
  return {
    repository: repository.access.displayPath(repository.top),
    ...(branch !== undefined && { branch }),
    detached: branch === undefined,
    ...(commit !== undefined && { commit }),
    ...(upstream !== undefined && { upstream }),
    ...(ahead !== undefined && { ahead }),
    ...(behind !== undefined && { behind }),
    ...(state !== undefined && { state }),
    clean: Object.values(counts).every((count) => count === 0),
    counts: { ...counts },
    staged: inGroup("staged"),
    unstaged: inGroup("unstaged"),
    untracked: inGroup("untracked").map((entry) => entry.path),
    conflicts: inGroup("conflicts"),
    // Files with these filters may look changed although they are not.
    ...(repository.config.filters.size > 0 && { filters_off: [...repository.config.filters] }),
    ...(next !== undefined && { next: { offset: next } }),
  };
}

/** The repository if it has working files. Throws for a bare one. */
export function workingFiles(repository: Repository): Repository {
  if (!repository.isBare) return repository;
  throw invalidGitArgument(
    "This repository is bare: it has no working files.",
    { repository: repository.access.displayPath(repository.top) },
    { action: "read its commits", tool: "git_log" },
  );
}
