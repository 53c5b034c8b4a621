import type { Sql } from "@toolwright/kit/storage";
import type { IndexedTerm } from "./bm25.js";
import { type Candidate, defaultWeights, type Fused, fuse } from "./fuse.js";
import type { RowPassages } from "./hits.js";
import { matchRows, matchTexts } from "./match.js";
import type { Condition, Query } from "./query.js";
import { type RerankScores, rerank } from "./rerank.js";
import type { SearchOptions } from "./search-types.js";
import type { ByteCache } from "./segment.js";
import { cosinesOf, type NearRow, nearestRows, type QueryVector } from "./vector-retriever.js";
import { compareRows, type IndexRows, type Part } from "./views.js";
import {
  estimateTerms,
  expand,
  FEEDBACK_PASSAGES,
  lookUpTerms,
  readQueryTerms,
  WordScores,
} from "./words-retriever.js";

/** One of the two ways to find passages: by BM25 or by vectors. */
export type Retriever = "words" | "vector";

/** A retriever failed. The other one can still answer. */
export class RetrieverError extends Error {
  override readonly name = "RetrieverError";
  readonly retriever: Retriever;

  constructor(retriever: Retriever, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.retriever = retriever;
  }
}

async function runRetriever<Result>(retriever: Retriever, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RetrieverError ? error : new RetrieverError(retriever, error);
  }
}

/** Returns the error of a retriever, also if the database wrapped it in its own error. */
export function findRetrieverError(error: unknown): RetrieverError | undefined {
  const inner = error instanceof Error && !(error instanceof RetrieverError) ? error.cause : error;
  return inner instanceof RetrieverError ? inner : undefined;
}

/** Measures the stages of a search in milliseconds. */
export class Stopwatch {
  readonly spent = { vector: 0, words: 0, merge: 0 };

  async measure<Result>(part: keyof Stopwatch["spent"], work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.spent[part] += performance.now() - start;
    }
  }
}

/** Everything that one search uses. */
export interface SearchContext {
  readonly sql: Sql;
  readonly cache: ByteCache;
  readonly index: IndexRows;
  readonly passages: RowPassages;
  readonly query: Query;
  readonly options: SearchOptions;
  readonly retrievers: ReadonlySet<Retriever>;
  readonly queryVector: QueryVector | undefined;
  readonly stopwatch: Stopwatch;
}

/** The rows that a search found. */
export interface Findings {
  readonly fused: readonly Fused[];
  readonly words: WordScores;
  readonly total: number;
  readonly vectorCandidates: number;
  readonly wordsCandidates: number;
  readonly warnings: readonly string[];
}

/** The minimum number of candidates of each retriever. */
const MIN_CANDIDATES = 200;
/** In larger indexes, feedback scores only a pool: the best rows, a multiple of the candidates. */
const SMALL_INDEX = 20_000;
const POOL_FACTOR = 3;
/** The number of passages to rerank, and the maximum including those with the same score as the last. */
const RERANKED = 30;
const MAX_RERANKED = 60;
/** The maximum number of passages that are read to find phrases. */
const MAX_READ = 1000;

