import type { Entry } from "./library.js";

/** A template that matches a query. */
export interface Hit {
  readonly entry: Entry;
  readonly relevance: number;
  /** Where the query was found. */
  readonly matched: readonly string[];
}

const SCORES = { name: 10, partOfName: 5, description: 3, parameter: 1 };

/** Finds templates by relevance. If none contains the whole query, those that contain all of its words are found. */
export function search(entries: readonly Entry[], query: string): readonly Hit[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [];
  const hits = rank(entries.map((entry) => score(entry, wanted)));
  const words = wanted.split(/\s+/);
  return hits.length > 0 ? hits : rank(entries.map((entry) => scoreWords(entry, words)));
}

function score(entry: Entry, wanted: string, names: readonly string[] = [entry.name]): Hit {
  const contains = (text: string): boolean => text.toLowerCase().includes(wanted);
  const matched: string[] = [];
  let relevance = 0;
  const add = (points: number, where: string): void => {
    relevance += points;
    matched.push(where);
  };
  if (entry.name.toLowerCase() === wanted) add(SCORES.name, "name");
  else if (names.some(contains)) add(SCORES.partOfName, "name");
  if (contains(entry.description)) add(SCORES.description, "description");
  for (const { name } of entry.source.parameters) if (contains(name)) add(SCORES.parameter, `parameters.${name}`);
  return { entry, relevance, matched };
}

/** A word may also be part of the URI: the name of a python-uv template says "Python uv". */
function scoreWords(entry: Entry, words: readonly string[]): Hit {
  const hits = words.map((word) => score(entry, word, [entry.name, entry.uri]));
  const hasAll = hits.every(({ relevance }) => relevance > 0);
  return {
    entry,
    relevance: hasAll ? hits.reduce((sum, { relevance }) => sum + relevance, 0) : 0,
    matched: [...new Set(hits.flatMap(({ matched }) => matched))],
  };
}

const rank = (hits: readonly Hit[]): readonly Hit[] =>
  hits.filter(({ relevance }) => relevance > 0).sort((left, right) => right.relevance - left.relevance);
