import type { Call } from "@toolwright/engine";
import type { Repository } from "@toolwright/kit/git";
import { readSource } from "../project/read-source.js";
import { type OldFile, readOldFiles } from "./old-files.js";

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
    const { bytes } = await readSource(repository.reach, { place }, most);
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
