import { fitOf, type Phrase, type Places } from "./phrases.js";
import type { Prepared } from "./prepare.js";
import { isWeak } from "./words.js";

/** The words of a question, with what each is worth among the patterns. */
export interface Terms {
  readonly places: Places;
  readonly worth: ReadonlyMap<string, number>;
  /** What all are worth together, those that no pattern has included. */
  readonly total: number;
}

/** How much a pattern has to do with a question. */
export interface Score {
  /** What was found, in the worth of words. */
  readonly found: number;
  /** Which part of the question that is, from 0 to 1: the rest is about something else. */
  readonly share: number;
  /** Whether a keyword or an action is there in full: one of several words, or a word alone. */
  readonly named: "phrase" | "word" | undefined;
  /** How many words were found that not every task has. */
  readonly words: number;
}

/** What makes half of the most that a word can say. */
const HALF = 2;
/** What a word adds as a keyword or an action of one word, of two and of more. */
const KEYWORD = [0.5, 1, 1.3] as const;
const ACTION = [0.3, 0.9, 1.3] as const;

/** Scores a pattern: each word of the question by where the pattern has it, and more within a keyword or an action. */
export function scoreOf({ keywords, actions, weights }: Prepared, { places, worth, total }: Terms): Score {
  const bonus = new Map<string, number>();
  const hasPhrase = [addBonus(bonus, keywords, KEYWORD, places), addBonus(bonus, actions, ACTION, places)].includes(
    true,
  );
  let found = 0;
  let covered = 0;
  let words = 0;
  for (const [stem, value] of worth) {
    const weight = weights.get(stem);
    if (weight === undefined) continue;
    const said = weight / (weight + HALF) + (bonus.get(stem) ?? 0);
    found += value * said;
    covered += value * Math.min(1, said);
    if (!isWeak(stem)) words++;
  }
  return {
    found,
    share: total === 0 ? 0 : covered / total,
    named: hasPhrase ? "phrase" : bonus.size > 0 ? "word" : undefined,
    words,
  };
}

/** A word in several phrases counts by the best of them. Says whether one of several words is there. */
function addBonus(
  bonus: Map<string, number>,
  phrases: readonly Phrase[],
  worths: readonly [number, number, number],
  places: Places,
): boolean {
  let hasPhrase = false;
  for (const phrase of phrases) {
    const fit = fitOf(phrase, places);
    if (fit === 0) continue;
    if (phrase.stems.length > 1) hasPhrase = true;
    const value = fit * (worths[phrase.stems.length - 1] ?? worths[2]);
    for (const stem of phrase.stems) bonus.set(stem, Math.max(bonus.get(stem) ?? 0, value));
  }
  return hasPhrase;
}