/** Finds rows with both retrievers, and merges and reranks them. */
export async function find(context: SearchContext): Promise<Findings> {
  const { stopwatch, query, options } = context;
  const words = new WordScores(context.index);
  const known = await stopwatch.measure("words", () => runRetriever("words", () => scoreWords(context, words)));
  if (query.condition !== undefined) return findMatching(context, words, known, query.condition);
  const near = await stopwatch.measure("vector", () => runRetriever("vector", () => findNear(context)));
  const limit = candidateLimit(options);
  const willExpand = options.expand !== false && words.terms.length > 0 && context.retrievers.has("words");
  const isLarge = willExpand && context.index.size > SMALL_INDEX;
  const { best, count } = words.rank(isLarge ? limit * POOL_FACTOR : limit);
  const totalOf = (found: number): number => found + near.filter(({ row }) => words.scores[row] === 0).length;
  let total = totalOf(count);
  const cosines = new Map(near.map(({ row, cosine }) => [row, cosine]));
  const pool = unionRows(near, best);
  // One query for all rows, because each query scans the whole table.
  if (isLarge) await addCosines(context, pool, cosines);
  let candidates = await toCandidates(context, words, unionRows(near, best.slice(0, limit)), cosines);
  let fused = fuseCandidates(context, candidates);
  if (willExpand) {
    const rows = isLarge ? pool : undefined;
    await stopwatch.measure("words", () => runRetriever("words", () => addExpansion(context, words, fused, rows)));
    const better = isLarge ? { best: words.rankOf(pool, limit), count } : words.rank(limit);
    total = Math.max(total, totalOf(better.count));
    candidates = await toCandidates(context, words, unionRows(near, better.best), cosines);
    fused = fuseCandidates(context, candidates);
  }
  fused = await rerankBest(context, words, candidates, fused);
  const wordsCandidates = candidates.filter(({ words: score }) => score !== undefined && score > 0).length;
  return { fused, words, total, vectorCandidates: near.length, wordsCandidates, warnings: [] };
}

async function scoreWords(context: SearchContext, words: WordScores): Promise<ReadonlyMap<string, IndexedTerm>> {
  const { sql, cache, index, query } = context;
  if (!context.retrievers.has("words") && query.condition === undefined) return new Map();
  const { scored, known } = await readQueryTerms(sql, cache, index, query);
  words.add(scored);
  return known;
}

async function findNear({ sql, cache, index, queryVector, options }: SearchContext): Promise<NearRow[]> {
  return queryVector === undefined ? [] : nearestRows(sql, cache, index, queryVector, candidateLimit(options));
}

const candidateLimit = ({ top_k }: SearchOptions): number => Math.max(MIN_CANDIDATES, top_k * 2);

const unionRows = (near: readonly NearRow[], best: readonly number[]): number[] => [
  ...new Set([...near.map(({ row }) => row), ...best]),
];

async function toCandidates(
  context: SearchContext,
  words: WordScores,
  rows: readonly number[],
  cosines: Map<number, number>,
): Promise<Candidate[]> {
  await addCosines(context, rows, cosines);
  const hasWords = context.retrievers.has("words");
  return rows.map((row) => ({ row, words: hasWords ? words.scores[row] : undefined, cosine: cosines.get(row) }));
}

/** Computes the cosines that are missing. */
async function addCosines(
  context: SearchContext,
  rows: readonly number[],
  cosines: Map<number, number>,
): Promise<void> {
  const { sql, cache, index, queryVector, stopwatch } = context;
  const missing = rows.filter((row) => !cosines.has(row));
  if (queryVector === undefined || missing.length === 0) return;
  const more = await stopwatch.measure("vector", () =>
    runRetriever("vector", () => cosinesOf(sql, cache, index, queryVector, missing)),
  );
  for (const [row, cosine] of more) cosines.set(row, cosine);
}

function fuseCandidates(
  { index, options, queryVector }: SearchContext,
  candidates: readonly Candidate[],
  scores?: ReadonlyMap<number, RerankScores>,
): Fused[] {
  const weights = options.weights ?? defaultWeights(queryVector?.embedder ?? "", scores !== undefined);
  const how = { weights, withRanks: options.explain === true, rerank: scores };
  return fuse(candidates, how, (one, other) => compareRows(index, one, other));
}

/** Reorders the best rows by their rerank scores. */
async function rerankBest(
  context: SearchContext,
  words: WordScores,
  candidates: readonly Candidate[],
  fused: readonly Fused[],
): Promise<Fused[]> {
  const { query, queryVector, stopwatch } = context;
  return stopwatch.measure("merge", async () => {
    const lowest = fused[RERANKED - 1]?.score ?? 0;
    const best = fused.slice(0, MAX_RERANKED).filter(({ score }, at) => at < RERANKED || score === lowest);
    const passages = await context.passages.of(best.map(({ row }) => row));
    const scores = await rerank(passages, { terms: words.terms, order: query.terms.keys(), vector: queryVector });
    return fuseCandidates(context, candidates, scores);
  });
}

