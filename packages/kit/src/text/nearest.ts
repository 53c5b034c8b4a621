/** The comparison takes quadratic time, and longer names are not mistyped. */
const MAX_LENGTH = 64;

/** Finds the known name that is most similar to a mistyped one; undefined if none is similar. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const wanted = fold(word);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    if (name.length > MAX_LENGTH) continue;
    const candidate = fold(name);
    const distance = distanceOf(wanted, candidate);
    if (distance <= Math.max(wanted.length, candidate.length) / 3 && distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** Without regard to case and to camel, snake or kebab spelling. */
const fold = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase();

/** Counts the letters to add, drop, change or swap to get from word to word. */
function distanceOf(left: string, right: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(older, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [older, previous] = [previous, current];
  }
  return at(previous, right.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
