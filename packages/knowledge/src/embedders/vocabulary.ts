/** The text is no token. */
export const NO_TOKEN = -1;

/** Of a place in the table the lower bits are the token's number plus one, the upper ones a part of its hash. */
const NUMBER_BITS = 20;
const NUMBER_MASK = 2 ** NUMBER_BITS - 1;

/** What a hash starts with, and takes in a unit with. */
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

const LINE_END = 10;

/** Which texts are tokens. A hash table over all of them in a row: a `Map` would take ten times as long to make. */
export class Vocabulary {
  readonly size: number;
  /** The units of the longest token. */
  readonly longest: number;
  /** The hash of nothing yet, for the start of a word, and for what goes on in one. */
  readonly seed: number = SEED;
  readonly continuing: number;
  readonly #prefix: string;
  readonly #units: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #table: Uint32Array;

  /** `tokens` has one a line, the number of which is its own; those that go on in a word start with `prefix`. */
  constructor(tokens: string, prefix: string) {
    this.#prefix = prefix;
    this.#units = new Uint16Array(tokens.length + 1);
    this.#starts = new Uint32Array(tokens.length + 2);
    // A token takes a unit and a line's end at least, so that a place is always free.
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(tokens.length / 2 + 2)));
    let size = 0;
    let longest = 0;
    let hash = SEED;
    // One pass, because it is made whenever a program first needs it.
    for (let index = 0; index <= tokens.length; index++) {
      const unit = index < tokens.length ? tokens.charCodeAt(index) : LINE_END;
      this.#units[index] = unit;
      if (unit !== LINE_END) {
        hash = hashOn(hash, unit);
        continue;
      }
      const length = index - (this.#starts[size] as number);
      if (length > 0) this.#place(size, hash);
      if (length > longest) longest = length;
      hash = SEED;
      this.#starts[++size] = index + 1;
    }
    if (size >= NUMBER_MASK) throw new RangeError(`Cannot use a vocabulary of ${size} tokens`);
    this.size = size;
    this.longest = longest;
    let continuing = SEED;
    for (let index = 0; index < prefix.length; index++) continuing = hashOn(continuing, prefix.charCodeAt(index));
    this.continuing = continuing;
  }

  /** The number of the token that these units are; `hash` is theirs. What goes on in a word is looked for behind the prefix. */
  find(units: Uint16Array, start: number, end: number, hash: number, isContinued: boolean): number {
    const mixed = mix(hash);
    const mask = this.#table.length - 1;
    for (let slot = mixed & mask; ; slot = (slot + 1) & mask) {
      const held = this.#table[slot] as number;
      if (held === 0) return NO_TOKEN;
      if (held >>> NUMBER_BITS !== mixed >>> NUMBER_BITS) continue;
      const token = (held & NUMBER_MASK) - 1;
      if (this.#is(token, units, start, end, isContinued ? this.#prefix : "")) return token;
    }
  }

  /** The number of a token by its name, such as `[CLS]`. */
  numberOf(name: string): number {
    const units = Uint16Array.from(name, (character) => character.charCodeAt(0));
    let hash = SEED;
    for (const unit of units) hash = hashOn(hash, unit);
    return this.find(units, 0, units.length, hash, false);
  }

  #is(token: number, units: Uint16Array, start: number, end: number, prefix: string): boolean {
    const first = this.#starts[token] as number;
    const length = (this.#starts[token + 1] as number) - first - 1;
    if (length !== end - start + prefix.length) return false;
    for (let index = 0; index < prefix.length; index++)
      if (this.#units[first + index] !== prefix.charCodeAt(index)) return false;
    const rest = first + prefix.length;
    for (let index = 0; index < end - start; index++)
      if (this.#units[rest + index] !== units[start + index]) return false;
    return true;
  }

  #place(token: number, hash: number): void {
    const mixed = mix(hash);
    const mask = this.#table.length - 1;
    let slot = mixed & mask;
    while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
    this.#table[slot] = ((mixed >>> NUMBER_BITS) << NUMBER_BITS) | (token + 1);
  }
}

/** The hash of some units and one more. */
export const hashOn = (hash: number, unit: number): number => Math.imul(hash ^ unit, PRIME);

function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return once ^ (once >>> 13);
}
