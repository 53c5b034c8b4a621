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

/** Counts the letters to add, drop, change or swap to get from word to word (optimal string alignment), up to `most`. */
function distanceOf(left: string, right: string, most: number): number {
  const width = right.length + 1;
  let [older, previous, current] = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)];
  for (let column = 0; column < width; column++) previous[column] = column;
  let leastBefore = 0;
  for (let row = 1; row <= left.length; row++) {
    const letter = left.charCodeAt(row - 1);
    const before = row > 1 ? left.charCodeAt(row - 2) : -1;
    let cost = row;
    let least = row;
    current[0] = row;
    for (let column = 1; column < width; column++) {
      const other = right.charCodeAt(column - 1);
      const changed = (previous[column - 1] as number) + (letter === other ? 0 : 1);
      cost = Math.min((previous[column] as number) + 1, cost + 1, changed);
      if (before === other && column > 1 && letter === right.charCodeAt(column - 2))
        cost = Math.min(cost, (older[column - 2] as number) + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    // A swap reaches back over two rows; where both are too far off, so is all that follows.
    if (least > most && leastBefore > most) return Infinity;
    leastBefore = least;
    [older, previous, current] = [previous, current, older];
  }
  return previous[right.length] as number;
}