async function addExpansion(
  context: SearchContext,
  words: WordScores,
  fused: readonly Fused[],
  rows: readonly number[] | undefined,
): Promise<void> {
  const { sql, cache, index } = context;
  const best = fused.slice(0, FEEDBACK_PASSAGES).filter(({ score }) => score > 0);
  const passages = await context.passages.of(best.map(({ row }) => row));
  const relevant = best.flatMap(({ row, score }) => {
    const fields = passages.get(row);
    return fields === undefined ? [] : [{ fields, score }];
  });
  if (relevant.length === 0) return;
  const terms = await expand(relevant, words.terms, {
    rows: index.rows,
    estimate: (wanted) => estimateTerms(sql, cache, index, wanted),
    lookUp: (wanted) => lookUpTerms(sql, cache, index, wanted),
  });
  words.add(terms, rows);
}

/** Finds rows that match a condition. Where the index cannot decide, reads the passages, best first. */
async function findMatching(
  context: SearchContext,
  words: WordScores,
  known: ReadonlyMap<string, IndexedTerm>,
  condition: Condition,
): Promise<Findings> {
  const { sql, index, stopwatch, retrievers } = context;
  const limit = candidateLimit(context.options);
  const { rows, unread, total } = await stopwatch.measure("words", () =>
    runRetriever("words", async () => {
      const phrases =
        sql.dialect === "postgres"
          ? await (await import("./postgres/phrases.js")).findPhraseRows(sql, index, condition)
          : undefined;
      const { certain, possible } = matchRows(index, known, condition, phrases);
      excludeFiltered(index.parts, possible);
      const max = Math.max(MAX_READ, limit);
      const ranked = words.rank(max, possible).best;
      const likely = [...ranked, ...unscoredRows(possible, words.scores, max - ranked.length)];
      const sure = likely.filter((row) => certain[row] === 1);
      const read = likely.filter((row) => certain[row] === 0).slice(0, MAX_READ);
      const matching = new Set([...sure, ...(await readMatching(context, read, condition))]);
      return {
        rows: likely.filter((row) => matching.has(row)),
        unread: countWhere(possible, (row) => certain[row] === 0) - read.length,
        total: matching.size + countWhere(possible, (row) => certain[row] === 1) - sure.length,
      };
    }),
  );
  const limited = rows.slice(0, limit);
  const candidates = await toCandidates(context, words, limited, new Map());
  const withVector = candidates.filter(({ cosine }) => cosine !== undefined);
  const warnings =
    unread > 0
      ? [
          `Only the ${MAX_READ} passages with most of the query words were searched for the phrase. Add a word to narrow the search.`,
        ]
      : [];
  return {
    fused: fuseCandidates(context, retrievers.has("words") ? candidates : withVector),
    words,
    total,
    vectorCandidates: withVector.length,
    wordsCandidates: limited.length,
    warnings,
  };
}

async function readMatching(
  { passages }: SearchContext,
  rows: readonly number[],
  condition: Condition,
): Promise<number[]> {
  return [...(await passages.of(rows))]
    .filter(([, { title, headings, content }]) => matchTexts([title, ...headings, content], condition))
    .map(([row]) => row);
}

function excludeFiltered(parts: readonly Part[], possible: Uint8Array): void {
  for (const { offset, allowed } of parts)
    for (let row = 0; row < allowed.length; row += 1) if (allowed[row] === 0) possible[offset + row] = 0;
}

/** Possible rows without a query term, in row order: the index may not contain what the condition requires. */
function unscoredRows(possible: Uint8Array, scores: Float64Array, limit: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < possible.length && rows.length < limit; row += 1)
    if (possible[row] === 1 && scores[row] === 0) rows.push(row);
  return rows;
}

function countWhere(possible: Uint8Array, test: (row: number) => boolean): number {
  let count = 0;
  for (let row = 0; row < possible.length; row += 1) if (possible[row] === 1 && test(row)) count += 1;
  return count;
}
