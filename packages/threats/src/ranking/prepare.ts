import type { ListedPattern } from "../library/compiled.js";
import { readPatternWords } from "./pattern-words.js";
import type { Phrase } from "./phrases.js";

/** A pattern as the ranking sees it. */
export interface Prepared {
  readonly pattern: ListedPattern;
  readonly keywords: readonly Phrase[];
  readonly actions: readonly Phrase[];
  /** How much each stem says of it: in its name more than in its description. */
  readonly weights: ReadonlyMap<string, number>;
}

/** How many other words may stand within a phrase. */
const SLACK = { keyword: 1, action: 2 } as const;

/** Readies a pattern for all questions. */
export function prepare(pattern: ListedPattern): Prepared {
  const { keywords, actions, weights } = pattern.words ?? readPatternWords(pattern);
  return {
    pattern,
    keywords: keywords.map((stems) => ({ stems, slack: SLACK.keyword })),
    actions: actions.map((stems) => ({ stems, slack: SLACK.action })),
    weights: new Map(Object.entries(weights)),
  };
}
