import { ToolError } from "@toolwright/engine";
import { findCollection, findVersion } from "../collections/find-collection.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { type AskResult, askQuestions, type Measures } from "./ask-questions.js";
import { type Question, readGolden } from "./questions.js";
import { smokeChecks } from "./smoke.js";

/** What all checks came to. */
export interface Gates {
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** Of the golden questions, where the collection keeps some. */
  readonly measures?: Measures;
}

/** What is asked of a collection that keeps questions, where its metadata say nothing else in `thresholds`. */
const THRESHOLDS: Partial<Measures> = { "recall@10": 0.7, mrr: 0.4 };

/** By how much a version may be worse than the active one: a question or two of a hundred is no regression. */
const TOLERANCE: Partial<Measures> = { "recall@10": 0.02, mrr: 0.05, "ndcg@10": 0.03 };

/**
 * Looks whether a version may answer: it is whole, its passages are found by their own words, and, where the collection keeps
 * questions, it reaches the thresholds and is not worse than the active version now.
 */
export async function runGates(
  context: KnowledgeContext,
  name: string,
  number: number,
  signal?: AbortSignal,
): Promise<Gates> {
  const store = await context.store();
  const { collection, version, questions } = await store.read(async (sql) => {
    const found = await findCollection(sql, name);
    return {
      collection: found,
      version: await findVersion(sql, found, number),
      questions: await readGolden(sql, found.id),
    };
  });
  const checks = [...(await smokeChecks(context, collection, version, signal))];
  if (questions.length === 0 || !checks.every((check) => check.passed)) return judge(checks);
  try {
    const asked = await askQuestions(context, { name, version: number }, questions, { signal });
    checks.push(...qualityChecks(asked.measures, thresholdsOf(collection.metadata)));
    const { active } = collection;
    if (active !== null && active !== number)
      checks.push(...(await compare(context, name, active, asked, questions, signal)));
    checks.push(latencyCheck(asked));
    return { ...judge(checks), measures: asked.measures };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ToolError && error.code === "UNAVAILABLE")) throw error;
    checks.push({ name: "questions can be asked", passed: false, value: 0, threshold: 1, note: error.message });
    return judge(checks);
  }
}

const judge = (checks: readonly Check[]): Gates => ({ passed: checks.every(({ passed }) => passed), checks });

/** What the collection asks of its versions. */
export function thresholdsOf(metadata: Readonly<Record<string, unknown>>): Partial<Measures> {
  const own = metadata["thresholds"];
  return typeof own === "object" && own !== null ? own : THRESHOLDS;
}

/** Compares measures with what they have to reach. */
export const qualityChecks = (measures: Measures, thresholds: Partial<Measures>): readonly Check[] =>
  Object.entries(thresholds).flatMap(([name, threshold]) => {
    const value = measures[name as keyof Measures];
    if (value === undefined || typeof threshold !== "number") return [];
    return [{ name, passed: value >= threshold, value, threshold }];
  });

async function compare(
  context: KnowledgeContext,
  name: string,
  active: number,
  { measures }: AskResult,
  questions: readonly Question[],
  signal: AbortSignal | undefined,
): Promise<readonly Check[]> {
  const before = await askQuestions(context, { name, version: active }, questions, { signal });
  return Object.entries(TOLERANCE).map(([measureName, tolerance]) => {
    const value = measures[measureName as keyof Measures];
    const threshold = Math.round((before.measures[measureName as keyof Measures] - tolerance) * 10_000) / 10_000;
    const note = `version ${active}, which answers, reaches ${before.measures[measureName as keyof Measures]}`;
    return { name: `${measureName} without regression`, passed: value >= threshold, value, threshold, note };
  });
}

const latencyCheck = ({ latency }: AskResult): Check => ({
  name: "latency p95",
  passed: true,
  value: latency.p95,
  threshold: null,
  note: "milliseconds; told, not judged",
});

/** One thing that was looked at before a version may answer. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly value: number;
  /** What the value has to reach; null where it is only told. */
  readonly threshold: number | null;
  readonly note?: string;
}
