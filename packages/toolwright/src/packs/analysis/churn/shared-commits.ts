import type { FileRecord } from "./lineage.js";

/** A commit that changes more files says nothing of two of them. */
const MOST_FILES = 30;

/** How many files of commits are kept; of a longer history only the newer part tells what changes together. */
const MOST_ENTRIES = 8_000_000;

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

  add(files: readonly FileRecord[]): void {
    if (files.length > MOST_FILES || this.#length + files.length > MOST_ENTRIES) return;
    if (this.#length + files.length > this.#entries.length) {
      const grown = new Uint32Array(this.#entries.length * 2);
      grown.set(this.#entries);
      this.#entries = grown;
    }
    for (const { index } of files) {
      this.#entries[this.#length] = index;
      this.#length += 1;
    }
    this.#ends.push(this.#length);
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
    for (let commit = 0, at = 0; commit < this.#ends.length; commit += 1)
      for (; at < (this.#ends[commit] ?? 0); at += 1) {
        const list = commits[places[this.#entries[at] ?? 0] ?? -1];
        // Two names of one file may be in one commit.
        if (list !== undefined && list.at(-1) !== commit) list.push(commit);
      }
    return commits;
  }
}
