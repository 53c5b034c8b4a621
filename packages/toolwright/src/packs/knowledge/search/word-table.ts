/** How many words a table holds before it is full, and how many places it has for them. */
const MOST_WORDS = 50_000;
const PLACES = 1 << 17;

/**
 * Values by words that stand in a text. A word is looked up where it stands, by a hash that was made while it was read: cutting
 * it out of the text first would cost more than all the rest.
 */
export class WordTable<Value> {
  readonly #places = new Int32Array(PLACES);
  readonly #hashes: number[] = [];
  readonly #words: string[] = [];
  readonly #values: Value[] = [];

  get isFull(): boolean {
    return this.#words.length >= MOST_WORDS;
  }

  find(text: string, start: number, end: number, hash: number): Value | undefined {
    const number = this.#places[this.#placeOf(text, start, end, hash)] as number;
    return number === 0 ? undefined : this.#values[number - 1];
  }

  /** Adds a word that is not there yet. The table must not be full. */
  add(word: string, hash: number, value: Value): void {
    const place = this.#placeOf(word, 0, word.length, hash);
    this.#places[place] = this.#words.push(word);
    this.#hashes.push(hash);
    this.#values.push(value);
  }

  /** Where the word is, or would be. */
  #placeOf(text: string, start: number, end: number, hash: number): number {
    let place = (hash ^ (hash >>> 15)) & (PLACES - 1);
    for (;;) {
      const number = this.#places[place] as number;
      if (number === 0) return place;
      if (this.#hashes[number - 1] === hash && isAt(this.#words[number - 1] as string, text, start, end)) return place;
      place = (place + 1) & (PLACES - 1);
    }
  }
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

/** The hash of a word with one more character. */
export const hashWith = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;
