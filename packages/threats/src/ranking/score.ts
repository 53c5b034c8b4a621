import type { ListedPattern, PatternWords } from "../library/listed-pattern.js";
import { isWeak, termsOf } from "./tokenize.js";

/** Several stems that belong together, such as the keyword "signed payload". */
interface Phrase {
  readonly stems: readonly string[];
  /** How many other words may stand between them. */
  readonly slack: number;
}

/** Where each stem stands in a text. */
export type Positions = ReadonlyMap<string, readonly number[]>;

/** A word that stands in so many places tells no more by the next one, and each costs time. */
const MAX_PLACES = 50;

/** Notes where each stem of a text stands. */
export function positionsOf(stems: readonly string[]): Positions {
  const places = new Map<string, number[]>();
  for (const [place, stem] of stems.entries()) {
    const known = places.get(stem);
    if (known === undefined) places.set(stem, [place]);
    else if (known.length < MAX_PLACES) known.push(place);
  }
  return places;
}

/** How well a text has a phrase: 1 in its order, less in another order, 0 where it is not there in one place. */
function phraseFit({ stems, slack }: Phrase, places: Positions): number {
  const [first = "", ...rest] = stems;
  const starts = places.get(first);
  if (starts === undefined) return 0;
  if (rest.length === 0) return 1;
  let best = 0;
  for (const start of starts) {
    if (isInOrder(rest, start, slack, places)) return 1;
    if (best === 0 && isNearby(rest, start, stems.length - 1 + slack, places)) best = REORDERED;
  }
  return best;
}

const REORDERED = 0.7;

function isInOrder(rest: readonly string[], start: number, slack: number, places: Positions): boolean {
  let last = start;
  let left = slack;
  for (const stem of rest) {
    const from = last;
    const next = places.get(stem)?.find((place) => place > from);
    if (next === undefined || next - last - 1 > left) return false;
    left -= next - last - 1;
    last = next;
  }
  return true;
}

const isNearby = (rest: readonly string[], start: number, reach: number, places: Positions): boolean =>
  rest.every((stem) => places.get(stem)?.some((place) => place !== start && Math.abs(place - start) <= reach));

/** The words of a question, with what each is worth among the patterns. */
export interface Terms {
  readonly places: Positions;
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
export function scoreOf({ keywords, actions, weights }: IndexedPattern, { places, worth, total }: Terms): Score {
  const bonus = new Map<string, number>();
  const hasPhrase = [
    addPhraseBonus(bonus, keywords, KEYWORD, places),
    addPhraseBonus(bonus, actions, ACTION, places),
  ].includes(true);
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
function addPhraseBonus(
  bonus: Map<string, number>,
  phrases: readonly Phrase[],
  worths: readonly [number, number, number],
  places: Positions,
): boolean {
  let hasPhrase = false;
  for (const phrase of phrases) {
    const fit = phraseFit(phrase, places);
    if (fit === 0) continue;
    if (phrase.stems.length > 1) hasPhrase = true;
    const value = fit * (worths[phrase.stems.length - 1] ?? worths[2]);
    for (const stem of phrase.stems) bonus.set(stem, Math.max(bonus.get(stem) ?? 0, value));
  }
  return hasPhrase;
}

/** A pattern as the ranking sees it. */
export interface IndexedPattern {
  readonly pattern: ListedPattern;
  readonly keywords: readonly Phrase[];
  readonly actions: readonly Phrase[];
  /** How much each stem says of it: in its name more than in its description. */
  readonly weights: ReadonlyMap<string, number>;
}

/** How many other words may stand within a phrase. */
const SLACK = { keyword: 1, action: 2 } as const;

/** Readies a pattern for all questions. */
export function indexPattern(pattern: ListedPattern): IndexedPattern {
  const { keywords, actions, weights } = pattern.words ?? readPatternWords(pattern);
  return {
    pattern,
    keywords: keywords.map((stems) => ({ stems, slack: SLACK.keyword })),
    actions: actions.map((stems) => ({ stems, slack: SLACK.action })),
    weights: new Map(Object.entries(weights)),
  };
}

/** What a word is worth, by where it stands. */
const FIELDS = { keyword: 3, phrase: 2, name: 2.5, actions: 1.5, summary: 1, description: 0.7 } as const;

/** Reads the words of a pattern. A word counts once a field: to say it often does not make a pattern more about it. */
export function readPatternWords(pattern: ListedPattern): PatternWords {
  const wording = pattern.wording ?? { description: "", keywords: [], actions: [] };
  const keywords = wording.keywords.map(stemsOf);
  const actions = wording.actions.map(stemsOf);
  const { threat, check, fix } = pattern.agent_summary;
  const weights = new Map<string, number>();
  const weigh = (stems: readonly string[], worth: number): void => {
    for (const stem of new Set(stems)) weights.set(stem, (weights.get(stem) ?? 0) + worth);
  };
  const isWord = (stems: readonly string[]): boolean => stems.length === 1;
  const words = new Set(keywords.filter(isWord).flat());
  weigh([...words], FIELDS.keyword);
  weigh(
    keywords.flat().filter((stem) => !words.has(stem)),
    FIELDS.phrase,
  );
  weigh(stemsOf(`${pattern.name}\n${pattern.subcategory ?? ""}`), FIELDS.name);
  weigh(actions.flat(), FIELDS.actions);
  weigh(stemsOf(`${threat}\n${check}\n${fix}`), FIELDS.summary);
  weigh(stemsOf(wording.description), FIELDS.description);
  return { keywords, actions, weights: Object.fromEntries(weights) };
}

const stemsOf = (text: string): readonly string[] => termsOf(text).map(({ stem }) => stem);
