/** How many words a table holds before it is full, and how many places it has for them. */
const MOST_WORDS = 50_000;
const PLACES = 1 << 17;
const LAST_PLACE = 2 * PLACES - 2;

/**
 * What is known of words that stand in a text. A word is looked up where it stands, by a hash that was made while it was read:
 * cutting it out of the text first would cost more than all the rest.
 */
export class WordTable<Value extends { readonly word: string }> {
  /** Of each place: the number of its value, from 1, and the hash of its word, side by side, as both are wanted at once. */
  readonly #places = new Int32Array(2 * PLACES);
  readonly #values: Value[] = [];

  get isFull(): boolean {
    return this.#values.length >= MOST_WORDS;
  }

  find(text: string, start: number, end: number, hash: number): Value | undefined {
    for (let place = firstPlace(hash); ; place = (place + 2) & LAST_PLACE) {
      const number = this.#places[place] as number;
      if (number === 0) return undefined;
      if (this.#places[place + 1] !== hash) continue;
      const value = this.#values[number - 1] as Value;
      if (isAt(value.word, text, start, end)) return value;
    }
  }

  /** Adds a word that is not there yet. The table must not be full. */
  add(hash: number, value: Value): void {
    let place = firstPlace(hash);
    while (this.#places[place] !== 0) place = (place + 2) & LAST_PLACE;
    this.#places[place] = this.#values.push(value);
    this.#places[place + 1] = hash;
  }
}

const firstPlace = (hash: number): number => ((hash ^ (hash >>> 15)) * 2) & LAST_PLACE;

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

/** The hash of a word with one more character. */
export const hashWith = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;
