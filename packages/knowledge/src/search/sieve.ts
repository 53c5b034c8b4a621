import { eachToken } from "./terms.js";

const PLAIN_TEXT = /^[\0-\x7f]*$/;
const PLAIN_KEY = /^[a-z]{2,}$/;

const sieves = new WeakMap<readonly string[], RegExp | null>();

/** Whether a text may have words with these keys side by side. To see that most texts do not is far less work than to read their words. */
export function mayHaveRun(text: string, keys: readonly string[]): boolean {
  const known = sieves.get(keys);
  const sieve = known === undefined ? toSieve(keys) : known;
  sieves.set(keys, sieve);
  return sieve === null || !PLAIN_TEXT.test(text) || sieve.test(text);
}

/** Words begin as their stems do, but for the last two letters. */
const startOf = (key: string): string => key.slice(0, Math.max(1, key.length - 2));

function toSieve(keys: readonly string[]): RegExp | null {
  if (!keys.every((key) => PLAIN_KEY.test(key))) return null;
  const starts = keys.map((key) => `_*${startOf(key)}`);
  return new RegExp(`(?<![a-z0-9_])${starts.join("[a-z0-9_]*(?:'s)?[^a-z0-9_]+")}`, "i");
}

/** Goes through the words of a text that may have one of some terms, and through few others. */
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
