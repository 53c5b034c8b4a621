import type { Explanation, Hit } from "./answer.js";
import { contributionOf, frequencyIn } from "./bm25.js";
import type { CloseLook } from "./close-look.js";
import { liftOf } from "./context.js";
import type { Findings, Work } from "./find.js";
import type { Fused } from "./fuse.js";
import { cite } from "./hits.js";
import { placeOf } from "./index-rows.js";
import { likelyTokens } from "./sieve.js";
import { makeSnippet } from "./snippet.js";

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
