import { stem } from "@toolwright/kit/text";

/** The maximum number of words in a table, and the number of its slots. */
const MAX_WORDS = 50_000;
const SLOTS = 1 << 17;
const LAST_SLOT = 2 * SLOTS - 2;

/**
 * An open-addressing hash table of words. `find` takes a range of a text and a hash that was computed while the word was scanned,
 * because slicing the word out of the text would be the most expensive step.
 */
class WordTable<Value extends { readonly word: string }> {
  /** For each slot: the number of its value, from 1, and the hash of its word. Adjacent, because both are read together. */
  readonly #slots = new Int32Array(2 * SLOTS);
  readonly #values: Value[] = [];

  get isFull(): boolean {
    return this.#values.length >= MAX_WORDS;
  }

  find(text: string, start: number, end: number, hash: number): Value | undefined {
    for (let position = firstSlot(hash); ; position = (position + 2) & LAST_SLOT) {
      const number = this.#slots[position] as number;
      if (number === 0) return undefined;
      if (this.#slots[position + 1] !== hash) continue;
      const value = this.#values[number - 1] as Value;
      if (isAt(value.word, text, start, end)) return value;
    }
  }

  /** Adds a new word. The table must not be full. */
  add(hash: number, value: Value): void {
    let position = firstSlot(hash);
    while (this.#slots[position] !== 0) position = (position + 2) & LAST_SLOT;
    this.#slots[position] = this.#values.push(value);
    this.#slots[position + 1] = hash;
  }
}

const firstSlot = (hash: number): number => ((hash ^ (hash >>> 15)) * 2) & LAST_SLOT;

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

/** The hash of a word with one more character. */
const hashWith = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

/** The normalised forms of a word. */
export interface WordForm {
  readonly word: string;
  /** The normalised word, also of stop words. Phrases are compared by it. */
  readonly key: string;
  /** The indexed terms: the word itself first, then the parts of a name such as `readFile` or `read_file`. */
  readonly terms: readonly string[];
  /** The position in the last writer that used this word, and the ID of that writer. Cached here, because a lookup per word would be slow. */
  position: number;
  writer: number;
}

/**
 * The kind of a token: a word; or, in scripts without spaces, two adjacent characters ("pair") and each of them ("single"). Queries use
 * only the pairs.
 */
export type TokenKind = "word" | "pair" | "single";

/** The maximum length of an indexed word. Longer ones are keys, hashes or encoded images; their start is enough to find them. */
const MAX_LENGTH = 64;

/** Scripts without spaces between words, and Hangul, whose words are inflected. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]+/u;
/** Invisible characters inside a word that control line breaks. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]+/g;
const UNSPACED_RUN = joined(UNSPACED);
const WORD = joined(/[\p{L}\p{N}\p{M}_]+/u);
const LETTERS = /^[a-z]+$/;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}_])/uy;
/** The boundaries between the parts of a name: `fooBar`, `HTTPServer`. */
const PARTS = /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** `100,000` is one number, as are `3.14` and `2.4.0`. */
const NUMBER = /\d{1,3}(?:,\d{3})+(?![\d,])|\d+(?:\.\d+)+/y;

/** Matches runs that may contain invisible characters. */
function joined({ source }: RegExp): RegExp {
  return new RegExp(`${source}(?:${INVISIBLE.source}${source})*`, "uy");
}

/** Two generations of the word cache. Texts repeat their words, so most lookups hit. */
let current = new WordTable<WordForm>();
let previous = new WordTable<WordForm>();

/** Returns the forms of a word in a text. */
function formAt(text: string, start: number, end: number, hash: number): WordForm {
  const found = current.find(text, start, end, hash);
  if (found !== undefined) return found;
  // A slice would keep the whole text in memory.
  const word = ` ${text.slice(start, end)}`.slice(1);
  const form = previous.find(text, start, end, hash) ?? makeForm(word);
  if (current.isFull) [current, previous] = [new WordTable(), current];
  current.add(hash, form);
  return form;
}

/** Returns the forms of a word. */
function wordForm(word: string): WordForm {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = hashWith(hash, word.charCodeAt(at));
  return formAt(word, 0, word.length, hash);
}

function makeForm(word: string): WordForm {
  return { word, ...keyAndTerms(word.replaceAll(INVISIBLE, "")), position: 0, writer: 0 };
}

function keyAndTerms(word: string): Pick<WordForm, "key" | "terms"> {
  if (word.length <= MAX_LENGTH && LETTERS.test(word)) {
    const term = termOf(word);
    return { key: term, terms: STOP_WORDS.has(word) ? [] : [term] };
  }
  if (/^\d[\d.,]*$/.test(word)) return { key: word.replaceAll(",", ""), terms: [word.replaceAll(",", "")] };
  const parts = word.length > MAX_LENGTH ? [] : word.split(PARTS).filter((part) => part !== "");
  const key = termOf(parts.length === 1 ? (parts[0] ?? "") : word);
  if (parts.length === 0 && word.length <= MAX_LENGTH) return { key, terms: [] };
  const all = parts.length > 1 ? [word, ...parts] : parts.length === 1 ? parts : [word];
  const terms = all.filter((part) => !STOP_WORDS.has(fold(part))).map(termOf);
  return { key, terms: [...new Set(terms)] };
}

function termOf(word: string): string {
  const folded = fold(word.slice(0, MAX_LENGTH));
  return LETTERS.test(folded) && !STOP_WORDS.has(folded) ? stem(folded) : folded;
}

/** Visits the tokens of a text in order. */
export function eachToken(
  text: string,
  visit: (start: number, end: number, form: WordForm, kind: TokenKind) => void,
): void {
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code < 0x80 && !isWordCode(code)) at += 1;
    else at = readToken(text, at, code, visit);
  }
}

