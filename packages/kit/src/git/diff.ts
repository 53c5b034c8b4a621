import { CHANGE_NAMES, type ChangedFile, ChangedFiles } from "./changed-files.js";
import { PageBudget } from "./page.js";
import { PatchReader, type PatchTexts } from "./patch.js";
import type { Repository } from "./run-git.js";
import { NEWLINE, NUL, Splitter } from "./splitter.js";

/** What is to be compared, and which part of that is wanted. */
export interface DiffOptions {
  /** What git is to compare: hashes and options that are our own. */
  readonly between: readonly string[];
  /** Names of files and folders, as git has them; all by default. */
  readonly names: readonly string[];
  /** How many files are left out. */
  readonly offset: number;
  /** How many lines of the first file's patch are left out. */
  readonly line: number;
  readonly hasPatch: boolean;
  readonly room?: PageBudget;
}

/** One file of a difference. */
export interface DiffFile {
  readonly path: string;
  readonly from?: string;
  readonly status: string;
  readonly additions?: number;
  readonly deletions?: number;
  readonly binary?: true;
  /** How the modes differ, such as 100644 → 100755. */
  readonly mode?: string;
  readonly patch?: string;
}

/** One page of a difference. */
export interface DiffPage {
  readonly total: number;
  readonly files: readonly DiffFile[];
  readonly next: { readonly offset: number; readonly line?: number } | undefined;
}

const MOST_FILES = 100;
/** Names of files go to git as arguments, which together must not be too long anywhere. */
const MOST_NAME_BYTES = 16 * 1024;
const MOST_LINE_BYTES = 2000;

/** Nothing that a repository or a user has configured changes what comes, and no program is asked to compare files. */
const FORM: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
  "--find-renames",
  "--submodule=short",
  "--ignore-submodules=dirty",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--unified=3",
  "--inter-hunk-context=0",
  "--ws-error-highlight=none",
  "-z",
  "--raw",
];

/** Reads one page of a difference: first which files there are, then the patches of as many as there is room for. */
export async function readDiff(repository: Repository, ask: DiffOptions): Promise<DiffPage> {
  const { offset, line, hasPatch, room = new PageBudget() } = ask;
  const { files, total } = await listFiles(repository, ask, room);
  const page = await readPatches(repository, ask, files, hasPatch ? { room, line } : undefined);
  const stopAt = page.stop === undefined ? -1 : files.findIndex(({ name }) => name === page.stop?.name);
  const seen = stopAt === -1 ? files : files.slice(0, stopAt + 1);
  const shown = seen
    .map((changed) => toFile(repository, page.counted.get(changed.name) ?? changed, page.texts.get(changed.name)))
    .filter((file, at) => at !== stopAt || file.patch !== undefined);
  if (page.stop !== undefined && stopAt !== -1)
    return {
      total,
      files: shown,
      next: { offset: offset + stopAt, ...(page.stop.line > 0 && { line: page.stop.line }) },
    };
  return { total, files: shown, next: offset + files.length < total ? { offset: offset + files.length } : undefined };
}

async function listFiles(repository: Repository, { between, names, offset }: DiffOptions, room: PageBudget) {
  let bytes = 0;
  const page: ChangedFile[] = [];
  let isFull = false;
  const list = new ChangedFiles(0, (changed, at) => {
    if (!repository.mayShow(changed.name)) return false;
    if (at < offset || isFull) return true;
    bytes += Buffer.byteLength(changed.name) + Buffer.byteLength(changed.from ?? "");
    isFull = page.length >= MOST_FILES || bytes > MOST_NAME_BYTES || !room.take(toFile(repository, changed, undefined));
    if (!isFull) page.push(changed);
    return true;
  });
  const splitter = new Splitter(NUL, 64 * 1024, (record) => void list.read(record));
  await repository.stream(["diff", ...FORM, ...between, "--", ...names], DEED, (piece) => splitter.add(piece));
  return { files: page, total: list.total };
}

const DEED = { deed: "compare" } as const;

interface Read extends PatchTexts {
  readonly counted: ReadonlyMap<string, ChangedFile>;
}

async function readPatches(
  repository: Repository,
  { between }: DiffOptions,
  files: readonly ChangedFile[],
  patch: { readonly room: PageBudget; readonly line: number } | undefined,
): Promise<Read> {
  const names = files
    .filter(({ isNameable }) => isNameable)
    .flatMap(({ name, from }) => [name, ...(from ? [from] : [])]);
  if (names.length === 0) return { texts: new Map(), stop: undefined, counted: new Map() };
  const wanted = new Set(files.map(({ name }) => name));
  // A name that was a file and is a folder now stands for what lies in the folder as well.
  const list = new ChangedFiles(MOST_FILES * 10);
  let reader: PatchReader | undefined;
  const splitter = new Splitter(NUL, MOST_LINE_BYTES * 4, (record, lost) => {
    if (reader !== undefined) return reader.read(record.subarray(0, MOST_LINE_BYTES), lost + tooMuch(record));
    if (list.read(record) || patch === undefined || record.length > 0) return true;
    splitter.separator = NEWLINE;
    reader = new PatchReader(list.files, patch.line, patch.room);
    return true;
  });
  const form = patch === undefined ? ["--numstat"] : ["--numstat", "--patch"];
  await repository.stream(["diff", ...FORM, ...form, ...between, "--", ...names], DEED, (piece) => splitter.add(piece));
  splitter.end();
  const counted = new Map(list.files.filter(({ name }) => wanted.has(name)).map((each) => [each.name, each]));
  return { ...(reader?.end() ?? { texts: new Map<string, string>(), stop: undefined }), counted };
}

const tooMuch = (record: Buffer): number => Math.max(0, record.length - MOST_LINE_BYTES);

/** A file of a difference as callers see it. */
export function toFile(repository: Repository, changed: ChangedFile, patch: string | undefined): DiffFile {
  const { letter, name, from: before, modes, additions, deletions, isBinary } = changed;
  const from = before === undefined ? undefined : repository.show(before);
  const isModeChange = modes[0] !== modes[1] && !modes.includes("000000");
  return {
    path: repository.show(name) ?? "",
    ...(from !== undefined && { from }),
    status: CHANGE_NAMES[letter] ?? letter,
    ...(additions !== undefined && { additions }),
    ...(deletions !== undefined && { deletions }),
    ...(isBinary && { binary: true }),
    ...(isModeChange && { mode: `${modes[0]} → ${modes[1]}` }),
    ...(patch !== undefined && { patch }),
  };
}
