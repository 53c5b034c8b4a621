import type { Churn } from "./churn.js";
import type { ChurnCounter } from "./churn-counter.js";
import type { FileRecord } from "./rename-tracker.js";

/** Fewer shared commits may be a coincidence, and a file with a lower degree does not depend on the other one. */
const MIN = { together: 3, degree: 50 } as const;

const MAX_PAIRS = 500;

/** The pairs of files that change together, most shared commits first. */
export function couplingOf(
  { shared, renames }: ChurnCounter,
  files: readonly FileRecord[],
  pathOf: (name: string) => string,
): Churn["coupling"] {
  let best: Pair[] = [];
  for (const pair of shared.pairs(renames.positionsIn(files), files.length)) {
    best.push(pair);
    if (best.length > 4 * MAX_PAIRS) best = best.sort(byShare).slice(0, MAX_PAIRS);
  }
  return best
    .sort(byShare)
    .slice(0, MAX_PAIRS)
    .map(({ first, second, together, degree }) => ({
      files: [pathOf(files[first]?.name ?? ""), pathOf(files[second]?.name ?? "")],
      together,
      degree,
    }));
}

const byShare = (a: Pair, b: Pair): number =>
  b.together - a.together || b.degree - a.degree || a.first - b.first || a.second - b.second;

/** A commit that changes more files says nothing about any two of them. */
const MAX_FILES = 30;

/** The memory limit: of a longer history only the newer part is used. */
const MAX_ENTRIES = 8_000_000;

/** An author and the number of their commits. */
export interface Author {
  readonly name: string;
  commits: number;
}

/** Two files that change together, by their positions in a list. */
interface Pair {
  readonly first: number;
  readonly second: number;
  readonly together: number;
  readonly degree: number;
}

/** The files of each commit, in a compact form. */
export class SharedCommits {
  #entries = new Uint32Array(1024);
  #length = 0;
  readonly #ends: number[] = [];
  readonly #authors: Author[] = [];

  add(files: readonly FileRecord[], by: Author): void {
    const needed = this.#length + files.length;
    if (needed > MAX_ENTRIES) return;
    if (needed > this.#entries.length) {
      const grown = new Uint32Array(Math.max(needed, this.#entries.length * 2));
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
   * Replaces each record by its file, once all commits are read. Two names of one file count once in a commit that changes both;
   * `onRepeat` is called for it.
   */
  resolveRenames(fileOf: (index: number) => FileRecord, onRepeat: (file: FileRecord, by: Author) => void): void {
    const seen = new Map<number, number>();
    let [from, to] = [0, 0];
    for (const [commit, end] of this.#ends.entries()) {
      for (; from < end; from += 1) {
        const file = fileOf(this.#entries[from] ?? 0);
        if (seen.get(file.index) === commit) onRepeat(file, this.#authors[commit] as Author);
        else this.#entries[to++] = file.index;
        seen.set(file.index, commit);
      }
      this.#ends[commit] = to;
    }
    this.#length = to;
  }

  /**
   * The pairs that share enough commits, by the positions of the `count` files. The result is exact, yet the memory depends only on the
   * number of files: they are processed one after another, and files with too few commits are skipped.
   */
  *pairs(positions: Int32Array, count: number): Generator<Pair> {
    const commits = this.#commitsOf(positions, count);
    const totals = commits.map((list) => list.length);
    const together = new Uint32Array(count);
    for (let first = 0; first < count; first += 1) {
      const own = commits[first] ?? [];
      if (own.length < MIN.together) continue;
      const met: number[] = [];
      for (const commit of own)
        for (let at = this.#ends[commit - 1] ?? 0; at < (this.#ends[commit] ?? 0); at += 1) {
          const second = positions[this.#entries[at] ?? 0] ?? -1;
          if (second <= first || (totals[second] ?? 0) < MIN.together) continue;
          if (together[second] === 0) met.push(second);
          together[second] = (together[second] ?? 0) + 1;
        }
      for (const second of met) {
        const shared = together[second] ?? 0;
        together[second] = 0;
        const degree = Math.round((100 * shared) / Math.min(own.length, totals[second] ?? shared));
        if (shared >= MIN.together && degree >= MIN.degree) yield { first, second, together: shared, degree };
      }
    }
  }

  #commitsOf(positions: Int32Array, count: number): readonly number[][] {
    const commits = Array.from({ length: count }, (): number[] => []);
    let start = 0;
    for (const [commit, end] of this.#ends.entries()) {
      if (end - start <= MAX_FILES)
        for (let at = start; at < end; at += 1) commits[positions[this.#entries[at] ?? 0] ?? -1]?.push(commit);
      start = end;
    }
    return commits;
  }
}
