/** Several stems that belong together, such as the keyword "signed payload". */
export interface Phrase {
  readonly stems: readonly string[];
  /** How many other words may stand between them. */
  readonly slack: number;
}

/** Where each stem stands in a text. */
export type Places = ReadonlyMap<string, readonly number[]>;

/** A word that stands in so many places tells no more by the next one, and each costs time. */
const MOST_PLACES = 50;

/** Notes where each stem of a text stands. */
export function placesOf(stems: readonly string[]): Places {
  const places = new Map<string, number[]>();
  for (const [place, stem] of stems.entries()) {
    const known = places.get(stem);
    if (known === undefined) places.set(stem, [place]);
    else if (known.length < MOST_PLACES) known.push(place);
  }
  return places;
}

/** How well a text has a phrase: 1 in its order, less in another order, 0 where it is not there in one place. */
export function fitOf({ stems, slack }: Phrase, places: Places): number {
  const [first = "", ...rest] = stems;
  const starts = places.get(first);
  if (starts === undefined) return 0;
  if (rest.length === 0) return 1;
  let best = 0;
  for (const start of starts) {
    if (isInOrder(rest, start, slack, places)) return 1;
    if (best === 0 && isNear(rest, start, stems.length - 1 + slack, places)) best = TURNED;
  }
  return best;
}

const TURNED = 0.7;

function isInOrder(rest: readonly string[], start: number, slack: number, places: Places): boolean {
  let last = start;
  let left = slack;
  for (const stem of rest) {
    const from = last;
    const next = places.get(stem)?.find((place) => place > from);
    if (next === undefined || next - last - 1 > left) return false;
    left -= next - last - 1;
    last = next;
  }
  return true;
}

const isNear = (rest: readonly string[], start: number, reach: number, places: Places): boolean =>
  rest.every((stem) => places.get(stem)?.some((place) => place !== start && Math.abs(place - start) <= reach));
