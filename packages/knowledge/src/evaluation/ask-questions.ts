import type { OnProgress } from "@toolwright/kit/progress";
import type { KnowledgeContext } from "../knowledge-context.js";
import { search } from "../search/search.js";
import type { SearchOptions } from "../search/search-types.js";
import { matches, type Question } from "./questions.js";

/** How one question went that was not answered well. */
interface Miss {
  readonly question: string;
  /** What should have been among the first ten, and was not. */
  readonly missing: readonly string[];
  /** Where the first relevant result stands; null = not among the first twenty. */
  readonly rank: number | null;
  /** What came first instead. */
  readonly first: string | null;
}

/** What asking all questions came to. */
export interface AskResult {
  readonly measures: Measures;
  readonly misses: readonly Miss[];
  /** Of the searches, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p95: number };
}

/** How a version is asked. */
export interface AskOptions {
  readonly mode?: SearchOptions["mode"];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

const GOOD_DEPTH = 10;

/** Asks one version all questions. Throws a `ToolError` where its vectors cannot be asked: words alone say little about it. */
export async function askQuestions(
  context: KnowledgeContext,
  of: { readonly name: string; readonly version: number },
  questions: readonly Question[],
  { mode, signal, onProgress }: AskOptions = {},
): Promise<AskResult> {
  const all: Measures[] = [];
  const misses: Miss[] = [];
  const times: number[] = [];
  for (const { question, relevant } of questions) {
    signal?.throwIfAborted();
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

/** A question is prose: signs that mean something in a query are none in it. */
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

/** What a search found for one question, as the measures see it. */
export interface JudgedResults {
  /** Of each result, best first: which of the relevant things it is, by their places in the list. */
  readonly found: readonly (readonly number[])[];
  /** How much each of the relevant things is worth. */
  readonly grades: readonly number[];
}

/** How well questions are answered, each between 0 and 1. */
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

/** How many results are looked at. */
const DEPTH = 20;

/** The measures of one question. */
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

/** The means over all questions; of none, all are 0. */
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

/** The part of the relevant things that is among the first results. */
function recall({ found, grades }: JudgedResults, depth: number): number {
  const seen = new Set(found.slice(0, depth).flat());
  return grades.length === 0 ? 0 : seen.size / grades.length;
}

/** The part of the first results that is relevant. */
const precision = ({ found }: JudgedResults, depth: number): number =>
  found.slice(0, depth).filter((hit) => hit.length > 0).length / depth;

function reciprocalRank({ found }: JudgedResults): number {
  const first = found.findIndex((hit) => hit.length > 0);
  return first === -1 ? 0 : 1 / (first + 1);
}

/** Normalised discounted cumulative gain: a thing counts where it is met first, and the more the earlier that is. */
function gain({ found, grades }: JudgedResults, depth: number): number {
  const seen = new Set<number>();
  let sum = 0;
  for (const [rank, hit] of found.slice(0, depth).entries())
    for (const thing of hit) {
      if (seen.has(thing)) continue;
      seen.add(thing);
      sum += discount(grades[thing] ?? 0, rank);
    }
  // One result can be several things, so that more than the best order of single things would be reached.
  const ideal = [...grades].sort((one, other) => other - one).slice(0, depth);
  const best = ideal.reduce((total, grade, rank) => total + discount(grade, rank), 0);
  return best === 0 ? 0 : Math.min(1, sum / best);
}

const discount = (grade: number, rank: number): number => (2 ** grade - 1) / Math.log2(rank + 2);
