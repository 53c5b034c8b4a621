import { type CommandContext, Failure, readNamed, UsageError } from "@toolwright/kit/cli";
import { drawTable, remark, type Screen, say, sayJson } from "@toolwright/kit/terminal";
import { type Evaluation, evaluate } from "../evaluation/evaluate.js";
import type { Check } from "../evaluation/gates.js";
import type { QuestionInput } from "../evaluation/questions.js";
import { count } from "./format.js";
import { type CommonInput, interruptible, withKnowledge } from "./open-knowledge.js";

interface EvaluateInput extends CommonInput {
  readonly collection: string;
  readonly questions: string | undefined;
  readonly save: boolean;
  readonly version: number | undefined;
  readonly limit: number;
}

/** `toolwright kb evaluate` */
export const runEvaluate = (input: EvaluateInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { collection, questions: file, save, version } = input;
    if (save && file === undefined) throw new UsageError("--save needs --questions");
    const questions = file === undefined ? undefined : parseQuestions(file, await readNamed(file));
    const { signal, onProgress } = ctx;
    const result = await interruptible(ctx, "Interrupted; nothing was saved", () =>
      evaluate(context, { collection, version, questions, save, signal, onProgress }),
    );
    if (!result.passed) process.exitCode = 1;
    if (input.json) return sayJson(result);
    for (const warning of result.warnings) remark(`! ${warning}`);
    if (!input.quiet) await say(showEvaluation(result, ctx.screen, input.limit));
  });

/** Parses a list of questions, or an object that contains one. */
function parseQuestions(file: string, text: string): readonly QuestionInput[] {
  const reject = (reason: string, cause?: unknown): never => {
    throw new Failure(`Cannot read the questions in ${JSON.stringify(file)}: ${reason}`, 2, cause);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return reject(`it is not JSON: ${(error as Error).message}`, error);
  }
  const list = Array.isArray(value) ? value : (value as { questions?: unknown } | null)?.questions;
  const isValid = (each: unknown): each is QuestionInput => {
    const { question, relevant } = (each ?? {}) as Partial<QuestionInput>;
    return typeof question === "string" && Array.isArray(relevant);
  };
  if (Array.isArray(list) && list.every(isValid)) return list;
  return reject('it must contain a list such as [{"question":"…","relevant":["docs/a.md#Heading"]}]');
}

function showEvaluation(result: Evaluation, { paint, width }: Screen, limit: number): string {
  const { collection, version, questions, measures, checks, misses, latency, passed } = result;
  const tableOptions = { width, head: paint.faint };
  const mark = passed ? paint.green("✓ passed") : paint.red("✗ not passed");
  const table = drawTable(
    [
      { name: "measure", text: ([name]: readonly [string, number]) => name },
      { name: "value", text: ([, value]) => value.toFixed(3), isNumber: true },
      { name: "required", text: ([name]) => requiredValue(checks, name), isNumber: true },
    ],
    Object.entries(measures),
    tableOptions,
  );
  const shown = misses.slice(0, limit);
  const missed = drawTable(
    [
      { name: "question", text: ({ question }) => question, gives: "words" },
      { name: "first hit", text: ({ rank }) => (rank === null ? "none" : String(rank)), isNumber: true },
      { name: "missing", text: ({ missing }) => missing.join(", "), gives: "path" },
    ],
    shown,
    tableOptions,
  );
  const title = `${count(misses.length, "question")} whose relevant documents are not all in the first ten results`;
  return [
    `${paint.bold(collection)} version ${version}, ${count(questions, "question")}: ${mark}`,
    "",
    table,
    paint.faint(`p50 ${latency.p50.toFixed(1)} ms, p95 ${latency.p95.toFixed(1)} ms`),
    ...(shown.length === 0 ? [] : ["", title, missed]),
  ].join("\n");
}

const requiredValue = (checks: readonly Check[], name: string): string =>
  checks.find((check) => check.name === name)?.threshold?.toFixed(3) ?? "";
