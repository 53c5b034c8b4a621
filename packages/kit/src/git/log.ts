import { ChangedFiles, type DiffFile, toFile } from "./diff.js";
import { Page, shorten } from "./page.js";
import type { Repository } from "./repository.js";
import { NUL, Splitter, toName } from "./splitter.js";
import { invalidGitArgument } from "./start-git.js";

/** A commit as callers see it. */
export interface Commit {
  readonly hash: string;
  readonly short: string;
  readonly author: string;
  readonly email: string;
  readonly date: string;
  readonly subject: string;
  readonly body?: string;
  readonly refs?: string[];
  readonly parents: string[];
  readonly files?: DiffFile[];
  /** How many files more it changes. */
  readonly more_files?: number;
}

/** Which commits are wanted. */
export interface LogOptions {
  /** Options for git that are our own, and hashes. */
  readonly which: readonly string[];
  readonly names: readonly string[];
  readonly skip: number;
  readonly limit: number;
  readonly hasFiles: boolean;
  /** How much of a message is shown. */
  readonly bodyCharacters: number;
}

const FIELDS = ["%H", "%h", "%an", "%ae", "%aI", "%P", "%D", "%s", "%b"] as const;

const MOST_FILES = 50;

/** Reads commits, newest first; git is ended as soon as the page is full. */
export async function readLog(
  repository: Repository,
  { which, names, skip, limit, hasFiles, bodyCharacters }: LogOptions,
): Promise<{ readonly commits: readonly Commit[]; readonly next: number | undefined }> {
  const page = new Page<Commit>(0, limit);
  const reader = new LogReader(repository, bodyCharacters, (commit) => page.add(commit));
  const splitter = new Splitter(NUL, 64 * 1024, (record) => reader.read(record));
  await repository.stream(
    [
      "log",
      "-z",
      `--format=${FIELDS.join("%x00")}`,
      "--no-show-signature",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      ...(hasFiles
        ? ["--raw", "--numstat", "--find-renames", "--diff-merges=first-parent", "--ignore-submodules=dirty"]
        : ["--no-patch"]),
      `--skip=${skip}`,
      `--max-count=${limit + 1}`,
      ...which,
      "--",
      ...names,
    ],
    { operation: "read the log" },
    (piece) => splitter.add(piece),
  );
  splitter.end();
  reader.end();
  return { commits: page.entries, next: page.next === undefined ? undefined : skip + page.next };
}

/** Reads the records of `git log -z`: the fields of a commit, then the files that it changes. */
class LogReader {
  readonly #repository: Repository;
  readonly #bodyCharacters: number;
  readonly #give: (commit: Commit) => boolean;
  #fields: string[] = [];
  #files: ChangedFiles;

  constructor(repository: Repository, bodyCharacters: number, give: (commit: Commit) => boolean) {
    this.#repository = repository;
    this.#bodyCharacters = bodyCharacters;
    this.#give = give;
    this.#files = this.#noFiles();
  }

  read(record: Buffer): boolean {
    if (this.#fields.length < FIELDS.length) {
      this.#fields.push(toName(record));
      return true;
    }
    if (this.#files.read(record)) return true;
    const goesOn = this.end();
    this.#fields = [toName(record)];
    return goesOn;
  }

  /** Gives the commit that was read, if there is one. */
  end(): boolean {
    const isWhole = this.#fields.length === FIELDS.length;
    const goesOn = !isWhole || this.#give(this.#toCommit());
    this.#fields = [];
    this.#files = this.#noFiles();
    return goesOn;
  }

  #noFiles(): ChangedFiles {
    return new ChangedFiles(this.#repository, MOST_FILES, ({ name }) => this.#repository.mayShow(name));
  }

  #toCommit(): Commit {
    const [
      hash = "",
      short = "",
      author = "",
      email = "",
      date = "",
      parents = "",
      refs = "",
      subject = "",
      body = "",
    ] = this.#fields;
    const { files, total } = this.#files;
    const said = body.trim();
    return {
      hash,
      short,
      author,
      email,
      date,
      subject: shorten(subject, 1000),
      ...(said !== "" && { body: shorten(said, this.#bodyCharacters) }),
      ...(refs !== "" && { refs: refs.split(", ").flatMap((ref) => ref.split(" -> ")) }),
      parents: parents === "" ? [] : parents.split(" "),
      ...(total > 0 && { files: files.map((changed) => toFile(this.#repository, changed, undefined)) }),
      ...(total > files.length && { more_files: total - files.length }),
    };
  }
}

/** By whom and when commits were made that a log is to have. */
export interface LogFilter {
  readonly author?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Git takes anything for a date, and what it does not understand for now. */
const DATE = /\d|\b(?:now|today|yesterday|noon|midnight|tea|never|last|ago|one|two|three|week|month|year|day)\b/i;

/** Dates in figures, with the year first, last or left out. */
const FIGURES = /(?<!\S)(\d+)([-/.])(\d+)(?:\2(\d+))?(?=$|[\sT])/g;

/** Whether a date can be meant. Out of a day that no calendar has, git reads another one. */
const isDate = (text: string): boolean =>
  DATE.test(text) &&
  [...text.matchAll(FIGURES)].every(([, first = "", sign, second = "", third]) => {
    const [one, two, three] = [Number(first), Number(second), Number(third ?? 1)];
    if (first.length === 4) return isDay(one, two, three);
    if (third !== undefined) return isDay(three, one, two) || isDay(three, two, one) || isDay(one, two, three);
    return sign === "." || isDay(LEAP_YEAR, one, two) || isDay(LEAP_YEAR, two, one);
  });

const LEAP_YEAR = 2000;

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The options of git for a filter. Names are compared as they are, without regard to case. */
export function toLogOptions({ author, since, until }: LogFilter): readonly string[] {
  for (const [name, value] of Object.entries({ since, until }))
    if (value !== undefined && !isDate(value))
      throw invalidGitArgument(`${name} must be a date such as 2024-05-01 or "2 weeks ago".`, { [name]: value });
  for (const [name, value] of Object.entries({ author, since, until }))
    if (value?.includes("\0")) throw invalidGitArgument(`${name} must not have a NUL character in it.`);
  return [
    ...(author === undefined ? [] : ["--fixed-strings", "--regexp-ignore-case", `--author=${author}`]),
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
  ];
}