function readToken(text: string, at: number, code: number, visit: Parameters<typeof eachToken>[1]): number {
  if (code >= 0x30 && code <= 0x39) {
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    const next = at + (number?.length ?? 0);
    if (number !== undefined && !isWordCode(text.charCodeAt(next))) {
      visit(at, next, wordForm(number), "word");
      return next;
    }
  }
  let [end, hash, next] = [at, 0, code];
  while (isWordCode(next)) {
    hash = hashWith(hash, next);
    end += 1;
    next = text.charCodeAt(end);
  }
  if (next >= 0x80) return readForeign(text, at, visit);
  visit(at, end, formAt(text, at, end, hash), "word");
  return afterPossessive(text, end);
}

/** Reads a word with letters beyond ASCII. It ends where a script without spaces begins. */
function readForeign(text: string, at: number, visit: Parameters<typeof eachToken>[1]): number {
  UNSPACED_RUN.lastIndex = at;
  const run = UNSPACED_RUN.exec(text)?.[0];
  if (run !== undefined) return readUnspaced(run, at, visit);
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  const cut = UNSPACED.exec(word)?.index ?? word.length;
  const end = at + cut;
  visit(at, end, wordForm(text.slice(at, end)), "word");
  return afterPossessive(text, end);
}

function readUnspaced(run: string, start: number, visit: Parameters<typeof eachToken>[1]): number {
  const characters = Array.from(run);
  // Checking each character is slow, and few texts contain invisible characters.
  const hasUnseen = run.search(INVISIBLE) !== -1;
  let [at, last, lastAt] = [start, "", start];
  for (const character of characters) {
    const end = at + character.length;
    if (!hasUnseen || character.search(INVISIBLE) === -1) {
      if (last !== "") visit(lastAt, end, wordForm(last + character), "pair");
      visit(at, end, wordForm(character), characters.length === 1 ? "word" : "single");
      [last, lastAt] = [character, at];
    }
    at = end;
  }
  return at;
}

function afterPossessive(text: string, end: number): number {
  const code = text.charCodeAt(end);
  if (code !== 0x27 && code !== 0x2019) return end;
  POSSESSIVE.lastIndex = end;
  return end + (POSSESSIVE.exec(text)?.[0].length ?? 0);
}

/** ASCII letters, digits and "_". */
function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
  );
}

/** Words that are in nearly every English text. They are not indexed. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it
  its itself just me more most my no nor not of off on once only or other our out over own same she should so some such than that
  the their them then there these they this those through to too under until up very was we were what when where which while who
  whom why will with would you your`.split(/\s+/),
);

const PLAIN = /^[\0-\x7f]*$/;
/** Combining marks of Latin, Greek and Cyrillic. In other scripts, marks distinguish words. */
const MARKS = /[\u{300}-\u{36f}]/gu;

/** Folds a word to lower case, without accents and width variants. */
function fold(word: string): string {
  if (PLAIN.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(MARKS, "")
    .normalize("NFC")
    .replaceAll("ß", "ss")
    .replaceAll("ς", "σ");
}

/** The indexed texts of a passage. */
export interface Fields {
  readonly title: string;
  readonly headings: readonly string[];
  readonly content: string;
}

/** The weight of a word in a title or a heading. The content usually contains the nearest heading too. */
const TITLE = 3;
const HEADING = 3;

/** Visits the words of a passage with their weights. Skips headings that equal the title. */
export function eachField(fields: Fields, visit: (form: WordForm, count: number) => void): void {
  eachToken(fields.title, (_start, _end, form) => visit(form, TITLE));
  for (const heading of fields.headings)
    if (heading !== fields.title) eachToken(heading, (_start, _end, form) => visit(form, HEADING));
  eachToken(fields.content, (_start, _end, form) => visit(form, 1));
}

/** Returns the weighted count of each term in a passage, and their sum. */
export function countTerms(fields: Fields): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>();
  let length = 0;
  eachField(fields, ({ terms }, count) => {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + count);
    length += terms.length * count;
  });
  return { counts, length };
}
