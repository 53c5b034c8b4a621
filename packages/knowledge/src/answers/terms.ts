import type { SearchAnswer } from "../search/search.js";
import { eachToken } from "../search/terms.js";

/** What a word of the question is worth that no passage has, where nothing tells how many passages there are. */
const UNKNOWN = 6;
/** In a small collection every word is in many passages, and still says what is asked. */
const LEAST = 1.2;

/** The words of a question with what each is worth: the rarer, the more. */
export function worthOf({ results, query_info: { query_terms: terms } }: SearchAnswer): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  let rarest: number | undefined;
  for (const { explain } of results)
    for (const { term, origin, idf, df, weight } of explain?.words?.terms ?? []) {
      if (origin !== "query") continue;
      known.set(term, Math.max(LEAST, idf) * Math.min(1, weight));
      rarest ??= Math.log(1 + (passagesOf(idf, df) + 0.5) / 0.5);
    }
  return new Map(terms.map((term) => [term, known.get(term) ?? Math.max(LEAST, rarest ?? UNKNOWN)]));
}

/** How many passages there are, from what makes a word rare. */
const passagesOf = (idf: number, df: number): number => (Math.exp(idf) - 1) * (df + 0.5) + df - 0.5;

/** The terms of a text. */
export function termsIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  eachToken(text, (_start, _end, { terms }, kind) => {
    if (kind !== "single") for (const term of terms) found.add(term);
  });
  return found;
}

/** How much of what is asked a text has, from 0 to 1. */
export function coverage(worth: ReadonlyMap<string, number>, terms: ReadonlySet<string>): number {
  let [all, here] = [0, 0];
  for (const [term, value] of worth) {
    all += value;
    if (terms.has(term)) here += value;
  }
  return all === 0 ? 0 : here / all;
}
