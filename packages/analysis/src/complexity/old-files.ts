import type { Call } from "@toolwright/engine";
import { isWithin } from "@toolwright/kit/files";
import { NUL, type Repository, Splitter, toName } from "@toolwright/kit/git";
import { readSource } from "../project/read-source.js";

/** A file as a commit has it. */
export interface OldFile {
  /** Where it was, as a real path. */
  readonly place: string;
  readonly blob: string;
}

/** What differs between a commit and the working files. */
export interface OldFiles {
  /** Whether a working file was in the commit, under this name or another. */
  readonly isThere: (place: string) => boolean;
  /** What a working file was before it changed, by its place; those that have not changed are not in it. */
  readonly changed: ReadonlyMap<string, OldFile>;
  /** Those that are gone, from the whole repository. */
  readonly removed: readonly OldFile[];
}

const MOST_NAME_BYTES = 64 * 1024;

/** Finds what differs between a commit and the working files below a folder; renames are followed. */
export async function findOldFiles(repository: Repository, commit: string, folder: string): Promise<OldFiles> {
  const there = new Set<string>();
  const names = new Splitter(NUL, MOST_NAME_BYTES, (name) => void there.add(repository.place(toName(name))));
  const listing = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
  await repository.stream(listing, { deed: "list the files of the baseline" }, (piece) => names.add(piece));
  const changed = new Map<string, OldFile>();
  const removed: OldFile[] = [];
  const records = new RawRecords(({ letter, mode, blob, from, to }) => {
    const [place, old] = [repository.place(to), { place: repository.place(from), blob }];
    const isFile = mode.startsWith("100");
    // What was a link or a submodule had no functions.
    if (!isFile) there.delete(place);
    // What a file that is hidden held is hidden too.
    if (!isFile || !repository.access.isVisible(old.place)) return;
    if (letter === "D") removed.push(old);
    else if (letter !== "A" && isWithin(folder, place)) changed.set(place, old);
  });
  // Everywhere, for what was renamed may come from elsewhere.
  const args = ["diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--no-ext-diff", "--ignore-submodules", commit];
  const splitter = new Splitter(NUL, MOST_NAME_BYTES, (record) => records.take(record));
  await repository.stream(args, { deed: "compare with the baseline" }, (piece) => splitter.add(piece));
  return { isThere: (place) => there.has(place) || changed.has(place), changed, removed };
}

interface RawRecord {
  readonly letter: string;
  /** The mode before, and the content. */
  readonly mode: string;
  readonly blob: string;
  readonly from: string;
  readonly to: string;
}

/** Puts together the parts of `git diff --raw -z`: what happened, and one name or two. */
class RawRecords {
  readonly #take: (record: RawRecord) => void;
  #head: { readonly letter: string; readonly mode: string; readonly blob: string } | undefined;
  #from: string | undefined;

  constructor(take: (record: RawRecord) => void) {
    this.#take = take;
  }

  take(part: Buffer): void {
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
    this.#take({ ...head, from: this.#from ?? name, to: name });
    this.#head = undefined;
    this.#from = undefined;
  }
}

/** How many files are asked for at once: all of them are in memory until they are read. */
const AT_ONCE = 64;

/** Reads what files held, some at a time; undefined where it is not there or larger than allowed. */
export async function* readOldFiles<Wanted extends OldFile>(
  repository: Repository,
  files: readonly Wanted[],
  most: number,
  call: Pick<Call, "signal">,
): AsyncGenerator<readonly { readonly file: Wanted; readonly bytes: Buffer | undefined }[]> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    call.signal.throwIfAborted();
    const some = files.slice(at, at + AT_ONCE);
    const blobs = some.map(({ blob }) => blob);
    const contents = await readBlobs(repository, blobs, most);
    yield some.map((file, index) => ({ file, bytes: contents[index] }));
  }
}

