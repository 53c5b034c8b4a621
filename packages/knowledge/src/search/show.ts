import { contributionOf, frequencyIn } from "./bm25.js";
import type { Findings, SearchContext } from "./find.js";
import type { Fused } from "./fuse.js";
import { cite } from "./hits.js";
import { likelyTokens } from "./match.js";
import type { Explanation, Hit, TextSpan } from "./search-types.js";
import type { eachToken } from "./terms.js";
import { locateRow } from "./views.js";

/** Converts rows to results with texts, citations, snippets and, if requested, explanations. */
export async function showHits(context: SearchContext, findings: Findings, shown: readonly Fused[]): Promise<Hit[]> {
  const { sql, index, options } = context;
  const passages = await context.passages.of(shown.map(({ row }) => row));
  const found = shown.flatMap((fused) => {
    const passage = passages.get(fused.row);
    return passage === undefined ? [] : [{ fused, passage }];
  });
  const cited = await cite(
    sql,
    found.map(({ fused, passage }) => [locateRow(index, fused.row).part.view.chosen, passage]),
  );
  const queryTerms = findings.words.terms.filter(({ origin }) => origin === "query");
  const weights = new Map(queryTerms.map(({ term, idf }) => [term, idf]));
  const eachLikely = likelyTokens(weights.keys());
  return cited.map((hit, at): Hit => {
    const { fused } = found[at] as (typeof found)[number];
    return {
      ...hit,
      ...makeSnippet(hit.content, weights, eachLikely),
      score: fused.score,
      ...(fused.cosine !== undefined && { vector_score: fused.cosine }),
      ...(fused.words !== undefined && { bm25_score: fused.words }),
      ...(options.explain === true && { explain: explain(context, findings, fused) }),
    };
  });
}

function explain({ index }: SearchContext, { words }: Findings, fused: Fused): Explanation {
  const { part, at } = locateRow(index, fused.row);
  const segment = index.parts.indexOf(part);
  const length = part.columns.length[at] as number;
  const terms = words.terms.flatMap((term) => {
    const postings = term.postings[segment];
    const tf = postings === undefined ? 0 : frequencyIn(postings, at);
    if (tf === 0) return [];
    const { term: name, origin, weight, df, idf } = term;
    return [
      { term: name, origin, weight, tf, df, idf, contribution: contributionOf(term, tf, length, index.averageLength) },
    ];
  });
  const { wordsShare, vectorShare, words: score, cosine, rerank = {} } = fused;
  const { window, proximity, heading, windowCosine } = rerank;
  return {
    ...(wordsShare !== undefined &&
      score !== undefined && {
        words: {
          score,
          ...describeShare(wordsShare),
          ...(window !== undefined && { window }),
          ...(proximity !== undefined && { proximity }),
          ...(heading !== undefined && { heading }),
          length,
          average_length: index.averageLength,
          terms,
        },
      }),
    ...(vectorShare !== undefined &&
      cosine !== undefined && {
        vector: {
          cosine,
          ...describeShare(vectorShare),
          ...(windowCosine !== undefined && { window: windowCosine }),
        },
      }),
    expansion_terms: words.terms.filter(({ origin }) => origin === "expansion").map(({ term }) => term),
  };
}

const describeShare = ({ rank, normalised, weight }: NonNullable<Fused["wordsShare"]>) => ({
  ...(rank !== undefined && { rank }),
  normalised,
  weight,
});

/** The labels of the rerank scores in an explanation, with their values. */
export function describeRerank({ words, vector }: Explanation): readonly (readonly [label: string, value: number])[] {
  const scores: [string, number | undefined][] = [
    ["query terms in the best window", words?.window],
    ["adjacent query terms close together", words?.proximity],
    ["heading terms in the query", words?.heading],
    ["nearest window (cosine)", vector?.window],
  ];
  return scores.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
}

/** An excerpt of a text with the query words in it. */
interface Snippet {
  readonly snippet: string;
  readonly highlights: readonly TextSpan[];
}

const SNIPPET_LENGTH = 320;

interface TermMatch extends TextSpan {
  readonly term: string;
}

/** Returns the excerpt of a text with the highest sum of term weights. */
function makeSnippet(text: string, weights: ReadonlyMap<string, number>, eachLikely: typeof eachToken): Snippet {
  const matches: TermMatch[] = [];
  eachLikely(text, (start, end, { terms }, kind) => {
    const term = kind === "single" ? undefined : terms.find((each) => weights.has(each));
    if (term !== undefined) matches.push({ start, end, term });
  });
  const [start, end] = trimToWords(text, ...snippetRange(text, bestRun(matches, weights)));
  const inside = matches.filter((match) => match.start >= start && match.end <= end);
  return { snippet: text.slice(start, end), highlights: mergeSpans(inside, start) };
}

/** Returns the run of matches within the snippet length that has the highest weight. The first of equal runs wins. */
function bestRun(matches: readonly TermMatch[], weights: ReadonlyMap<string, number>): readonly TermMatch[] {
  let [best, bestWeight]: [readonly TermMatch[], number] = [[], 0];
  for (const [index, first] of matches.entries()) {
    const seen = new Set<string>();
    let [sum, last] = [0, index];
    for (let at = index; at < matches.length; at += 1) {
      const match = matches[at] as TermMatch;
      if (match.end - first.start > SNIPPET_LENGTH) break;
      // A repeated term adds a little, to break ties.
      sum += (weights.get(match.term) ?? 0) * (seen.has(match.term) ? 0.05 : 1);
      seen.add(match.term);
      last = at;
    }
    if (sum > bestWeight) [best, bestWeight] = [matches.slice(index, last + 1), sum];
  }
  return best;
}

function snippetRange(text: string, run: readonly TermMatch[]): readonly [number, number] {
  const first = run[0]?.start ?? 0;
  const last = run.at(-1)?.end ?? 0;
  const spare = Math.max(0, SNIPPET_LENGTH - (last - first));
  const start = Math.max(0, Math.min(first - Math.floor(spare / 3), text.length - SNIPPET_LENGTH));
  return [start, Math.min(text.length, Math.max(start + SNIPPET_LENGTH, last))];
}

/** Moves both ends to a word boundary if one is near. Never splits a surrogate pair. */
function trimToWords(text: string, from: number, to: number): readonly [number, number] {
  let [start, end] = [from, to];
  if (start > 0) {
    const gap = text.slice(start - 1, start + 30).search(/\s/);
    if (gap !== -1) start += gap;
  }
  if (end < text.length) {
    const tail = text.slice(end - 30, end + 1);
    const gap = Math.max(...[" ", "\n", "\t"].map((blank) => tail.lastIndexOf(blank)));
    if (gap !== -1) end += gap - 30;
  }
  while (start < end && /\s/.test(text[start] as string)) start += 1;
  while (end > start && /\s/.test(text[end - 1] as string)) end -= 1;
  if (isLowSurrogate(text, start)) start += 1;
  if (isLowSurrogate(text, end)) end -= 1;
  return [start, end];
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Merges spans that touch or overlap. */
function mergeSpans(spans: readonly TextSpan[], offset: number): TextSpan[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = merged.at(-1);
    if (last !== undefined && start - offset <= last.end) last.end = Math.max(last.end, end - offset);
    else merged.push({ start: start - offset, end: end - offset });
  }
  return merged;
}
