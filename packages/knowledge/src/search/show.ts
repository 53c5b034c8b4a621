import { contributionOf, frequencyIn, liftOf } from "./bm25.js";
import type { Findings, Work } from "./find.js";
import type { Fused } from "./fuse.js";
import { cite } from "./hits.js";
import { likelyTokens } from "./match.js";
import type { CloseLook } from "./rerank.js";
import type { Explanation, Hit, Stretch } from "./search-types.js";
import type { eachToken } from "./terms.js";
import { placeOf } from "./views.js";

/** Makes results of what was found: the texts, where they stand, what to mark in them, and how their scores came about. */
export async function showHits(work: Work, findings: Findings, shown: readonly Fused[]): Promise<Hit[]> {
  const { sql, index, wish } = work;
  const passages = await work.passages.of(shown.map(({ row }) => row));
  const there = shown.flatMap((fused) => {
    const passage = passages.get(fused.row);
    return passage === undefined ? [] : [{ fused, passage }];
  });
  const found = await cite(
    sql,
    there.map(({ fused, passage }) => [placeOf(index, fused.row).part.view.chosen, passage]),
  );
  const worth = new Map(
    findings.words.terms.filter(({ origin }) => origin === "query").map(({ term, idf }) => [term, idf]),
  );
  const eachLikely = likelyTokens(worth.keys());
  return found.map((hit, at): Hit => {
    const { fused } = there[at] as (typeof there)[number];
    return {
      ...hit,
      ...makeSnippet(hit.content, worth, eachLikely),
      score: fused.score,
      ...(fused.cosine !== undefined && { vector_score: fused.cosine }),
      ...(fused.words !== undefined && { bm25_score: fused.words }),
      ...(wish.explain === true && { explain: explain(work, findings, fused) }),
    };
  });
}

function explain({ index, wish }: Work, { words }: Findings, fused: Fused): Explanation {
  const { part, at } = placeOf(index, fused.row);
  const place = index.parts.indexOf(part);
  const length = part.columns.length[at] as number;
  const terms = words.terms.flatMap((term) => {
    const postings = term.postings[place];
    const tf = postings === undefined ? 0 : frequencyIn(postings, at);
    const isLifted = term.origin === "query" && words.lifted.has(fused.row);
    const nearby = isLifted ? liftOf(index, place, term, at) : 0;
    if (tf === 0 && nearby === 0) return [];
    const { term: name, origin, weight, df, idf } = term;
    const own = contributionOf(term, tf, length, index.averageLength);
    return [{ term: name, origin, weight, tf, df, idf, nearby, contribution: own + nearby }];
  });
  const { wordsShare, vectorShare, words: score, cosine, look, repeated } = fused;
  return {
    fusion: wish.fusion ?? "weights",
    ...(wordsShare !== undefined &&
      score !== undefined && {
        words: {
          score,
          ...shareOf(wordsShare),
          ...told(look, ["stretch", "together", "heading"]),
          length,
          average_length: index.averageLength,
          terms,
        },
      }),
    ...(vectorShare !== undefined &&
      cosine !== undefined && {
        vector: {
          cosine,
          ...shareOf(vectorShare),
          ...(look?.cosine !== undefined && { stretch: look.cosine }),
          ...told(look, ["feedback"]),
        },
      }),
    ...(repeated !== undefined && { repeated }),
    expansion_terms: words.terms.filter(({ origin }) => origin === "expansion").map(({ term }) => term),
  };
}

const shareOf = ({ rank, normalised, weight }: NonNullable<Fused["wordsShare"]>) => ({
  ...(rank !== undefined && { rank }),
  normalised,
  weight,
});

/** Some parts of what a closer look told, as far as it told them. */
const told = (look: CloseLook | undefined, parts: readonly (keyof CloseLook)[]): Partial<Record<string, number>> =>
  Object.fromEntries(parts.flatMap((part) => (look?.[part] === undefined ? [] : [[part, look[part]]])));

/** The part of a text that is shown, and what is marked in it. */
export interface Snippet {
  readonly snippet: string;
  readonly highlights: readonly Stretch[];
}

/** About as much as people take in at a glance. */
const LENGTH = 320;

interface Mark extends Stretch {
  readonly term: string;
}

/** Cuts out the part of a text in which most of the terms are; `worth` says what each is worth, and `eachLikely` finds them. */
export function makeSnippet(text: string, worth: ReadonlyMap<string, number>, eachLikely: typeof eachToken): Snippet {
  const marks: Mark[] = [];
  eachLikely(text, (start, end, { terms }, kind) => {
    const term = kind === "single" ? undefined : terms.find((each) => worth.has(each));
    if (term !== undefined) marks.push({ start, end, term });
  });
  const [start, end] = trim(text, ...windowOf(text, bestRun(marks, worth)));
  const inside = marks.filter((mark) => mark.start >= start && mark.end <= end);
  return { snippet: text.slice(start, end), highlights: merge(inside, start) };
}

/** The marks that lie together within the length and are worth most; of equal ones the first. */
function bestRun(marks: readonly Mark[], worth: ReadonlyMap<string, number>): readonly Mark[] {
  let [best, bestWorth]: [readonly Mark[], number] = [[], 0];
  for (const [index, first] of marks.entries()) {
    const seen = new Set<string>();
    let [sum, last] = [0, index];
    for (let at = index; at < marks.length; at += 1) {
      const mark = marks[at] as Mark;
      if (mark.end - first.start > LENGTH) break;
      // A word that is there again is worth a little: it breaks ties.
      sum += (worth.get(mark.term) ?? 0) * (seen.has(mark.term) ? 0.05 : 1);
      seen.add(mark.term);
      last = at;
    }
    if (sum > bestWorth) [best, bestWorth] = [marks.slice(index, last + 1), sum];
  }
  return best;
}

function windowOf(text: string, run: readonly Mark[]): readonly [number, number] {
  const first = run[0]?.start ?? 0;
  const last = run.at(-1)?.end ?? 0;
  const spare = Math.max(0, LENGTH - (last - first));
  const start = Math.max(0, Math.min(first - Math.floor(spare / 3), text.length - LENGTH));
  return [start, Math.min(text.length, Math.max(start + LENGTH, last))];
}

/** Begins and ends a stretch between words, where there is a gap near; never inside a character. */
function trim(text: string, from: number, to: number): readonly [number, number] {
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
  if (isLowHalf(text, start)) start += 1;
  if (isLowHalf(text, end)) end -= 1;
  return [start, end];
}

const isLowHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Marks that touch or overlap are one. */
function merge(marks: readonly Mark[], shift: number): Stretch[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of marks) {
    const last = merged.at(-1);
    if (last !== undefined && start - shift <= last.end) last.end = Math.max(last.end, end - shift);
    else merged.push({ start: start - shift, end: end - shift });
  }
  return merged;
}
