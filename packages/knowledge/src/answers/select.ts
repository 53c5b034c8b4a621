import type { Candidate } from "./score.js";

/** How many sentences an answer has, and how near the best one each of them has to be. */
const MOST = 5;
const NEAR_BEST = 0.72;
/** Two sentences that share that part of their words say the same. */
const SAME = 0.7;

/** Takes the best sentences that do not say the same; those of one passage in the order in which they stand there. */
export function selectSentences(candidates: readonly Candidate[]): readonly Candidate[] {
  const [best] = candidates;
  if (best === undefined) return [];
  const taken: Candidate[] = [];
  for (const candidate of candidates) {
    if (taken.length === MOST || candidate.score < best.score * NEAR_BEST) break;
    if (!taken.some((other) => isSame(candidate, other))) taken.push(candidate);
  }
  const order = [...new Set(taken.map(({ hit }) => hit.chunk_id))];
  return taken.sort(
    (one, other) =>
      order.indexOf(one.hit.chunk_id) - order.indexOf(other.hit.chunk_id) ||
      one.passage.first + one.start - other.passage.first - other.start,
  );
}

/** Passages overlap, so that the same sentence may stand in two of them. */
function isSame(one: Candidate, other: Candidate): boolean {
  if (one.text === other.text) return true;
  if (one.passage.revision === other.passage.revision) {
    const start = Math.max(one.passage.first + one.start, other.passage.first + other.start);
    const end = Math.min(one.passage.first + one.end, other.passage.first + other.end);
    if (start < end) return true;
  }
  let shared = 0;
  for (const term of one.terms) if (other.terms.has(term)) shared += 1;
  return (
    shared > SAME * Math.max(1, Math.min(one.terms.size, other.terms.size)) &&
    shared > SAME * Math.max(1, Math.max(one.terms.size, other.terms.size)) * 0.8
  );
}
