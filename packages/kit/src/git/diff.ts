import { isUtf8 } from "node:buffer";
import { PageBudget } from "./page.js";
import type { Repository } from "./repository.js";
import { NEWLINE, NUL, Splitter, toName } from "./splitter.js";

/** What to compare, and which part to return. */
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
  /** The maximum size of the page in JSON. */
  readonly pageBytes?: number;
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
/** File names are arguments of git, whose total length is limited by the system. */
const MOST_NAME_BYTES = 16 * 1024;
const MOST_LINE_BYTES = 2000;

/** No configuration of a repository or user changes the output, and no external diff program runs. */
const FORM: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
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
  const page = await readPage(repository, ask, "--find-renames");
  // The patch of a file that was hidden before would show what it was; without renames it is a new file.
  return page ?? (await readPage(repository, ask, "--no-renames")) ?? { total: 0, files: [], next: undefined };
}

type Renames = "--find-renames" | "--no-renames";

/** Undefined if a file was renamed from a hidden name to a visible one, or the other way round. */
async function readPage(repository: Repository, ask: DiffOptions, renames: Renames): Promise<DiffPage | undefined> {
  const { offset, line, hasPatch, pageBytes } = ask;
  const room = new PageBudget(pageBytes);
  const list = await listFiles(repository, ask, renames, room);
  if (list === undefined) return undefined;
  const { files, total } = list;
  const page = await readPatches(repository, ask, renames, files, hasPatch ? { room, line } : undefined);
  if (page === undefined) return undefined;
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

async function listFiles(
  repository: Repository,
  { between, names, offset }: DiffOptions,
  renames: Renames,
  room: PageBudget,
): Promise<{ readonly files: readonly ChangedFile[]; readonly total: number } | undefined> {
  let bytes = 0;
  const page: ChangedFile[] = [];
  let isFull = false;
  const list = new ChangedFiles(repository, 0, (changed, at) => {
    if (!repository.mayShow(changed.name)) return false;
    if (at < offset || isFull) return true;
    bytes += Buffer.byteLength(changed.name) + Buffer.byteLength(changed.from ?? "");
    isFull = page.length >= MOST_FILES || bytes > MOST_NAME_BYTES || !room.take(toFile(repository, changed, undefined));
    if (!isFull) page.push(changed);
    return true;
  });
  const splitter = new Splitter(NUL, 64 * 1024, (record) => void list.read(record));
  await repository.stream(["diff", ...FORM, renames, ...between, "--", ...names], OPERATION, (piece) =>
    splitter.add(piece),
  );
  return list.crossesHidden ? undefined : { files: page, total: list.total };
}

const OPERATION = { operation: "compare" } as const;

interface Read extends PatchTexts {
  readonly counted: ReadonlyMap<string, ChangedFile>;
}

async function readPatches(
  repository: Repository,
  { between }: DiffOptions,
  renames: Renames,
  files: readonly ChangedFile[],
  patch: { readonly room: PageBudget; readonly line: number } | undefined,
): Promise<Read | undefined> {
  const names = files
    .filter(({ isNameable }) => isNameable)
    .flatMap(({ name, from }) => [name, ...(from ? [from] : [])]);
  if (names.length === 0) return { texts: new Map(), stop: undefined, counted: new Map() };
  const wanted = new Set(files.map(({ name }) => name));
  // The name of a file that is now a folder matches the contents of the folder, too.
  const list = new ChangedFiles(repository, MOST_FILES * 10);
  let reader: PatchReader | undefined;
  const splitter = new Splitter(NUL, MOST_LINE_BYTES * 4, (record, lost) => {
    if (reader !== undefined) return reader.read(record.subarray(0, MOST_LINE_BYTES), lost + tooMuch(record));
    if (list.read(record) || patch === undefined || record.length > 0) return true;
    splitter.separator = NEWLINE;
    reader = new PatchReader(list.files, patch.line, patch.room);
    return true;
  });
  const form = patch === undefined ? ["--numstat"] : ["--numstat", "--patch"];
  await repository.stream(["diff", ...FORM, renames, ...form, ...between, "--", ...names], OPERATION, (piece) =>
    splitter.add(piece),
  );
  splitter.end();
  if (list.crossesHidden) return undefined;
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

/** A file that differs between two states, from `--raw` and `--numstat`. */
export interface ChangedFile {
  /** The letter that git has for it: A, C, D, M, R, T or U. */
  letter: string;
  readonly name: string;
  readonly from: string | undefined;
  readonly modes: readonly [before: string, after: string];
  additions?: number;
  deletions?: number;
  isBinary?: true;
  /** How many parts of a patch are about it. */
  sections: number;
  /** Whether git accepts its name. */
  readonly isNameable: boolean;
}

/** The words for git's letters. */
const CHANGE_NAMES: Readonly<Record<string, string>> = {
  A: "added",
  C: "copied",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type_changed",
  U: "unmerged",
};

interface Waiting {
  readonly count: number;
  readonly names: Buffer[];
  take(names: readonly Buffer[]): void;
}

/** Reads the records of `--raw --numstat -z`. Only the first files are kept; all are counted. */
export class ChangedFiles {
  readonly files: ChangedFile[] = [];
  total = 0;
  readonly #byName = new Map<string, ChangedFile>();
  /** Whether a file was renamed from a hidden name to a visible one, or the other way round. */
  crossesHidden = false;
  readonly #repository: Pick<Repository, "mayShow">;
  readonly #most: number;
  readonly #wants: (changed: ChangedFile, at: number) => boolean;
  #waiting: Waiting | undefined;
  #last: string | undefined;

  /** `wants` says whether a file counts, and whether it is kept. */
  constructor(
    repository: Pick<Repository, "mayShow">,
    most: number,
    wants: (changed: ChangedFile, at: number) => boolean = () => true,
  ) {
    this.#repository = repository;
    this.#most = most;
    this.#wants = wants;
  }

  /** Adds a record; false = it is none of these. */
  read(record: Buffer): boolean {
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      waiting.names.push(record);
      if (waiting.names.length === waiting.count) {
        this.#waiting = undefined;
        waiting.take(waiting.names);
      }
      return true;
    }
    // The text of a commit ends with a line break of its own.
    const start = record[0] === 10 ? 1 : 0;
    return record[start] === COLON ? this.#readRaw(record.toString("latin1", start)) : this.#readCounts(record);
  }

  #readRaw(text: string): boolean {
    const [, before, after, letter] = /^:(\d{6}) (\d{6}) \S+ \S+ ([A-Z])\d*$/.exec(text) ?? [];
    if (before === undefined || after === undefined || letter === undefined) return false;
    const count = letter === "R" || letter === "C" ? 2 : 1;
    this.#waiting = {
      count,
      names: [],
      take: ([first = EMPTY, second]) => {
        if (second === undefined) this.#add(letter, [before, after], first, undefined);
        else this.#addRenamed(letter, [before, after], second, first);
      },
    };
    return true;
  }

  #readCounts(record: Buffer): boolean {
    const [whole, additions, deletions] = /^(\d+|-)\t(\d+|-)\t/.exec(record.toString("latin1", 0, 40)) ?? [];
    if (whole === undefined || additions === undefined || deletions === undefined) return false;
    const name = record.subarray(whole.length);
    if (name.length > 0) this.#count(name, additions, deletions);
    else {
      this.#waiting = { count: 2, names: [], take: ([, to = EMPTY]) => this.#count(to, additions, deletions) };
    }
    return true;
  }

  /** Where one of the names is hidden, the other one is a file that comes or goes. */
  #addRenamed(letter: string, modes: readonly [before: string, after: string], to: Buffer, from: Buffer): void {
    const [isOldVisible, isNewVisible] = [from, to].map((name) => this.#repository.mayShow(toName(name)));
    if (isOldVisible === isNewVisible) return this.#add(letter, modes, to, from);
    this.crossesHidden = true;
    if (isNewVisible) this.#add("A", [NO_MODE, modes[1]], to, undefined);
    else if (letter === "R") this.#add("D", [modes[0], NO_MODE], from, undefined);
    // The numbers of lines that follow compare both files.
    this.#byName.delete(toName(to));
  }

  #add(letter: string, modes: readonly [string, string], to: Buffer, from: Buffer | undefined): void {
    const name = toName(to);
    const known = this.#byName.get(name);
    // A file in conflict is listed twice: as unmerged, and with its change.
    if (this.#last === name) {
      if (known !== undefined) known.sections = 1;
      return;
    }
    this.#last = name;
    const changed: ChangedFile = {
      letter,
      name,
      from: from && toName(from),
      modes,
      // A change of type is listed as two: a deletion and an addition.
      sections: letter === "U" ? 0 : letter === "T" ? 2 : 1,
      isNameable: isUtf8(to) && (from === undefined || isUtf8(from)),
    };
    if (!this.#wants(changed, this.total)) return;
    this.total += 1;
    if (this.files.length >= this.#most) return;
    this.files.push(changed);
    this.#byName.set(name, changed);
  }

  #count(name: Buffer, additions: string, deletions: string): void {
    const changed = this.#byName.get(toName(name));
    if (changed === undefined) return;
    if (additions === "-") changed.isBinary = true;
    else {
      changed.additions = Number(additions);
      changed.deletions = Number(deletions);
    }
  }
}

