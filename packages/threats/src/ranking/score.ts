import type { ListedPattern, PatternWords } from "../library/listed-pattern.js";
import { isWeak, termsOf } from "./tokenize.js";

/** A sequence of stems, such as the keyword "signed payload". */
interface Phrase {
  readonly stems: readonly string[];
  /** The maximum number of other words between them. */
  readonly slack: number;
}

/** The positions of each stem in a text. */
export type Positions = ReadonlyMap<string, readonly number[]>;

/** The maximum number of positions that are recorded for a stem. More cost time and do not improve the result. */
const MAX_POSITIONS = 50;

/** Indexes the positions of stems. */
export function positionsOf(stems: readonly string[]): Positions {
  const positions = new Map<string, number[]>();
  for (const [position, stem] of stems.entries()) {
    const known = positions.get(stem);
    if (known === undefined) positions.set(stem, [position]);
    else if (known.length < MAX_POSITIONS) known.push(position);
  }
  return positions;
}

/** How well a text matches a phrase: 1 in the same order, less in another order, 0 if its words are not close together. */
function matchPhrase({ stems, slack }: Phrase, positions: Positions): number {
  const [first = "", ...rest] = stems;
  const starts = positions.get(first);
  if (starts === undefined) return 0;
  if (rest.length === 0) return 1;
  let best = 0;
  for (const start of starts) {
    if (isInOrder(rest, start, slack, positions)) return 1;
    if (best === 0 && isNearby(rest, start, stems.length - 1 + slack, positions)) best = REORDERED;
  }
  return best;
}

const REORDERED = 0.7;

function isInOrder(rest: readonly string[], start: number, slack: number, positions: Positions): boolean {
  let last = start;
  let left = slack;
  for (const stem of rest) {
    const from = last;
    const next = positions.get(stem)?.find((position) => position > from);
    if (next === undefined || next - last - 1 > left) return false;
    left -= next - last - 1;
    last = next;
  }
  return true;
}

const isNearby = (rest: readonly string[], start: number, distance: number, positions: Positions): boolean =>
  rest.every((stem) =>
    positions.get(stem)?.some((position) => position !== start && Math.abs(position - start) <= distance),
  );

/** The stems of a query with their weights. */
export interface Terms {
  readonly positions: Positions;
  readonly weights: ReadonlyMap<string, number>;
  /** The sum of all weights, including those of stems that no pattern contains. */
  readonly total: number;
}

/** How relevant a pattern is for a query. */
export interface Score {
  /** The weighted sum of the stems that match. */
  readonly found: number;
  /** The share of the query that matches, from 0 to 1. */
  readonly share: number;
  /** The longest complete keyword or action that matches: one of several words, or a single word. */
  readonly named: "phrase" | "word" | undefined;
  /** The number of matching words that are not weak. */
  readonly words: number;
}

/** The field weight at which a word reaches half of its maximum score. */
const HALF_SATURATION = 2;
/** The bonus for words in keywords and actions of one word, two words, and more. */
const KEYWORD = [0.5, 1, 1.3] as const;
const ACTION = [0.3, 0.9, 1.3] as const;

/** Scores a pattern: each stem of the query by the fields that contain it, with a bonus within keywords and actions. */
export function scoreOf(
  { keywords, actions, weights }: IndexedPattern,
  { positions, weights: termWeights, total }: Terms,
): Score {
  const bonus = new Map<string, number>();
  const hasPhrase = [
    addPhraseBonus(bonus, keywords, KEYWORD, positions),
    addPhraseBonus(bonus, actions, ACTION, positions),
  ].includes(true);
  let found = 0;
  let covered = 0;
  let words = 0;
  for (const [stem, value] of termWeights) {
    const weight = weights.get(stem);
    if (weight === undefined) continue;
    const score = weight / (weight + HALF_SATURATION) + (bonus.get(stem) ?? 0);
    found += value * score;
    covered += value * Math.min(1, score);
    if (!isWeak(stem)) words++;
  }
  return {
    found,
    share: total === 0 ? 0 : covered / total,
    named: hasPhrase ? "phrase" : bonus.size > 0 ? "word" : undefined,
    words,
  };
}

/** Adds the bonus of matching phrases; a stem in several phrases gets the best one. Returns whether a phrase of several words matches. */
function addPhraseBonus(
  bonus: Map<string, number>,
  phrases: readonly Phrase[],
  bonuses: readonly [number, number, number],
  positions: Positions,
): boolean {
  let hasPhrase = false;
  for (const phrase of phrases) {
    const fit = matchPhrase(phrase, positions);
    if (fit === 0) continue;
    if (phrase.stems.length > 1) hasPhrase = true;
    const value = fit * (bonuses[phrase.stems.length - 1] ?? bonuses[2]);
    for (const stem of phrase.stems) bonus.set(stem, Math.max(bonus.get(stem) ?? 0, value));
  }
  return hasPhrase;
}

/** A pattern with its words, indexed for scoring. */
export interface IndexedPattern {
  readonly pattern: ListedPattern;
  readonly keywords: readonly Phrase[];
  readonly actions: readonly Phrase[];
  /** The weight of each stem: higher in the name than in the description. */
  readonly weights: ReadonlyMap<string, number>;
}

/** The maximum number of other words within a phrase. */
const SLACK = { keyword: 1, action: 2 } as const;

/** Indexes a pattern. */
export function indexPattern(pattern: ListedPattern): IndexedPattern {
  const { keywords, actions, weights } = pattern.words ?? readPatternWords(pattern);
  return {
    pattern,
    keywords: keywords.map((stems) => ({ stems, slack: SLACK.keyword })),
    actions: actions.map((stems) => ({ stems, slack: SLACK.action })),
    weights: new Map(Object.entries(weights)),
  };
}

/** The weight of a word by field. */
const FIELD_WEIGHTS = { keyword: 3, phrase: 2, name: 2.5, actions: 1.5, summary: 1, description: 0.7 } as const;

/** Extracts the words of a pattern. A word counts once for each field, however often it occurs. */
export function readPatternWords(pattern: ListedPattern): PatternWords {
  const wording = pattern.wording ?? { description: "", keywords: [], actions: [] };
  const keywords = wording.keywords.map(stemsOf);
  const actions = wording.actions.map(stemsOf);
  const { threat, check, fix } = pattern.agent_summary;
  const weights = new Map<string, number>();
  const addWeight = (stems: readonly string[], weight: number): void => {
    for (const stem of new Set(stems)) weights.set(stem, (weights.get(stem) ?? 0) + weight);
  };
  const isWord = (stems: readonly string[]): boolean => stems.length === 1;
  const words = new Set(keywords.filter(isWord).flat());
  addWeight([...words], FIELD_WEIGHTS.keyword);
  addWeight(
    keywords.flat().filter((stem) => !words.has(stem)),
    FIELD_WEIGHTS.phrase,
  );
  addWeight(stemsOf(`${pattern.name}\n${pattern.subcategory ?? ""}`), FIELD_WEIGHTS.name);
  addWeight(actions.flat(), FIELD_WEIGHTS.actions);
  addWeight(stemsOf(`${threat}\n${check}\n${fix}`), FIELD_WEIGHTS.summary);
  addWeight(stemsOf(wording.description), FIELD_WEIGHTS.description);
  return { keywords, actions, weights: Object.fromEntries(weights) };
}

const stemsOf = (text: string): readonly string[] => termsOf(text).map(({ stem }) => stem);
