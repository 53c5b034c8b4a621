const MAX_LENGTH = 64;
const MAX_KNOWN = 1_000;

/** Finds the known name that a mistyped word most likely stands for; nothing where none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = fold(word);
  if (word.length > MAX_LENGTH || wanted.length === 0) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  let looked = 0;
  for (const name of known) {
    if (++looked > MAX_KNOWN) break;
    if (name.length > MAX_LENGTH) continue;
    const candidate = fold(name);
    const allowed = Math.floor(Math.max(wanted.length, candidate.length) / 3);
    const most = Math.min(allowed, bestDistance - 1);
    if (Math.abs(wanted.length - candidate.length) > most) continue;
    const distance = distanceOf(wanted, candidate, most);
    if (distance <= most) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Writes a name without regard to case and to camel, snake or kebab spelling, so that `user_id` and `userId` compare equal. */
export function fold(name: string): string {
  return name.replaceAll(/[-_ ]/g, "").toLowerCase();
}

/** Counts the letters to add, drop, change or swap to get from one word to the other (optimal string alignment); no further than `most`. */
function distanceOf(left: string, right: string, most: number): number {
  let leastBefore = 0;
  let [older, previous]: number[][] = [[], Array.from({ length: right.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous?.[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous?.[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, (older?.[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    const least = Math.min(...current);
    // A swap reaches back over two rows; where both are too far off, so is all that follows.
    if (least > most && leastBefore > most) return Infinity;
    leastBefore = least;
    [older, previous] = [previous, current];
  }
  return previous?.[right.length] ?? 0;
}
