import type { Base } from "../base.js";
import { type SearchWish, search } from "../search/search.js";
import { average, DEPTH, type Judged, type Measures, measure } from "./measures.js";
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
export interface Asked {
  readonly measures: Measures;
  readonly misses: readonly Miss[];
  /** Of the searches, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p95: number };
}

/** How a version is asked. */
export interface AskOptions {
  readonly mode?: SearchWish["mode"];
  readonly signal?: AbortSignal | undefined;
  readonly hear?: ((done: number) => void) | undefined;
}

const GOOD_DEPTH = 10;

/** Asks one version all questions. Throws a `ToolError` where its vectors cannot be asked: words alone say little about it. */
export async function askAll(
  base: Base,
  of: { readonly name: string; readonly version: number },
  questions: readonly Question[],
  { mode, signal, hear }: AskOptions = {},
): Promise<Asked> {
  const all: Measures[] = [];
  const misses: Miss[] = [];
  const times: number[] = [];
  for (const { question, relevant } of questions) {
    signal?.throwIfAborted();
    const wish = { query: asWords(question), collections: [of], top_k: DEPTH, mode, signal, isMeasured: true };
    const { results, performance_metrics: spent } = await search(base, wish);
    times.push(spent.total_ms);
    const found = results.map((hit) => matches(hit, relevant));
    const judged: Judged = { found, grades: relevant.map(({ grade = 1 }) => grade) };
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
    hear?.(all.length);
  }
  return { measures: average(all), misses, latency: latencyOf(times) };
}

/** A question is prose: signs that mean something in a query are none in it. */
const asWords = (question: string): string =>
  question
    .replaceAll(/["“”„«»()]/g, " ")
    .replaceAll(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .replaceAll(/(^|\s)[+-](?=\S)/g, "$1");

function latencyOf(times: readonly number[]): Asked["latency"] {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
