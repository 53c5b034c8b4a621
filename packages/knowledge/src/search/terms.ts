import { stem } from "@toolwright/kit/text";

/** How many words a table holds before it is full, and how many places it has for them. */
const MAX_WORDS = 50_000;
const SLOTS = 1 << 17;
const LAST_SLOT = 2 * SLOTS - 2;

/**
 * What is known of words that stand in a text. A word is looked up where it stands, by a hash that was made while it was read:
 * cutting it out of the text first would cost more than all the rest.
 */
class WordTable<Value extends { readonly word: string }> {
  /** Of each place: the number of its value, from 1, and the hash of its word, side by side, as both are wanted at once. */
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

  /** Adds a word that is not there yet. The table must not be full. */
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

/** What the index knows a word by. */
export interface WordForm {
  readonly word: string;
  /** Of the whole word, also of one that is not indexed: what phrases are compared by. */
  readonly key: string;
  /** What is indexed: the word itself first, then the parts of a name such as `readFile` or `read_file`. */
  readonly terms: readonly string[];
  /** What the last writer that had it knows it by, and who that was: to look it up for each word of each text would cost most of all. */
  position: number;
  writer: number;
}

/**
 * What a token is: a word; or, in scripts that write no spaces, two neighbouring characters ("pair") and each of them ("single"),
 * of which a query uses the pairs.
 */
export type TokenKind = "word" | "pair" | "single";

/** Longer words are keys, hashes and pictures: their beginning is enough to find them. */
const MAX_LENGTH = 64;

/** Scripts that write no spaces between words, and Hangul, whose words have endings. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]+/u;
/** What nobody sees inside a word: it says where a line may break, or must not. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]+/g;
const UNSPACED_RUN = joined(UNSPACED);
const WORD = joined(/[\p{L}\p{N}\p{M}_]+/u);
const LETTERS = /^[a-z]+$/;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}_])/uy;
/** Where a name has a new part: `fooBar`, `HTTPServer`. */
const PARTS = /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** `100,000` is one number, as are `3.14` and `2.4.0`. */
const NUMBER = /\d{1,3}(?:,\d{3})+(?![\d,])|\d+(?:\.\d+)+/y;

/** Letters that go on behind what nobody sees. */
function joined({ source }: RegExp): RegExp {
  return new RegExp(`${source}(?:${INVISIBLE.source}${source})*`, "uy");
}

/** Texts repeat their words: most are looked up, among the newest ones or those before. */
let current = new WordTable<WordForm>();
let previous = new WordTable<WordForm>();

/** What the index knows a word by that stands in a text. */
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

/** What the index knows a word by. */
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

/** Goes through the words of a text, in order. */
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

/** A word with letters beyond ASCII, which has an end where a script without spaces begins. */
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
  // To look at each character would cost much, and hardly a text has one of these.
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

/** Letters, digits and "_" of ASCII. */
function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
  );
}

/** Words that are in nearly every English text and tell nothing about it: no index has them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it
  its itself just me more most my no nor not of off on once only or other our out over own same she should so some such than that
  the their them then there these they this those through to too under until up very was we were what when where which while who
  whom why will with would you your`.split(/\s+/),
);

const PLAIN = /^[\0-\x7f]*$/;
/** Marks over and under letters of Latin, Greek and Cyrillic. Those of other scripts are letters in all but name. */
const MARKS = /[\u{300}-\u{36f}]/gu;

/** One spelling of a word: small letters, without accents, of one width. */
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

/** The texts of a passage that its words are taken from. */
export interface Fields {
  readonly title: string;
  readonly headings: readonly string[];
  readonly content: string;
}

/** How often a word of a title or a heading counts. The content mostly has the nearest heading too. */
const TITLE = 3;
const HEADING = 3;

/** Goes through the words of a passage, with how often each counts. A heading that only says the title again does not count. */
export function eachField(fields: Fields, visit: (form: WordForm, count: number) => void): void {
  eachToken(fields.title, (_start, _end, form) => visit(form, TITLE));
  for (const heading of fields.headings)
    if (heading !== fields.title) eachToken(heading, (_start, _end, form) => visit(form, HEADING));
  eachToken(fields.content, (_start, _end, form) => visit(form, 1));
}

/** How often each term counts in a passage, and all of them together. */
export function countTerms(fields: Fields): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>();
  let length = 0;
  eachField(fields, ({ terms }, count) => {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + count);
    length += terms.length * count;
  });
  return { counts, length };
}
