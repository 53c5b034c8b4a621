import { hasCode, hintsIn } from "./code-hints.js";
import { type IndexedPattern, positionsOf, type Terms } from "./score.js";
import { isWeak, stemOf, type Term, termsOf } from "./tokenize.js";

/** The stems of all patterns and their weights. */
export interface Vocabulary {
  /** Returns the stems of a query with their weights. */
  termsIn(text: string): Terms;
}

/** The factor for weak words. */
const WEAK_FACTOR = 0.25;
/** The factor for identifiers in code that no pattern contains. */
const UNKNOWN_FACTOR = 0.3;
/** The minimum length of the parts of a compound word. */
const MIN_PART = 3;

/**
 * Weights stems by their inverse document frequency. Frequencies are percentages of at least 100 patterns, because the minimum scores
 * must not depend on the number of patterns: among few patterns every word would be common.
 */
export function createVocabulary(patterns: readonly IndexedPattern[]): Vocabulary {
  const counts = new Map<string, number>();
  for (const { weights } of patterns) for (const stem of weights.keys()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const weightOf = (stem: string): number => {
    const percentage = ((counts.get(stem) ?? 0) * 100) / Math.max(patterns.length, 100);
    const rarity = Math.log(1 + (100.5 - percentage) / (percentage + 0.5));
    return isWeak(stem) ? rarity * WEAK_FACTOR : rarity;
  };
  return {
    termsIn(text) {
      const stems = knownForms(`${text}\n${hintsIn(text)}`, counts);
      const unknown = hasCode(text) ? UNKNOWN_FACTOR : 1;
      const positions = positionsOf(stems);
      const weights = new Map(
        [...positions.keys()].map((stem) => [stem, weightOf(stem) * (counts.has(stem) ? 1 : unknown)] as const),
      );
      let total = 0;
      for (const value of weights.values()) total += value;
      return { positions, weights, total };
    },
  };
}

/** Returns the stems of a text. Joins two words that the patterns write as one, and splits a word that they write as two. */
function knownForms(text: string, known: ReadonlyMap<string, number>): readonly string[] {
  const terms = termsOf(text);
  const stems: string[] = [];
  for (let at = 0; at < terms.length; at++) {
    const [first, second] = [terms[at], terms[at + 1]];
    if (first === undefined) break;
    const joined =
      second?.position !== first.position + 1 || (isDistinctive(first, known) && isDistinctive(second, known))
        ? ""
        : stemOf(first.word + second.word);
    if (known.has(joined)) {
      stems.push(joined);
      at++;
    } else stems.push(...(known.has(first.stem) ? [first.stem] : partsOf(first.word, known, first.stem)));
  }
  return stems;
}

/** Whether a word has its own meaning. Two such words are not joined: "lock file" stays, "web hook" becomes "webhook". */
const isDistinctive = ({ stem }: Term, known: ReadonlyMap<string, number>): boolean => known.has(stem) && !isWeak(stem);

function partsOf(word: string, known: ReadonlyMap<string, number>, whole: string): readonly string[] {
  for (let cut = MIN_PART; cut <= word.length - MIN_PART; cut++) {
    const parts = [stemOf(word.slice(0, cut)), stemOf(word.slice(cut))];
    if (parts.every((part) => known.has(part))) return parts;
  }
  return [whole];
}
