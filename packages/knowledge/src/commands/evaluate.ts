import { Failure, numberOf, readNamed, UsageError } from "@toolwright/kit/cli";
import { drawTable, remark, type Screen, say, sayJson } from "@toolwright/kit/terminal";
import { type Evaluation, evaluate } from "../evaluation/evaluate.js";
import type { Check } from "../evaluation/gates.js";
import type { GivenQuestion } from "../evaluation/questions.js";
import type { Bench, Deed } from "./bench.js";
import { withBar } from "./with-bar.js";
import { count, forPeople } from "./words.js";

/** How many misses are listed where nothing else is said. */
const USUAL = 10;

/** `toolwright kb evaluate`: measures a version by questions whose answers are known; ends with 1 where it does not pass. */
export const evaluateOne: Deed = async (bench) => {
  const { options, screen } = bench;
  const most = numberOf(options, "--limit", 0, 1000) ?? USUAL;
  const [file] = options["--questions"] ?? [];
  if (options["--save"] !== undefined && file === undefined) throw new UsageError("--save needs --questions");
  const result = await ask(bench, file === undefined ? undefined : readQuestions(file, await readNamed(file)));
  if (!result.passed) process.exitCode = 1;
  if (options["--json"]) return sayJson(result);
  for (const warning of result.warnings) remark(`! ${forPeople(warning)}`);
  if (options["--quiet"]) return;
  await say(show(result, screen, most));
};

const ask = (bench: Bench, questions: readonly GivenQuestion[] | undefined): Promise<Evaluation> =>
  withBar(bench, "Interrupted; nothing was written down", ({ signal, progress }) =>
    evaluate(bench.base, {
      collection: bench.words[0] ?? "",
      version: numberOf(bench.options, "--version", 0),
      questions,
      save: bench.options["--save"] !== undefined,
      signal,
      onProgress: (done) =>
        progress(done, `ask: ${done}${questions === undefined ? "" : ` of ${questions.length}`} questions`),
    }),
  );

/** A list of questions, or an object that has one. */
function readQuestions(file: string, text: string): readonly GivenQuestion[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure(
      `Cannot read the questions in ${JSON.stringify(file)}: it is no JSON: ${(error as Error).message}`,
      2,
      error,
    );
  }
  const list = Array.isArray(value) ? value : (value as { questions?: unknown } | null)?.questions;
  const isGood = (each: unknown): each is GivenQuestion => {
    const { question, relevant } = (each ?? {}) as Partial<GivenQuestion>;
    return typeof question === "string" && Array.isArray(relevant);
  };
  if (Array.isArray(list) && list.every(isGood)) return list;
  throw new Failure(
    `Cannot read the questions in ${JSON.stringify(file)}: it needs a list such as [{"question":"…","relevant":["docs/a.md#Heading"]}]`,
    2,
  );
}

function show(result: Evaluation, { paint, width }: Screen, most: number): string {
  const { collection, version, questions, measures, checks, misses, latency, passed } = result;
  const mark = passed ? paint.green("✓ passed") : paint.red("✗ not passed");
  const table = drawTable(
    [
      { name: "measure", text: ([name]: readonly [string, number]) => name },
      { name: "value", text: ([, value]) => value.toFixed(3), isNumber: true },
      { name: "needs", text: ([name]) => needsOf(checks, name), isNumber: true },
    ],
    Object.entries(measures),
    { width, head: paint.faint },
  );
  const shown = misses.slice(0, most);
  const missed = drawTable(
    [
      { name: "question", text: ({ question }) => question, gives: "words" },
      { name: "found at", text: ({ rank }) => (rank === null ? "not" : String(rank)), isNumber: true },
      { name: "missing", text: ({ missing }) => missing.join(", "), gives: "path" },
    ],
    shown,
    { width, head: paint.faint },
  );
  return [
    `${paint.bold(collection)} version ${version}, ${count(questions, "question")}: ${mark}`,
    "",
    table,
    paint.faint(`p50 ${latency.p50.toFixed(1)} ms, p95 ${latency.p95.toFixed(1)} ms`),
    ...(shown.length === 0
      ? []
      : ["", `${count(misses.length, "question")} without all that is relevant among the first ten`, missed]),
  ].join("\n");
}

const needsOf = (checks: readonly Check[], name: string): string =>
  checks.find((check) => check.name === name)?.threshold?.toFixed(3) ?? "";
