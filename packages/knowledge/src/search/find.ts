import type { Sql } from "@toolwright/kit/storage";
import type { IndexedTerm } from "./bm25.js";
import { type Candidate, defaultWeights, type Fused, fuse, lowerRepeats } from "./fuse.js";
import type { RowPassages } from "./hits.js";
import { matchRows, matchTexts } from "./match.js";
import type { Condition, Query } from "./query.js";
import { type CloseLook, lookClosely } from "./rerank.js";
import type { SearchWish } from "./search-types.js";
import type { ByteCache } from "./segment.js";
import { cosinesOf, type NearRow, nearestRows, type VectorQuestion } from "./vector-retriever.js";
import { compareRows, type IndexRows, type Part } from "./views.js";
import {
  estimateTerms,
  expand,
  FEEDBACK_PASSAGES,
  lookUpTerms,
  readQueryTerms,
  WordScores,
} from "./words-retriever.js";

/** What a search works with. */
export interface Work {
  readonly sql: Sql;
  readonly cache: ByteCache;
  readonly index: IndexRows;
  readonly passages: RowPassages;
  readonly query: Query;
  readonly wish: SearchWish;
  readonly legs: ReadonlySet<Leg>;
  readonly question: VectorQuestion | undefined;
  readonly watch: Stopwatch;
}

/** What a search has found, before it is shown. */
export interface Findings {
  readonly fused: readonly Fused[];
  readonly words: WordScores;
  readonly total: number;
  readonly vectorCandidates: number;
  readonly wordsCandidates: number;
  readonly warnings: readonly string[];
}

/** How many rows each leg names, at least. */
const CANDIDATES = 200;
/**
 * Feedback orders anew what the first pass has found: of a small base all rows, of a larger one so many times as each leg names. A row
 * further down does not come up: its words are too few.
 */
const SMALL = 20_000;
const POOL = 3;
/** How many of the best passages are looked at closely, and how many at most where more are as good as the last of them. */
const LOOKED_AT = 30;
const MOST_LOOKED_AT = 60;
/** How many passages are read at most to look for a phrase in them. */
const MOST_READ = 1000;

/** Finds rows by words and by meaning, and puts them in one order. */
export async function find(work: Work): Promise<Findings> {
  const { watch, query } = work;
  const words = new WordScores(work.index);
  const known = await watch.measure("words", () => asLeg("words", () => scoreWords(work, words)));
  if (query.condition !== undefined) return findStrict(work, words, known, query.condition);
  const near = await watch.measure("vector", () => asLeg("vector", () => findNear(work)));
  const limit = limitOf(work.wish);
  const willExpand = work.wish.expand !== false && words.terms.length > 0 && work.legs.has("words");
  const isLarge = willExpand && work.index.size > SMALL;
  const { best, count } = words.rank(isLarge ? limit * POOL : limit);
  const totalOf = (found: number): number => found + near.filter(({ row }) => words.scores[row] === 0).length;
  let total = totalOf(count);
  const cosines = new Map(near.map(({ row, cosine }) => [row, cosine]));
  const pool = withNear(near, best);
  words.lift(pool);
  // All at once: each question goes through the whole table.
  if (isLarge) await addCosines(work, pool, cosines);
  let candidates = await weigh(work, words, withNear(near, best.slice(0, limit)), cosines);
  let fused = order(work, candidates);
  if (willExpand) {
    const rows = isLarge ? pool : undefined;
    await watch.measure("words", () => asLeg("words", () => addExpansion(work, words, fused, rows)));
    const better = isLarge ? { best: words.rankOf(pool, limit), count } : words.rank(limit);
    // Words of the best passages find more.
    total = Math.max(total, totalOf(better.count));
    candidates = await weigh(work, words, withNear(near, better.best), cosines);
    fused = order(work, candidates);
  }
  if (work.wish.fusion !== "rrf") fused = await judgeClosely(work, words, candidates, fused);
  const wordsCandidates = candidates.filter(({ words: score }) => score !== undefined && score > 0).length;
  return { fused, words, total, vectorCandidates: near.length, wordsCandidates, warnings: [] };
}

