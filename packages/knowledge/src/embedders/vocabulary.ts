/** The result of a lookup without a match. */
export const NO_TOKEN = -1;

/** A table slot has the token ID plus one in its lower bits, and a part of the hash in its upper bits. */
const NUMBER_BITS = 20;
const NUMBER_MASK = 2 ** NUMBER_BITS - 1;

/** The parameters of the FNV-1a hash. */
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

const LINE_END = 10;

/** The tokens of a model in an open-addressing hash table. Building a `Map` would take ten times as long. */
export class Vocabulary {
  readonly size: number;
  /** The length of the longest token in UTF-16 code units. */
  readonly longest: number;
  /** The initial hash for the start of a word, and for its continuation. */
  readonly seed: number = SEED;
  readonly continuing: number;
  readonly #prefix: string;
  readonly #units: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #table: Uint32Array;

  /** `tokens` has one token per line, in the order of their IDs. Tokens that continue a word start with `prefix`. */
  constructor(tokens: string, prefix: string) {
    this.#prefix = prefix;
    this.#units = new Uint16Array(tokens.length + 1);
    this.#starts = new Uint32Array(tokens.length + 2);
    // A token needs at least one unit and a line break, so the table always has free slots.
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(tokens.length / 2 + 2)));
    let size = 0;
    let longest = 0;
    let hash = SEED;
    // One pass, because this runs at startup.
    for (let index = 0; index <= tokens.length; index++) {
      const unit = index < tokens.length ? tokens.charCodeAt(index) : LINE_END;
      this.#units[index] = unit;
      if (unit !== LINE_END) {
        hash = hashOn(hash, unit);
        continue;
      }
      const length = index - (this.#starts[size] as number);
      if (length > 0) this.#insert(size, hash);
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

  /** Returns the ID of the token with these units and their hash. A continuation is matched after the prefix. */
  find(units: Uint16Array, start: number, end: number, hash: number, isContinued: boolean): number {
    const mixed = mix(hash);
    const mask = this.#table.length - 1;
    for (let slot = mixed & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#table[slot] as number;
      if (entry === 0) return NO_TOKEN;
      if (entry >>> NUMBER_BITS !== mixed >>> NUMBER_BITS) continue;
      const token = (entry & NUMBER_MASK) - 1;
      if (this.#is(token, units, start, end, isContinued ? this.#prefix : "")) return token;
    }
  }

  /** Returns the ID of a token by its text, such as `[CLS]`. */
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

  #insert(token: number, hash: number): void {
    const mixed = mix(hash);
    const mask = this.#table.length - 1;
    let slot = mixed & mask;
    while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
    this.#table[slot] = ((mixed >>> NUMBER_BITS) << NUMBER_BITS) | (token + 1);
  }
}

/** Extends a hash by one unit. */
export const hashOn = (hash: number, unit: number): number => Math.imul(hash ^ unit, PRIME);

function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return once ^ (once >>> 13);
}
