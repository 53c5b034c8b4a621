/** Two terms that are neighbours in the query, and what it is worth that they stand near each other. */
interface Pair {
  readonly terms: readonly [string, string];
  readonly worth: number;
}

/** The neighbours in a query, by each of their terms. */
export interface Neighbours {
  readonly pairs: ReadonlyMap<string, readonly Pair[]>;
  /** What all of them are worth together. */
  readonly worth: number;
}

/** How many characters may stand between two words that are near each other: a few short words. */
const REACH = 25;

/** Pairs the terms of a query, which are in order, as far as they are worth something. */
export function neighboursOf(order: Iterable<string>, worthOf: ReadonlyMap<string, number>): Neighbours {
  const pairs = new Map<string, Pair[]>();
  let [last, all]: [string | undefined, number] = [undefined, 0];
  for (const term of order) {
    const worth = Math.min(worthOf.get(term) ?? 0, (last === undefined ? undefined : worthOf.get(last)) ?? 0);
    if (last !== undefined && worth > 0) {
      const pair: Pair = { terms: [last, term], worth };
      for (const one of pair.terms) pairs.set(one, [...(pairs.get(one) ?? []), pair]);
      all += worth;
    }
    last = term;
  }
  return { pairs, worth: all };
}

/** Goes through the terms of a text, and says how much of the neighbours in a query stand near each other in it. */
export class Together {
  readonly #neighbours: Neighbours;
  readonly #ends = new Map<string, number>();
  readonly #met = new Set<Pair>();

  constructor(neighbours: Neighbours) {
    this.#neighbours = neighbours;
  }

  /** Takes the next term, in the order of the text. */
  meet(term: string, start: number, end: number): void {
    for (const pair of this.#neighbours.pairs.get(term) ?? []) {
      const before = this.#ends.get(pair.terms[0] === term ? pair.terms[1] : pair.terms[0]);
      if (before !== undefined && start - before <= REACH) this.#met.add(pair);
    }
    this.#ends.set(term, end);
  }

  /** From 0 to 1. */
  get share(): number {
    let sum = 0;
    for (const { worth } of this.#met) sum += worth;
    return sum / (this.#neighbours.worth || 1);
  }
}
