import { ToolError } from "@toolwright/engine";
import { findCollection, findVersion } from "../collections/find-collection.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { type AskResult, askQuestions, type Measures } from "./ask-questions.js";
import { type Question, readGolden } from "./questions.js";
import { smokeChecks } from "./smoke.js";

/** The result of all checks. */
export interface Gates {
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** The measures of the golden questions, if the collection has some. */
  readonly measures?: Measures;
}

/** The default thresholds. Collections override them with `thresholds` in their metadata. */
const THRESHOLDS: Partial<Measures> = { "recall@10": 0.7, mrr: 0.4 };

/** The allowed regression from the active version: about one or two questions in a hundred. */
const TOLERANCE: Partial<Measures> = { "recall@10": 0.02, mrr: 0.05, "ndcg@10": 0.03 };

/**
 * Checks whether a version may become active: it is complete, its passages are found by their own words, and, if the collection has
 * golden questions, it reaches the thresholds and does not regress from the active version.
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

/** Returns the thresholds of a collection. */
export function thresholdsOf(metadata: Readonly<Record<string, unknown>>): Partial<Measures> {
  const own = metadata["thresholds"];
  return typeof own === "object" && own !== null ? own : THRESHOLDS;
}

/** Compares measures with thresholds. */
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
    const note = `the active version ${active} reaches ${before.measures[measureName as keyof Measures]}`;
    return { name: `${measureName} without regression`, passed: value >= threshold, value, threshold, note };
  });
}

const latencyCheck = ({ latency }: AskResult): Check => ({
  name: "latency p95",
  passed: true,
  value: latency.p95,
  threshold: null,
  note: "milliseconds; not a gate",
});

/** A check of a version before its activation. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly value: number;
  /** The minimum of the value. Null: the value is informational. */
  readonly threshold: number | null;
  readonly note?: string;
}
