import { contributionOf, firstFrom, type WeightedTerm } from "./bm25.js";
import type { IndexRows, Part } from "./index-rows.js";

/** How many passages before and after one are looked at, and how much a word counts that is there and not here. */
const REACH = 3;
const SHARE = 0.3;

/**
 * Adds to the scores of certain rows, which are in order, what their neighbours in the document give: a text names its matter once
 * and goes on about it. Of each term the best of the neighbours counts for what it has more than the row itself.
 */
export function addContext(
  index: IndexRows,
  terms: readonly WeightedTerm[],
  scores: Float64Array,
  asked: Uint32Array,
): void {
  for (const [at, part] of index.parts.entries()) {
    const { columns, offset } = part;
    const some = asked.subarray(firstFrom(asked, offset, 0), firstFrom(asked, offset + columns.rows, 0));
    const starts = Uint32Array.from(some, (row) => edge(part, row - offset, -1));
    const ends = Uint32Array.from(some, (row) => edge(part, row - offset, 1));
    for (const term of terms) {
      const rows = term.postings[at]?.rows;
      if (rows === undefined) continue;
      for (let next = 0, place = 0; next < some.length && place < rows.length; next += 1) {
        const row = some[next] as number;
        place = firstFrom(rows, starts[next] as number, place);
        const given = liftFrom(index, at, term, row - offset, place, ends[next] as number);
        scores[row] = (scores[row] as number) + given;
      }
    }
  }
}

/** What the neighbours of a row give to it by one term. */
export function liftOf(index: IndexRows, at: number, term: WeightedTerm, row: number): number {
  const part = index.parts[at] as Part;
  const rows = term.postings[at]?.rows;
  if (rows === undefined) return 0;
  return liftFrom(index, at, term, row, firstFrom(rows, edge(part, row, -1), 0), edge(part, row, 1));
}

/** The last row in one direction that is near enough, and of the same document: its rows lie side by side. */
function edge({ columns: { revision, rows } }: Part, row: number, step: -1 | 1): number {
  let last = row;
  for (let far = 1; far <= REACH; far += 1) {
    const next = row + far * step;
    if (next < 0 || next >= rows || revision[next] !== revision[row]) break;
    last = next;
  }
  return last;
}

function liftFrom(index: IndexRows, at: number, term: WeightedTerm, row: number, from: number, last: number): number {
  const postings = term.postings[at];
  if (postings === undefined) return 0;
  const { length } = (index.parts[at] as Part).columns;
  const { rows, frequencies } = postings;
  let [own, best] = [0, 0];
  for (let place = from; place < rows.length && (rows[place] as number) <= last; place += 1) {
    const near = rows[place] as number;
    const given = contributionOf(term, frequencies[place] as number, length[near] as number, index.averageLength);
    if (near === row) own = given;
    best = Math.max(best, given);
  }
  return SHARE * (best - own);
}
