import { hashOn, NO_TOKEN, type Vocabulary } from "./vocabulary.js";

/** The maximum length of a word in characters. Longer words become the unknown token. */
const MAX_WORD_LENGTH = 100;

/** The classes of characters: part of a word, white space, a token of its own, or removed. */
const PART = 1;
const BREAK = 2;
const ALONE = 3;
const DROPPED = 4;

const ASCII = /^[\0-\x7f]*$/;
const PUNCTUATION = /^[\p{P}$+<=>^`|~]$/u;

/** Splits texts into tokens like BERT. Names of special tokens in a text, such as `[CLS]`, are plain text. */
export class WordPieces {
  readonly vocabulary: Vocabulary;
  readonly #form: PlainForm;
  readonly #unknown: number;
  /** The class of each UTF-16 code unit; 0 = not determined yet. */
  readonly #roles: Uint8Array;
  readonly #word = new Uint16Array(2 * MAX_WORD_LENGTH);
  /** The hashes of the prefixes of the current word. */
  readonly #hashes = new Int32Array(2 * MAX_WORD_LENGTH + 1);
  #tokens = new Int32Array(1024);
  #count = 0;

  constructor(vocabulary: Vocabulary, form: PlainForm, unknown: string) {
    this.vocabulary = vocabulary;
    this.#form = form;
    this.#unknown = vocabulary.numberOf(unknown);
    this.#roles = new Uint8Array(2 ** 16);
    for (let code = 0; code < 128; code++) this.#roles[code] = asciiRole(code);
  }

  /** Returns the token IDs of a text. The next call overwrites them. */
  read(text: string): Int32Array {
    this.#count = 0;
    const isAscii = ASCII.test(text);
    const plain = isAscii ? text : toPlainForm(text, this.#form);
    const lowers = isAscii && this.#form.isLowerCase;
    let length = 0;
    let characters = 0;
    for (let index = 0; index < plain.length; index++) {
      let unit = plain.charCodeAt(index);
      const role = this.#roleOf(unit, plain, index);
      if (role === PART) {
        if (lowers && unit >= 65 && unit <= 90) unit += 32;
        // The second half of a surrogate pair does not count as a character.
        if ((unit & 0xfc00) !== 0xdc00) characters++;
        if (characters <= MAX_WORD_LENGTH) this.#word[length++] = unit;
        continue;
      }
      if (role === DROPPED) continue;
      if (characters > 0) this.#cut(length, characters);
      length = 0;
      characters = 0;
      if (role === BREAK) continue;
      this.#word[0] = unit;
      const isPair = (unit & 0xfc00) === 0xd800;
      if (isPair) this.#word[1] = plain.charCodeAt(++index);
      this.#cut(isPair ? 2 : 1, 1);
    }
    if (characters > 0) this.#cut(length, characters);
    return this.#tokens.subarray(0, this.#count);
  }

  #roleOf(unit: number, text: string, index: number): number {
    if ((unit & 0xfc00) === 0xd800)
      return PUNCTUATION.test(String.fromCodePoint(text.codePointAt(index) ?? 0)) ? ALONE : PART;
    const known = this.#roles[unit] as number;
    if (known !== 0) return known;
    const role = PUNCTUATION.test(String.fromCharCode(unit)) ? ALONE : PART;
    this.#roles[unit] = role;
    return role;
  }

  /** Adds the tokens of the current word: repeatedly the longest token that matches. */
  #cut(length: number, characters: number): void {
    const before = this.#count;
    if (before + length > this.#tokens.length) this.#grow(before + length);
    if (characters > MAX_WORD_LENGTH) return this.#add(this.#unknown);
    for (let start = 0; start < length; ) {
      const end = this.#longest(start, length);
      if (end === start) {
        this.#count = before;
        return this.#add(this.#unknown);
      }
      start = end;
    }
  }

  /** Adds the longest token that starts at an offset of the word. Returns its end. */
  #longest(start: number, length: number): number {
    const { vocabulary } = this;
    const isContinued = start > 0;
    const last = Math.min(length, start + vocabulary.longest);
    let hash = isContinued ? vocabulary.continuing : vocabulary.seed;
    for (let index = start; index < last; index++) {
      hash = hashOn(hash, this.#word[index] as number);
      this.#hashes[index + 1] = hash;
    }
    for (let end = last; end > start; end--) {
      const token = vocabulary.find(this.#word, start, end, this.#hashes[end] as number, isContinued);
      if (token === NO_TOKEN) continue;
      this.#add(token);
      return end;
    }
    return start;
  }

  #add(token: number): void {
    this.#tokens[this.#count++] = token;
  }

  #grow(minimum: number): void {
    const larger = new Int32Array(2 * minimum);
    larger.set(this.#tokens);
    this.#tokens = larger;
  }
}

/** Returns the class of an ASCII character. ASCII texts are not normalised first. */
function asciiRole(code: number): number {
  if (code === 32 || (code >= 9 && code <= 13)) return code === 11 || code === 12 ? DROPPED : BREAK;
  if (code < 32 || code === 127) return DROPPED;
  return PUNCTUATION.test(String.fromCharCode(code)) ? ALONE : PART;
}

/** The options of BERT's normaliser in `tokenizer.json`. */
export interface PlainForm {
  readonly isLowerCase: boolean;
  readonly hasNoAccents: boolean;
}

/** Characters that are removed: control, format and private-use characters, lone surrogates, and the replacement character. */
const DROPPED_CHARACTERS = /[\p{Cf}\p{Co}\p{Cs}\ufffd]|(?![\t\n\r])\p{Cc}/gu;
const BLANK = /\p{White_Space}/gu;
/** CJK ideographs. Each character is a word. */
const IDEOGRAPH =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const ACCENT = /\p{Mn}/gu;

/** Normalises a text like BERT's normaliser. */
function toPlainForm(text: string, { isLowerCase, hasNoAccents }: PlainForm): string {
  const clean = text.replace(DROPPED_CHARACTERS, "").replace(BLANK, " ").replace(IDEOGRAPH, " $& ");
  const bare = hasNoAccents ? clean.normalize("NFD").replace(ACCENT, "") : clean;
  // `toLowerCase` maps a capital sigma at the end of a word to another letter; BERT does not.
  return isLowerCase ? bare.replaceAll("Σ", "σ").toLowerCase() : bare;
}