const COLON = 58;
const NO_MODE = "000000";
const EMPTY = Buffer.alloc(0);

/** A page of a patch: the text for each file, and where it continues. */
interface PatchTexts {
  readonly texts: ReadonlyMap<string, string>;
  /** The file in which the room ended, and how many lines of its patch are before that. */
  readonly stop: { readonly name: string; readonly line: number } | undefined;
}

/** A part of a file that differs, while it is read. */
interface Hunk {
  /** How many lines of the file's patch precede it. */
  readonly line: number;
  readonly section: string;
  readonly start: readonly [before: number, after: number];
  readonly lines: string[];
  counts: [before: number, after: number];
}

/**
 * Reads the lines of a patch. It stops where the room ends: between two hunks if possible, else inside of one. Every piece that
 * it gives has the right line numbers.
 */
class PatchReader {
  readonly #texts = new Map<string, string>();
  readonly #queue: readonly ChangedFile[];
  readonly #room: PageBudget;
  readonly #skip: number;
  #at = -1;
  #sections = 0;
  #line = 0;
  #next: [before: number, after: number] = [0, 0];
  #hunk: Hunk | undefined;
  #stop: PatchTexts["stop"];

  /** `files` are those whose patches come, in order; `skip` lines of the first are left out. */
  constructor(files: readonly ChangedFile[], skip: number, room: PageBudget = new PageBudget()) {
    this.#queue = files.filter(({ sections }) => sections > 0);
    this.#skip = skip;
    this.#room = room;
  }