async function readBlobs(
  repository: Repository,
  blobs: readonly string[],
  most: number,
): Promise<readonly (Buffer | undefined)[]> {
  const contents: (Buffer | undefined)[] = [];
  let pieces: Buffer[] = [];
  let held = 0;
  // Bytes of the content that is being passed, and whether they are kept.
  let open: { readonly size: number; readonly isKept: boolean; passed: number } | undefined;
  const input = `${blobs.join("\n")}\n`;
  await repository.stream(["cat-file", "--batch", "--buffer"], { deed: "read the baseline", input }, (piece) => {
    let rest = piece;
    while (rest.length > 0) {
      if (open === undefined) {
        const end = rest.indexOf(10);
        if (end === -1) {
          pieces.push(rest);
          break;
        }
        const head = Buffer.concat([...pieces, rest.subarray(0, end)]).toString("latin1");
        pieces = [];
        rest = rest.subarray(end + 1);
        const [, size] = / blob (\d+)$/.exec(head) ?? [];
        if (size === undefined) contents.push(undefined);
        else open = { size: Number(size), isKept: Number(size) <= most, passed: 0 };
      } else {
        // A line break follows each content.
        const part = rest.subarray(0, open.size + 1 - open.passed);
        rest = rest.subarray(part.length);
        open.passed += part.length;
        if (open.isKept) {
          pieces.push(part);
          held += part.length;
        }
        if (open.passed <= open.size) continue;
        contents.push(open.isKept ? Buffer.concat(pieces, held).subarray(0, open.size) : undefined);
        pieces = [];
        held = 0;
        open = undefined;
      }
    }
    return true;
  });
  return contents;
}

/** Each is held against each, so there is a bound to both sides: in files, and in bytes of those that are gone. */
const MOST_COMPARED = 1000;
const MOST_BYTES = 64 * 1024 * 1024;

/** How much of two files must be alike, as git has it for renames. */
const LEAST_ALIKE = 0.5;

/** A file by its lines: how often each is in it, and how many there are. */
interface Lines {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Files that are gone, those that are new, and how they are read. */
interface Moves {
  readonly repository: Repository;
  readonly call: Pick<Call, "signal">;
  readonly removed: readonly OldFile[];
  readonly added: readonly { readonly place: string }[];
  /** The largest file that is read. */
  readonly most: number;
}

/** Finds the files that were moved without git knowing, by the place to which they went: git follows only what it tracks. */
export async function findMoved(moves: Moves): Promise<ReadonlyMap<string, OldFile>> {
  const { repository, call, removed, added, most } = moves;
  const found = new Map<string, OldFile>();
  if (removed.length === 0 || added.length === 0) return found;
  const before = await readRemoved(moves);
  const pairs: { readonly place: string; readonly file: OldFile; readonly alike: number }[] = [];
  for (const { place } of added.slice(0, MOST_COMPARED)) {
    call.signal.throwIfAborted();
    const { bytes } = await readSource(repository.access, { place }, most);
    if (bytes === undefined) continue;
    const lines = linesOf(bytes);
    for (const old of before) {
      const alike = likeness(old.lines, lines);
      if (alike >= LEAST_ALIKE) pairs.push({ place, file: old.file, alike });
    }
  }
  const taken = new Set<OldFile>();
  for (const { place, file } of pairs.toSorted((one, other) => other.alike - one.alike)) {
    if (found.has(place) || taken.has(file)) continue;
    found.set(place, file);
    taken.add(file);
  }
  return found;
}

async function readRemoved({ repository, call, removed, most }: Moves) {
  const read: { readonly file: OldFile; readonly lines: Lines }[] = [];
  let held = 0;
  for await (const some of readOldFiles(repository, removed.slice(0, MOST_COMPARED), most, call)) {
    for (const { file, bytes } of some) {
      if (bytes === undefined) continue;
      held += bytes.length;
      read.push({ file, lines: linesOf(bytes) });
    }
    if (held > MOST_BYTES) break;
  }
  return read;
}

/** Which part of the longer of two files is in the other too, from 0 to 1. */
function likeness(one: Lines, other: Lines): number {
  const [short, long] = one.total < other.total ? [one, other] : [other, one];
  if (short.total === 0 || short.total < long.total * LEAST_ALIKE) return 0;
  let shared = 0;
  for (const [line, count] of short.counts) shared += Math.min(count, long.counts.get(line) ?? 0);
  return shared / long.total;
}

/** How far a line is indented says nothing, and neither do empty lines and those with brackets alone. */
function linesOf(bytes: Uint8Array): Lines {
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
