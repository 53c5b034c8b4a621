import { isWithin } from "@toolwright/kit/files";
import { NUL, type Repository, Splitter, toName } from "@toolwright/kit/git";
import { readBlobs } from "../history/read-blobs.js";
import type { AnalysisCall } from "../project/project.js";
import { readSource } from "../project/read-source.js";

/** A file in a commit. */
export interface OldFile {
  /** The real path that it had. */
  readonly realPath: string;
  readonly blob: string;
}

/** The differences between a commit and the working files. */
export interface OldFiles {
  /** Whether a working file was in the commit, under this name or another. */
  readonly existed: (realPath: string) => boolean;
  /** The earlier version of each working file that has changed, by its real path. */
  readonly changed: ReadonlyMap<string, OldFile>;
  /** Removed files of the whole repository. */
  readonly removed: readonly OldFile[];
}

const MAX_NAME_BYTES = 64 * 1024;

/** Compares a commit with the working files below a folder, following renames. */
export async function findOldFiles(repository: Repository, commit: string, folder: string): Promise<OldFiles> {
  const committed = new Set<string>();
  const names = new Splitter(NUL, MAX_NAME_BYTES, (name) => void committed.add(repository.place(toName(name))));
  const listing = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
  await repository.stream(listing, { operation: "list the files of the baseline" }, (piece) => names.add(piece));
  const changed = new Map<string, OldFile>();
  const removed: OldFile[] = [];
  const parser = new DiffParser(({ letter, mode, blob, from, to }) => {
    const [realPath, old] = [repository.place(to), { realPath: repository.place(from), blob }];
    const isFile = mode.startsWith("100");
    // Links and submodules have no functions.
    if (!isFile) committed.delete(realPath);
    // The earlier content of a hidden file is hidden, too.
    if (!isFile || !repository.access.isVisible(old.realPath)) return;
    if (letter === "D") removed.push(old);
    else if (letter !== "A" && isWithin(folder, realPath)) changed.set(realPath, old);
  });
  // The whole repository is compared, because a file may have been moved into the folder.
  const args = ["diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--no-ext-diff", "--ignore-submodules", commit];
  const splitter = new Splitter(NUL, MAX_NAME_BYTES, (record) => parser.read(record));
  await repository.stream(args, { operation: "compare with the baseline" }, (piece) => splitter.add(piece));
  return { existed: (realPath) => committed.has(realPath) || changed.has(realPath), changed, removed };
}

interface DiffRecord {
  readonly letter: string;
  /** The earlier mode and content. */
  readonly mode: string;
  readonly blob: string;
  readonly from: string;
  readonly to: string;
}

/** Parses `git diff --raw -z`: a header, then one name or two. */
class DiffParser {
  readonly #onRecord: (record: DiffRecord) => void;
  #head: Pick<DiffRecord, "letter" | "mode" | "blob"> | undefined;
  #from: string | undefined;

  constructor(onRecord: (record: DiffRecord) => void) {
    this.#onRecord = onRecord;
  }

  read(part: Buffer): void {
    const head = this.#head;
    if (head === undefined) {
      const [, mode = "", blob = "", letter = ""] =
        /^:(\d+) \d+ ([0-9a-f]+) [0-9a-f]+ ([A-Z])/.exec(part.toString("latin1")) ?? [];
      this.#head = { letter, mode, blob };
      return;
    }
    const name = toName(part);
    if ((head.letter === "R" || head.letter === "C") && this.#from === undefined) {
      this.#from = name;
      return;
    }
    this.#onRecord({ ...head, from: this.#from ?? name, to: name });
    this.#head = undefined;
    this.#from = undefined;
  }
}

/** How many files are read at once: all of them are in memory until they are processed. */
const BATCH = 64;

/** Reads the contents of files in batches; undefined for one that is missing or too large. */
export async function* readOldFiles<File extends OldFile>(
  repository: Repository,
  files: readonly File[],
  maxBytes: number,
  call: Pick<AnalysisCall, "signal">,
): AsyncGenerator<readonly { readonly file: File; readonly bytes: Buffer | undefined }[]> {
  for (let at = 0; at < files.length; at += BATCH) {
    call.signal.throwIfAborted();
    const batch = files.slice(at, at + BATCH);
    const contents = await readBlobs(
      repository,
      batch.map(({ blob }) => blob),
      maxBytes,
    );
    yield batch.map((file, index) => ({ file, bytes: contents[index] }));
  }
}

/** Every removed file is compared with every added one, so both sides are limited: in files, and in bytes of removed ones. */
const MAX_COMPARED = 1000;
const MAX_BYTES = 64 * 1024 * 1024;

/** How similar two files must be, as in git's rename detection. */
const MIN_SIMILARITY = 0.5;

/** The lines of a file with their counts. */
interface LineCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

interface MoveOptions {
  readonly repository: Repository;
  readonly call: Pick<AnalysisCall, "signal">;
  readonly removed: readonly OldFile[];
  readonly added: readonly { readonly realPath: string }[];
  /** The size of the largest file that is read. */
  readonly maxBytes: number;
}

/** Finds files that were moved without git, which follows only tracked files. Returns the earlier version by the new real path. */
export async function findMoved(options: MoveOptions): Promise<ReadonlyMap<string, OldFile>> {
  const { repository, call, removed, added, maxBytes } = options;
  const found = new Map<string, OldFile>();
  if (removed.length === 0 || added.length === 0) return found;
  const before = await readRemoved(options);
  const pairs: { readonly realPath: string; readonly file: OldFile; readonly similarity: number }[] = [];
  for (const { realPath } of added.slice(0, MAX_COMPARED)) {
    call.signal.throwIfAborted();
    const { bytes } = await readSource(repository.access, realPath, maxBytes);
    if (bytes === undefined) continue;
    const lines = countLines(bytes);
    for (const old of before) {
      const similarity = similarityOf(old.lines, lines);
      if (similarity >= MIN_SIMILARITY) pairs.push({ realPath, file: old.file, similarity });
    }
  }
  const taken = new Set<OldFile>();
  for (const { realPath, file } of pairs.toSorted((a, b) => b.similarity - a.similarity)) {
    if (found.has(realPath) || taken.has(file)) continue;
    found.set(realPath, file);
    taken.add(file);
  }
  return found;
}

async function readRemoved({ repository, call, removed, maxBytes }: MoveOptions) {
  const read: { readonly file: OldFile; readonly lines: LineCounts }[] = [];
  let held = 0;
  for await (const batch of readOldFiles(repository, removed.slice(0, MAX_COMPARED), maxBytes, call)) {
    for (const { file, bytes } of batch) {
      if (bytes === undefined) continue;
      held += bytes.length;
      read.push({ file, lines: countLines(bytes) });
    }
    if (held > MAX_BYTES) break;
  }
  return read;
}

/** The share of the longer file that is also in the other one, from 0 to 1. */
function similarityOf(one: LineCounts, other: LineCounts): number {
  const [short, long] = one.total < other.total ? [one, other] : [other, one];
  if (short.total === 0 || short.total < long.total * MIN_SIMILARITY) return 0;
  let shared = 0;
  for (const [line, count] of short.counts) shared += Math.min(count, long.counts.get(line) ?? 0);
  return shared / long.total;
}

/** Ignores indentation, empty lines and lines with brackets only. */
function countLines(bytes: Uint8Array): LineCounts {
  const counts = new Map<string, number>();
  let total = 0;
  for (const each of Buffer.from(bytes).toString("utf8").split("\n")) {
    const line = each.trim();
    if (!/[\p{L}\p{N}]/u.test(line)) continue;
    total += 1;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return { counts, total };
}