async function scoreWords(work: Work, words: WordScores): Promise<ReadonlyMap<string, IndexedTerm>> {
  const { sql, cache, index, query } = work;
  if (!work.legs.has("words") && query.condition === undefined) return new Map();
  const { scored, known } = await readQueryTerms(sql, cache, index, query);
  words.add(scored);
  return known;
}

async function findNear({ sql, cache, index, question, wish }: Work): Promise<NearRow[]> {
  return question === undefined ? [] : nearestRows(sql, cache, index, question, limitOf(wish));
}

const limitOf = ({ top_k }: SearchWish): number => Math.max(CANDIDATES, top_k * 2);

/** The best of both legs. */
const withNear = (near: readonly NearRow[], best: readonly number[]): number[] => [
  ...new Set([...near.map(({ row }) => row), ...best]),
];

/** Rows, each with what both legs say of it. */
async function weigh(
  work: Work,
  words: WordScores,
  rows: readonly number[],
  cosines: Map<number, number>,
): Promise<Candidate[]> {
  await addCosines(work, rows, cosines);
  const hasWords = work.legs.has("words");
  return rows.map((row) => ({ row, words: hasWords ? words.scores[row] : undefined, cosine: cosines.get(row) }));
}

/** Asks for the cosines of rows that are not known yet. */
async function addCosines(work: Work, rows: readonly number[], cosines: Map<number, number>): Promise<void> {
  const { sql, cache, index, question, watch } = work;
  const missing = rows.filter((row) => !cosines.has(row));
  if (question === undefined || missing.length === 0) return;
  const more = await watch.measure("vector", () =>
    asLeg("vector", () => cosinesOf(sql, cache, index, question, missing)),
  );
  for (const [row, cosine] of more) cosines.set(row, cosine);
}

function order(
  { index, wish, question }: Work,
  candidates: readonly Candidate[],
  looks?: ReadonlyMap<number, CloseLook>,
): Fused[] {
  const weights = wish.weights ?? defaultWeights(question?.embedder ?? "", looks !== undefined);
  const how = { fusion: wish.fusion ?? "weights", weights, wantsRanks: wish.explain === true, looks };
  return fuse(candidates, how, (one, other) => compareRows(index, one, other));
}

/** Orders anew by a closer look at the best rows. */
async function judgeClosely(
  work: Work,
  words: WordScores,
  candidates: readonly Candidate[],
  fused: readonly Fused[],
): Promise<Fused[]> {
  const { index, query, question, watch, wish } = work;
  return watch.measure("merge", async () => {
    const least = fused[LOOKED_AT - 1]?.score ?? 0;
    const best = fused.slice(0, MOST_LOOKED_AT).filter(({ score }, at) => at < LOOKED_AT || score === least);
    const passages = await work.passages.of(best.map(({ row }) => row));
    const believed = wish.expand === false ? [] : best.slice(0, FEEDBACK_PASSAGES);
    const looks = await lookClosely(passages, {
      terms: words.terms,
      order: query.terms.keys(),
      question,
      believed: new Map(believed.map(({ row, score }) => [row, score])),
    });
    return lowerRepeats(order(work, candidates, looks), passages, (one, other) => compareRows(index, one, other));
  });
}

async function addExpansion(
  work: Work,
  words: WordScores,
  fused: readonly Fused[],
  rows: readonly number[] | undefined,
): Promise<void> {
  const { sql, cache, index } = work;
  const best = fused.slice(0, FEEDBACK_PASSAGES).filter(({ score }) => score > 0);
  const passages = await work.passages.of(best.map(({ row }) => row));
  const believed = best.flatMap(({ row, score }) => {
    const fields = passages.get(row);
    return fields === undefined ? [] : [{ fields, score }];
  });
  if (believed.length === 0) return;
  const terms = await expand(believed, words.terms, {
    rows: index.rows,
    estimate: (asked) => estimateTerms(sql, cache, index, asked),
    lookUp: (asked) => lookUpTerms(sql, cache, index, asked),
  });
  words.add(terms, rows);
}

