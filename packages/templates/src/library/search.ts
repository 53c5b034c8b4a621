import type { Entry } from "./library.js";

/** A template that fits a search, and how well. */
export interface Hit {
  readonly entry: Entry;
  readonly relevance: number;
  /** Where the words were found. */
  readonly matched: readonly string[];
}

const IS_NAME = 10;
const IN_NAME = 5;
const IN_DESCRIPTION = 3;
const IN_PARAMETER = 1;

/** Finds templates, the most relevant first. Where nothing has the query as a whole, what has all of its words is found. */
export function search(entries: readonly Entry[], query: string): readonly Hit[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [];
  const whole = ranked(entries.map((entry) => rate(entry, wanted)));
  const words = wanted.split(/\s+/);
  return whole.length > 0 ? whole : ranked(entries.map((entry) => rateWords(entry, words)));
}

function rate(entry: Entry, wanted: string, names: readonly string[] = [entry.name]): Hit {
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  const matched: string[] = [];
  let relevance = 0;
  const add = (score: number, where: string): void => {
    relevance += score;
    matched.push(where);
  };
  if (entry.name.toLowerCase() === wanted) add(IS_NAME, "name");
  else if (names.some(has)) add(IN_NAME, "name");
  if (has(entry.description)) add(IN_DESCRIPTION, "description");
  for (const { name } of entry.source.parameters) if (has(name)) add(IN_PARAMETER, `parameters.${name}`);
  return { entry, relevance, matched };
}

/** Words may also be those of the URI: people ask for python-uv, and the name says it in other words. */
function rateWords(entry: Entry, words: readonly string[]): Hit {
  const hits = words.map((word) => rate(entry, word, [entry.name, entry.uri]));
  const isWhole = hits.every(({ relevance }) => relevance > 0);
  return {
    entry,
    relevance: isWhole ? hits.reduce((sum, { relevance }) => sum + relevance, 0) : 0,
    matched: [...new Set(hits.flatMap(({ matched }) => matched))],
  };
}

const ranked = (hits: readonly Hit[]): readonly Hit[] =>
  hits.filter(({ relevance }) => relevance > 0).sort((left, right) => right.relevance - left.relevance);
