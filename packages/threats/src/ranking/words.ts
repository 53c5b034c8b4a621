import { stem } from "@toolwright/kit/text";
import { isKeptWhole, joinNames, joinPairs, spellingOf } from "./spellings.js";
import { STOP_WORDS, WEAK_WORDS } from "./stop-words.js";

/** A word of a text that means something. */
export interface Term {
  /** What its forms have in common. */
  readonly stem: string;
  /** As it was written, in small letters. */
  readonly word: string;
  /** Which word of the text it is; those that mean nothing count too. */
  readonly place: number;
}

/** What some write with an s and others with a z; a word such as "promise" is changed wherever it stands, so it stays one word. */
const BRITISH = /(?<=\p{L}{3})is(e|es|ed|er|ers|ing|ations?)$/u;

const stems = new Map<string, string>();
/** Whoever asks can write any word, and words are kept for as long as the program runs. */
const MOST_STEMS = 20_000;

/** The stem of a word in small letters, of whatever spelling. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const one = spellingOf(word);
  const cut = isKeptWhole(one) ? one : stem(one.replace(/ifications?$/, "ify").replace(BRITISH, "iz$1"));
  if (stems.size < MOST_STEMS) stems.set(word, cut);
  return cut;
}

/** The words of a text in order, in small letters; names such as `getUserById` and `user_id` are taken apart. */
export const wordsOf = (text: string): readonly string[] => joinPairs(toSmall(text)).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Most texts of patterns are plain already, and there are thousands of them to read when the first question comes. */
function toSmall(text: string): string {
  if (/^[a-z0-9 ,.-]*$/.test(text)) return text;
  return joinNames(text.normalize("NFKC"))
    .replace(/(\p{Ll}|\d(?=\p{Lu}\p{Ll}))(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[’']s\b/g, "");
}

/** The words of a text that mean something, in order. */
export function termsOf(text: string): readonly Term[] {
  return wordsOf(text).flatMap((word, place) => (saysSomething(word) ? [{ word, stem: stemOf(word), place }] : []));
}

/** What is longer is a key, a hash or an attack on whoever takes it apart. */
const LONGEST = 40;

const saysSomething = (word: string): boolean =>
  !STOP_WORDS.has(word) &&
  word.length <= LONGEST &&
  !/^\d+$/.test(word) &&
  (word.length > 1 || /[^\p{ASCII}]/u.test(word));

const weakStems: ReadonlySet<string> = new Set([...WEAK_WORDS].map(stemOf));

/** Whether a stem is one of nearly every task. */
export const isWeak = (cut: string): boolean => weakStems.has(cut);
