import type { Churn } from "./churn.js";
import type { FileRecord } from "./lineage.js";
import type { Tally } from "./tally.js";

/** Fewer shared commits may be chance; below half of its commits a file does not follow the other. */
const LEAST = { least: 3, degree: 50 } as const;

/** How many pairs are kept. */
const MOST_PAIRS = 500;

/** Files that change together: most shared commits first. */
export function couplingOf(
  { shared, lineage }: Tally,
  there: readonly FileRecord[],
  pathOf: (name: string) => string,
): Churn["coupling"] {
  const places = lineage.placesIn(there);
  let best: Pair[] = [];
  for (const pair of shared.pairs(places, there.length, LEAST)) {
    best.push(pair);
    if (best.length > 4 * MOST_PAIRS) best = best.sort(byShare).slice(0, MOST_PAIRS);
  }
  return best
    .sort(byShare)
    .slice(0, MOST_PAIRS)
    .map(({ first, second, together, degree }) => ({
      files: [pathOf(there[first]?.name ?? ""), pathOf(there[second]?.name ?? "")],
      together,
      degree,
    }));
}

const byShare = (one: Pair, other: Pair): number =>
  other.together - one.together || other.degree - one.degree || one.first - other.first || one.second - other.second;

/** A commit that changes more files says nothing of two of them. */
const MOST_FILES = 30;

/** How many files of commits are kept; of a longer history only the newer part tells what changes together. */
const MOST_ENTRIES = 8_000_000;

/** Who made commits, and how many. */
export interface Author {
  readonly name: string;
  commits: number;
}

/** Two files, by their places in a list, that change together. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly together: number;
  readonly degree: number;
}

/** Remembers which files each commit changes, in few bytes. */
export class SharedCommits {
  #entries = new Uint32Array(1024);
  #length = 0;
  readonly #ends: number[] = [];
  readonly #authors: Author[] = [];

  add(files: readonly FileRecord[], by: Author): void {
    const wanted = this.#length + files.length;
    if (wanted > MOST_ENTRIES) return;
    if (wanted > this.#entries.length) {
      const grown = new Uint32Array(Math.max(wanted, this.#entries.length * 2));
      grown.set(this.#entries);
      this.#entries = grown;
    }
    this.#authors.push(by);
    for (const { index } of files) {
      this.#entries[this.#length] = index;
      this.#length += 1;
    }
    this.#ends.push(this.#length);
  }

  /**
   * Knows files by what they turned out to be once all is read: two names of one file are one file in a commit that changes both, and
   * `repeat` is told of it.
   */
  settle(fileOf: (index: number) => FileRecord, repeat: (file: FileRecord, by: Author) => void): void {
    const seen = new Map<number, number>();
    let [from, to] = [0, 0];
    for (const [commit, end] of this.#ends.entries()) {
      for (; from < end; from += 1) {
        const file = fileOf(this.#entries[from] ?? 0);
        if (seen.get(file.index) === commit) repeat(file, this.#authors[commit] as Author);
        else this.#entries[to++] = file.index;
        seen.set(file.index, commit);
      }
      this.#ends[commit] = to;
    }
    this.#length = to;
  }

  /**
   * Pairs that share at least `least` commits. `places` has the place of each file by its index, or -1. Exact, yet it needs memory
   * only for the files: they are taken one after another, and one with fewer commits cannot be in a pair.
   */
  *pairs(places: Int32Array, count: number, { least, degree }: { least: number; degree: number }): Generator<Pair> {
    const commits = this.#commitsOf(places, count);
    const totals = commits.map((list) => list.length);
    const together = new Uint32Array(count);
    for (let first = 0; first < count; first += 1) {
      const mine = commits[first] ?? [];
      if (mine.length < least) continue;
      const met: number[] = [];
      for (const commit of mine)
        for (let at = this.#ends[commit - 1] ?? 0; at < (this.#ends[commit] ?? 0); at += 1) {
          const second = places[this.#entries[at] ?? 0] ?? -1;
          if (second <= first || (totals[second] ?? 0) < least) continue;
          if (together[second] === 0) met.push(second);
          together[second] = (together[second] ?? 0) + 1;
        }
      for (const second of met) {
        const shared = together[second] ?? 0;
        together[second] = 0;
        const share = Math.round((100 * shared) / Math.min(mine.length, totals[second] ?? shared));
        if (shared >= least && share >= degree) yield { first, second, together: shared, degree: share };
      }
    }
  }

  #commitsOf(places: Int32Array, count: number): readonly number[][] {
    const commits = Array.from({ length: count }, (): number[] => []);
    let start = 0;
    for (const [commit, end] of this.#ends.entries()) {
      if (end - start <= MOST_FILES)
        for (let at = start; at < end; at += 1) commits[places[this.#entries[at] ?? 0] ?? -1]?.push(commit);
      start = end;
    }
    return commits;
  }
}
