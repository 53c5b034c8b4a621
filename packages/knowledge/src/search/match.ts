import type { IndexedTerm } from "./bm25.js";
import type { Condition } from "./query.js";
import { eachToken } from "./terms.js";
import type { IndexRows } from "./views.js";

/** The rows that match a condition: one byte per row, 1 = yes. Phrases and symbols need the text; until it is read, a match is possible. */
export interface Matches {
  readonly certain: Uint8Array;
  readonly possible: Uint8Array;
}

/** Matches a condition against the index. `phrases` has the phrase matches that the database already found. */
export function matchRows(
  index: IndexRows,
  terms: ReadonlyMap<string, IndexedTerm>,
  condition: Condition,
  phrases?: ReadonlyMap<Condition, Matches>,
): Matches {
  switch (condition.kind) {
    case "term": {
      const rows = rowsWith(index, terms.get(condition.term));
      return { certain: rows, possible: rows };
    }
    case "phrase": {
      const matches = phrases?.get(condition);
      if (matches !== undefined) return matches;
      const possible = condition.terms
        .map((term) => rowsWith(index, terms.get(term)))
        .reduce(intersect, everyRow(index));
      return { certain: new Uint8Array(index.size), possible };
    }
    case "signs":
      return { certain: new Uint8Array(index.size), possible: everyRow(index) };
    case "not": {
      const { certain, possible } = matchRows(index, terms, condition.of, phrases);
      return { certain: possible.map((byte) => 1 - byte), possible: certain.map((byte) => 1 - byte) };
    }
    default: {
      const of = condition.of.map((each) => matchRows(index, terms, each, phrases));
      const combine = condition.kind === "all" ? intersect : unite;
      return {
        certain: of.map(({ certain }) => certain).reduce(combine),
        possible: of.map(({ possible }) => possible).reduce(combine),
      };
    }
  }
}

const intersect = (one: Uint8Array, other: Uint8Array): Uint8Array =>
  one.map((byte, row) => byte & (other[row] as number));
const unite = (one: Uint8Array, other: Uint8Array): Uint8Array => one.map((byte, row) => byte | (other[row] as number));

const everyRow = ({ size }: IndexRows): Uint8Array => new Uint8Array(size).fill(1);

function rowsWith(index: IndexRows, term: IndexedTerm | undefined): Uint8Array {
  const found = new Uint8Array(index.size);
  for (const [at, { offset }] of index.parts.entries())
    for (const row of term?.postings[at]?.rows ?? []) found[offset + row] = 1;
  return found;
}

/** Whether the texts of a passage match a condition. */
export function matchTexts(texts: readonly string[], condition: Condition): boolean {
  return fulfils(
    texts.map((text) => new ReadText(text)),
    condition,
  );
}

interface TextWords {
  readonly keys: readonly string[];
  readonly terms: ReadonlySet<string>;
}

/** A text that is tokenised on first use. */
class ReadText {
  readonly text: string;
  #words: TextWords | undefined;

  constructor(text: string) {
    this.text = text;
  }

  words(): TextWords {
    this.#words ??= readWords(this.text);
    return this.#words;
  }
}

function readWords(text: string): TextWords {
  const keys: string[] = [];
  const terms = new Set<string>();
  eachToken(text, (_start, _end, form, kind) => {
    if (kind !== "single") keys.push(form.key);
    for (const term of form.terms) terms.add(term);
  });
  return { keys, terms };
}

function fulfils(texts: readonly ReadText[], condition: Condition): boolean {
  switch (condition.kind) {
    case "term":
      return texts.some((text) => text.words().terms.has(condition.term));
    case "phrase":
      return texts.some(
        (text) => mayContainRun(text.text, condition.keys) && containsRun(text.words().keys, condition.keys),
      );
    case "signs":
      return texts.some(({ text }) => text.includes(condition.signs));
    case "not":
      return !fulfils(texts, condition.of);
    case "all":
      return condition.of.every((each) => fulfils(texts, each));
    default:
      return condition.of.some((each) => fulfils(texts, each));
  }
}

function containsRun(keys: readonly string[], run: readonly string[]): boolean {
  for (let at = keys.indexOf(run[0] ?? ""); at !== -1; at = keys.indexOf(run[0] ?? "", at + 1))
    if (run.every((key, index) => keys[at + index] === key)) return true;
  return false;
}

const PLAIN_TEXT = /^[\0-\x7f]*$/;
const PLAIN_KEY = /^[a-z]{2,}$/;

const prefilters = new WeakMap<readonly string[], RegExp | null>();

/** Whether a text may contain words with these keys side by side. Excludes most texts without tokenising them. */
export function mayContainRun(text: string, keys: readonly string[]): boolean {
  const known = prefilters.get(keys);
  const prefilter = known === undefined ? toPrefilter(keys) : known;
  prefilters.set(keys, prefilter);
  return prefilter === null || !PLAIN_TEXT.test(text) || prefilter.test(text);
}

/** A word starts with its stem, except for the last two letters. */
const startOf = (key: string): string => key.slice(0, Math.max(1, key.length - 2));

function toPrefilter(keys: readonly string[]): RegExp | null {
  if (!keys.every((key) => PLAIN_KEY.test(key))) return null;
  const starts = keys.map((key) => `_*${startOf(key)}`);
  return new RegExp(`(?<![a-z0-9_])${starts.join("[a-z0-9_]*(?:'s)?[^a-z0-9_]+")}`, "i");
}

/** Returns a tokeniser that visits the words that may have one of the terms, and skips most others. */
export function likelyTokens(terms: Iterable<string>): typeof eachToken {
  const wanted = [...terms];
  if (wanted.length === 0) return () => undefined;
  if (!wanted.every((term) => PLAIN_KEY.test(term))) return eachToken;
  const start = new RegExp(wanted.map(startOf).join("|"), "gi");
  return (text, visit) => {
    if (!PLAIN_TEXT.test(text)) return eachToken(text, visit);
    start.lastIndex = 0;
    for (let found = start.exec(text); found !== null; found = start.exec(text)) {
      let [first, end] = [found.index, start.lastIndex];
      while (isWordAt(text, first - 1)) first -= 1;
      while (isWordAt(text, end)) end += 1;
      start.lastIndex = end;
      eachToken(text.slice(first, end), (from, to, form, kind) => visit(first + from, first + to, form, kind));
    }
  };
}

const isWordAt = (text: string, at: number): boolean => /\w/.test(text.charAt(at));
