import { hasCode, hintsIn } from "./code-hints.js";
import { type IndexedPattern, positionsOf, type Terms } from "./score.js";
import { isWeak, stemOf, type Term, termsOf } from "./tokenize.js";

/** The words of all patterns, and what each of them tells. */
export interface Vocabulary {
  /** The words of a question, with what each is worth. */
  termsIn(text: string): Terms;
}

/** What a word of nearly every task keeps of its worth. */
const WEAK = 0.25;
/** What a name of a program that no pattern has keeps of its worth. */
const UNKNOWN_IN_CODE = 0.3;
const SHORTEST_PART = 3;

/**
 * Counts in how many of a hundred patterns each word is: the fewer, the more it tells. What is relevant is measured in this, so it must
 * not depend on how many patterns there are; of a few, each word would seem common.
 */
export function createVocabulary(patterns: readonly IndexedPattern[]): Vocabulary {
  const counts = new Map<string, number>();
  for (const { weights } of patterns) for (const stem of weights.keys()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const worthOf = (stem: string): number => {
    const part = ((counts.get(stem) ?? 0) * 100) / Math.max(patterns.length, 100);
    const rarity = Math.log(1 + (100.5 - part) / (part + 0.5));
    return isWeak(stem) ? rarity * WEAK : rarity;
  };
  return {
    termsIn(text) {
      const stems = knownForms(`${text}\n${hintsIn(text)}`, counts);
      const unknown = hasCode(text) ? UNKNOWN_IN_CODE : 1;
      const places = positionsOf(stems);
      const worth = new Map(
        [...places.keys()].map((stem) => [stem, worthOf(stem) * (counts.has(stem) ? 1 : unknown)] as const),
      );
      let total = 0;
      for (const value of worth.values()) total += value;
      return { places, worth, total };
    },
  };
}

/** The stems of a text; two words that the patterns write as one are joined, and one that they write as two is taken apart. */
function knownForms(text: string, known: ReadonlyMap<string, number>): readonly string[] {
  const terms = termsOf(text);
  const stems: string[] = [];
  for (let at = 0; at < terms.length; at++) {
    const [first, second] = [terms[at], terms[at + 1]];
    if (first === undefined) break;
    const joined =
      second?.place !== first.place + 1 || (saysMuch(first, known) && saysMuch(second, known))
        ? ""
        : stemOf(first.word + second.word);
    if (known.has(joined)) {
      stems.push(joined);
      at++;
    } else stems.push(...(known.has(first.stem) ? [first.stem] : partsOf(first.word, known, first.stem)));
  }
  return stems;
}

/** Whether a word stands on its own: a lock file is not a lockfile, but a web hook is a webhook. */
const saysMuch = ({ stem }: Term, known: ReadonlyMap<string, number>): boolean => known.has(stem) && !isWeak(stem);

function partsOf(word: string, known: ReadonlyMap<string, number>, whole: string): readonly string[] {
  for (let cut = SHORTEST_PART; cut <= word.length - SHORTEST_PART; cut++) {
    const parts = [stemOf(word.slice(0, cut)), stemOf(word.slice(cut))];
    if (parts.every((part) => known.has(part))) return parts;
  }
  return [whole];
}
