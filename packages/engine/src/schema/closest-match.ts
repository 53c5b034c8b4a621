const MAX_LENGTH = 64;
const MAX_CANDIDATES = 1_000;

/** Returns the candidate that a mistyped word most likely means; undefined = none is close. */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const wanted = normalizeName(word);
  if (wanted.length === 0) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  let examined = 0;
  for (const name of candidates) {
    if (++examined > MAX_CANDIDATES) break;
    if (name.length > MAX_LENGTH) continue;
    const candidate = normalizeName(name);
    const tolerance = Math.floor(Math.max(wanted.length, candidate.length) / 3);
    const maxDistance = Math.min(tolerance, bestDistance - 1);
    if (Math.abs(wanted.length - candidate.length) > maxDistance) continue;
    const distance = editDistance(wanted, candidate);
    if (distance <= maxDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Removes case and separators from a name, so that `user_id`, `user-id` and `userId` compare equal. */
export function normalizeName(name: string): string {
  return name.replaceAll(/[-_ ]/g, "").toLowerCase();
}

/** Returns the edit distance of two words, in which swapping two adjacent letters is one edit (optimal string alignment). */
function editDistance(left: string, right: string): number {
  const width = right.length + 1;
  let [older, previous, current] = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)];
  for (let column = 0; column < width; column++) previous[column] = column;
  for (let row = 1; row <= left.length; row++) {
    current[0] = row;
    for (let column = 1; column < width; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const replaced = (previous[column - 1] as number) + (isSame ? 0 : 1);
      const removed = (previous[column] as number) + 1;
      const added = (current[column - 1] as number) + 1;
      const isSwapped = row > 1 && left[row - 2] === right[column - 1] && left[row - 1] === right[column - 2];
      const swapped = isSwapped ? (older[column - 2] as number) + 1 : Infinity;
      current[column] = Math.min(replaced, removed, added, swapped);
    }
    [older, previous, current] = [previous, current, older];
  }
  return previous[right.length] as number;
}