/** Finds rows that fulfil a condition: where the index cannot tell, by reading the passages, the best ones first. */
async function findStrict(
  work: Work,
  words: WordScores,
  known: ReadonlyMap<string, IndexedTerm>,
  condition: Condition,
): Promise<Findings> {
  const { sql, index, watch, legs } = work;
  const { rows, unread, total } = await watch.measure("words", () =>
    asLeg("words", async () => {
      const told =
        sql.dialect === "postgres"
          ? await (await import("./postgres/phrases.js")).phraseRows(sql, index, condition)
          : undefined;
      const { certain, possible } = matchRows(index, known, condition, told);
      leaveOut(index.parts, possible);
      const most = Math.max(MOST_READ, limitOf(work.wish));
      const ranked = words.rank(most, possible).best;
      const likely = [...ranked, ...unscored(possible, words.scores, most - ranked.length)];
      const sure = likely.filter((row) => certain[row] === 1);
      const unsure = likely.filter((row) => certain[row] === 0);
      const read = unsure.slice(0, MOST_READ);
      const fitting = new Set([...sure, ...(await readFitting(work, read, condition))]);
      const count = fitting.size + countOf(possible, certain) - sure.length;
      return {
        rows: likely.filter((row) => fitting.has(row)),
        unread: countUnsure(possible, certain) - read.length,
        total: count,
      };
    }),
  );
  const limited = rows.slice(0, limitOf(work.wish));
  const candidates = await weigh(work, words, limited, new Map());
  const warnings =
    unread > 0
      ? [`Only ${MOST_READ} passages were read to look for the phrase, those with most of the words first. Add a word.`]
      : [];
  return {
    fused: order(work, legs.has("words") ? candidates : candidates.filter(({ cosine }) => cosine !== undefined)),
    words,
    total,
    vectorCandidates: candidates.filter(({ cosine }) => cosine !== undefined).length,
    wordsCandidates: limited.length,
    warnings,
  };
}

async function readFitting({ passages }: Work, rows: readonly number[], condition: Condition): Promise<number[]> {
  return [...(await passages.of(rows))]
    .filter(([, { title, headings, content }]) => matchTexts([title, ...headings, content], condition))
    .map(([row]) => row);
}

/** One of the two ways in which passages are found. */
export type Leg = "words" | "vector";

/** A leg that failed: the other one can answer. */
export class LegFailure extends Error {
  override readonly name = "LegFailure";
  readonly leg: Leg;

  constructor(leg: Leg, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.leg = leg;
  }
}

/** Does a leg's part of the work, and says whose fault it was where it fails. */
export async function asLeg<Result>(leg: Leg, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LegFailure ? error : new LegFailure(leg, error);
  }
}

/** The leg's failure in a fault that came through the database, which has put its own words around it. */
export function failureIn(error: unknown): LegFailure | undefined {
  const inner = error instanceof Error && !(error instanceof LegFailure) ? error.cause : error;
  return inner instanceof LegFailure ? inner : undefined;
}

/** How long each part of a search took, in ms. */
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

/** Takes the rows out of a mask, a byte a row, that are not alive or that a filter leaves out. */
export function leaveOut(parts: readonly Part[], possible: Uint8Array): void {
  for (const { offset, allowed } of parts)
    for (let row = 0; row < allowed.length; row += 1) if (allowed[row] === 0) possible[offset + row] = 0;
}

/** Rows that have none of the words, in their order: what is demanded of them may be in no index. */
export function unscored(possible: Uint8Array, scores: Float64Array, most: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < possible.length && rows.length < most; row += 1)
    if (possible[row] === 1 && scores[row] === 0) rows.push(row);
  return rows;
}

/** How many rows are possible and certain. */
export function countOf(possible: Uint8Array, certain: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < possible.length; row += 1) count += (possible[row] as number) & (certain[row] as number);
  return count;
}

/** How many rows are possible and not certain. */
export function countUnsure(possible: Uint8Array, certain: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < possible.length; row += 1)
    count += (possible[row] as number) & (1 - (certain[row] as number));
  return count;
}