  /** Adds the next line. False = the page is full. */
  read(bytes: Buffer, lost: number): boolean {
    const first = String.fromCharCode(bytes[0] ?? 0);
    if (this.#hunk !== undefined && " +-\\".includes(first)) return this.#readLine(toText(bytes, lost), first);
    const text = bytes.toString("utf8");
    if (text.startsWith("diff --git ")) this.#readHead(text);
    else if (text.startsWith("@@ ")) return this.#readHunk(text);
    return true;
  }

  /** What was read. */
  end(): PatchTexts {
    this.#closeHunk();
    return { texts: this.#texts, stop: this.#stop };
  }

  #readHead(text: string): void {
    this.#closeHunk();
    if (this.#sections > 0) {
      this.#sections -= 1;
      return;
    }
    // A file without differences is skipped; a name that git quotes is the next one.
    const found = this.#queue.findIndex((each, at) => at > this.#at && text === headOf(each));
    this.#at = found === -1 ? this.#at + 1 : found;
    this.#line = 0;
    this.#sections = (this.#queue[this.#at]?.sections ?? 1) - 1;
  }

  #readHunk(text: string): boolean {
    this.#closeHunk();
    const [, before = "0", after = "0", section = ""] =
      /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/s.exec(text) ?? [];
    this.#open([Number(before), Number(after)], section.slice(0, 100));
    return true;
  }

  #open(start: [number, number], section: string): void {
    this.#next = [...start];
    this.#hunk = { line: this.#line, section, start, lines: [], counts: [0, 0] };
  }

  #readLine(text: string, first: string): boolean {
    const hunk = this.#hunk;
    if (hunk === undefined) return true;
    const step = [first === " " || first === "-" ? 1 : 0, first === " " || first === "+" ? 1 : 0] as const;
    this.#line += 1;
    this.#next = [this.#next[0] + step[0], this.#next[1] + step[1]];
    if (this.#at === 0 && this.#line <= this.#skip) {
      this.#open(this.#next, hunk.section);
      return true;
    }
    if (!this.#room.take(text)) return this.#end(hunk);
    hunk.lines.push(text);
    hunk.counts = [hunk.counts[0] + step[0], hunk.counts[1] + step[1]];
    return true;
  }

  /** A hunk that is not whole is left to the next page, unless it is all that there is on this one. */
  #end(hunk: Hunk): false {
    const isAll = this.#texts.size === 0;
    this.#stop = { name: this.#name, line: isAll ? this.#line - 1 : hunk.line };
    if (isAll) this.#closeHunk();
    this.#hunk = undefined;
    return false;
  }

  #closeHunk(): void {
    const hunk = this.#hunk;
    this.#hunk = undefined;
    if (hunk === undefined || hunk.lines.length === 0) return;
    const [before, after] = hunk.start;
    const head = `@@ -${before},${hunk.counts[0]} +${after},${hunk.counts[1]} @@${hunk.section}\n`;
    this.#texts.set(this.#name, `${this.#texts.get(this.#name) ?? ""}${head}${hunk.lines.join("\n")}\n`);
  }

  get #name(): string {
    return this.#queue[this.#at]?.name ?? "";
  }
}

const headOf = ({ name, from = name }: ChangedFile): string => `diff --git a/${from} b/${name}`;

function toText(bytes: Buffer, lost: number): string {
  const text = bytes.toString("utf8");
  return lost === 0 ? text : `${text}… (${lost} more bytes)`;
}
