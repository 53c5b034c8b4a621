import type { OnProgress } from "@toolwright/kit/progress";
import { TimeSlice } from "@toolwright/kit/time";
import type { KnowledgeContext } from "../knowledge-context.js";
import { search } from "../search/search.js";
import type { SearchOptions } from "../search/search-types.js";
import { matches, type Question } from "./questions.js";

/** A question whose relevant results were not all found. */
interface Miss {
  readonly question: string;
  /** The relevant results that are not among the first ten. */
  readonly missing: readonly string[];
  /** The rank of the first relevant result; null if it is not among the first twenty. */
  readonly rank: number | null;
  /** The anchor of the first result. */
  readonly first: string | null;
}

/** The result of an evaluation run. */
export interface AskResult {
  readonly measures: Measures;
  readonly misses: readonly Miss[];
  /** The duration of the searches in milliseconds. */
  readonly latency: { readonly p50: number; readonly p95: number };
}

/** Options for an evaluation run. */
export interface AskOptions {
  readonly mode?: SearchOptions["mode"];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

const GOOD_DEPTH = 10;

/** Searches one version for all questions. Throws a `ToolError` if vectors are unavailable, because results by words alone say little about it. */
export async function askQuestions(
  context: KnowledgeContext,
  of: { readonly name: string; readonly version: number },
  questions: readonly Question[],
  { mode, signal, onProgress }: AskOptions = {},
): Promise<AskResult> {
  const all: Measures[] = [];
  const misses: Miss[] = [];
  const times: number[] = [];
  const slice = new TimeSlice();
  for (const { question, relevant } of questions) {
    signal?.throwIfAborted();
    if (slice.isOver) await slice.next(signal);
    const options = { query: toPlainQuery(question), collections: [of], top_k: DEPTH, mode, signal, isMeasured: true };
    const { results, performance_metrics: spent } = await search(context, options);
    times.push(spent.total_ms);
    const found = results.map((hit) => matches(hit, relevant));
    const judged: JudgedResults = { found, grades: relevant.map(({ grade = 1 }) => grade) };
    all.push(measure(judged));
    const seen = new Set(found.slice(0, GOOD_DEPTH).flat());
    const missing = relevant.filter((_, at) => !seen.has(at));
    const first = found.findIndex((hit) => hit.length > 0);
    if (missing.length > 0)
      misses.push({
        question,
        missing: missing.map(({ source, heading }) => (heading === undefined ? source : `${source}#${heading}`)),
        rank: first === -1 ? null : first + 1,
        first: results[0]?.citation.anchor ?? null,
      });
    onProgress?.({ stage: "Asking questions", done: all.length, total: questions.length, unit: "questions" });
  }
  return { measures: average(all), misses, latency: latencyOf(times) };
}

/** Removes query operators: a question is prose. */
const toPlainQuery = (question: string): string =>
  question
    .replaceAll(/["“”„«»()]/g, " ")
    .replaceAll(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .replaceAll(/(^|\s)[+-](?=\S)/g, "$1");

function latencyOf(times: readonly number[]): AskResult["latency"] {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/** The results of a search for one question, with their relevance. */
export interface JudgedResults {
  /** For each result, best first: the indexes of the relevant entries that it matches. */
  readonly found: readonly (readonly number[])[];
  /** The grades of the relevant entries. */
  readonly grades: readonly number[];
}

/** The retrieval quality, each value from 0 to 1. */
export interface Measures {
  readonly "recall@1": number;
  readonly "recall@5": number;
  readonly "recall@10": number;
  readonly "recall@20": number;
  readonly "precision@5": number;
  readonly "precision@10": number;
  readonly mrr: number;
  readonly "ndcg@10": number;
}

/** The number of results per search. */
const DEPTH = 20;

/** Computes the measures of one question. */
export function measure(judged: JudgedResults): Measures {
  return {
    "recall@1": recall(judged, 1),
    "recall@5": recall(judged, 5),
    "recall@10": recall(judged, 10),
    "recall@20": recall(judged, 20),
    "precision@5": precision(judged, 5),
    "precision@10": precision(judged, 10),
    mrr: reciprocalRank(judged),
    "ndcg@10": gain(judged, 10),
  };
}

/** Returns the means over all questions; 0 if there are none. */
export function average(all: readonly Measures[]): Measures {
  const mean = (name: keyof Measures): number =>
    all.length === 0 ? 0 : round(all.reduce((sum, measures) => sum + measures[name], 0) / all.length);
  return {
    "recall@1": mean("recall@1"),
    "recall@5": mean("recall@5"),
    "recall@10": mean("recall@10"),
    "recall@20": mean("recall@20"),
    "precision@5": mean("precision@5"),
    "precision@10": mean("precision@10"),
    mrr: mean("mrr"),
    "ndcg@10": mean("ndcg@10"),
  };
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The share of the relevant entries that the first results contain. */
function recall({ found, grades }: JudgedResults, depth: number): number {
  const seen = new Set(found.slice(0, depth).flat());
  return grades.length === 0 ? 0 : seen.size / grades.length;
}

/** The share of the first results that is relevant. */
const precision = ({ found }: JudgedResults, depth: number): number =>
  found.slice(0, depth).filter((hit) => hit.length > 0).length / depth;

function reciprocalRank({ found }: JudgedResults): number {
  const first = found.findIndex((hit) => hit.length > 0);
  return first === -1 ? 0 : 1 / (first + 1);
}

/** Normalised discounted cumulative gain. Each relevant entry counts once, at its first result. */
function gain({ found, grades }: JudgedResults, depth: number): number {
  const seen = new Set<number>();
  let sum = 0;
  for (const [rank, hit] of found.slice(0, depth).entries())
    for (const index of hit) {
      if (seen.has(index)) continue;
      seen.add(index);
      sum += discount(grades[index] ?? 0, rank);
    }
  // One result can match several entries, so the sum can exceed the ideal order.
  const ideal = [...grades].sort((one, other) => other - one).slice(0, depth);
  const best = ideal.reduce((total, grade, rank) => total + discount(grade, rank), 0);
  return best === 0 ? 0 : Math.min(1, sum / best);
}

const discount = (grade: number, rank: number): number => (2 ** grade - 1) / Math.log2(rank + 2);
