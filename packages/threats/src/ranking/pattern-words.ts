import type { ListedPattern, PatternWords } from "../library/compiled.js";
import { termsOf } from "./words.js";

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
