import { formOf } from "@toolwright/kit/files";
import type { Analysis } from "../analysis.js";
import type { Churn, FileChurn } from "../churn/churn.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import type { AnalysisCall, ProjectFile } from "../project/project.js";
import { readSource } from "../project/read-source.js";
import { type BlameResult, blameLines, type LineRange } from "./blame-lines.js";
import { callersOf, testsOf } from "./callers-and-tests.js";
import type { FunctionBrief, Step } from "./hotspots.js";
import { toShares } from "./rank-files.js";

type File = ProjectFile<"measures" | "calls">;

/** What briefs are made from. */
export interface BriefSources {
  readonly path: string;
  readonly files: readonly File[];
  readonly tests: readonly File[];
  /** The files that import a file, by its path. */
  readonly importers: (path: string) => ReadonlySet<string>;
  /** Undefined = there is no history. */
  readonly churn: Churn | undefined;
  readonly churnByPath: ReadonlyMap<string, FileChurn>;
  /** Lines written later are recent. */
  readonly since: Date;
}

interface Candidate {
  readonly file: File;
  readonly measures: FunctionMeasures;
  readonly weight: number;
}

/** A simpler function is not worth a brief, however often its file changes. */
const MIN = { cognitive: 5, cyclomatic: 6 } as const;

const MAX_INCREMENTS = 40;
const MAX_COUPLED = 5;

/** Writes briefs for the worst functions, at most `count`. Simple functions and nested ones are left out. */
export async function writeBriefs(
  analysis: Analysis,
  call: AnalysisCall,
  sources: BriefSources,
  count: number,
): Promise<readonly FunctionBrief[]> {
  const chosen = chooseFunctions(sources, count);
  const ranges = chosen.map(({ file: { realPath }, measures: { line, end_line } }) => ({ realPath, line, end_line }));
  const blame = await blameLines(analysis, call, sources.path, ranges);
  return Promise.all(
    chosen.map(async (each, index) => ({
      ...describeFunction(each, sources),
      steps: await readSteps(analysis, call, each),
      ...authorsOf(blame, ranges[index], sources.since),
    })),
  );
}

function chooseFunctions({ files, churn, churnByPath }: BriefSources, count: number): readonly Candidate[] {
  const ranked = files
    .flatMap((file) => {
      const change = churn === undefined ? 1 : (churnByPath.get(file.realPath)?.score ?? 0);
      return file.facts.measures.functions.map((measures) => ({ file, measures, weight: measures.cognitive * change }));
    })
    .filter(({ weight, measures }) => weight > 0 && isWorthABrief(measures))
    .toSorted((a, b) => b.weight - a.weight || b.measures.cyclomatic - a.measures.cyclomatic);
  const chosen: Candidate[] = [];
  for (const each of ranked) {
    if (chosen.length >= count) break;
    if (!chosen.some((other) => overlap(each, other))) chosen.push(each);
  }
  return chosen;
}

/** Whether a function is complex enough to be refactored. */
export const isWorthABrief = ({ cognitive, cyclomatic }: FunctionMeasures): boolean =>
  cognitive >= MIN.cognitive || cyclomatic >= MIN.cyclomatic;

const overlap = (a: Candidate, b: Candidate): boolean =>
  a.file === b.file && a.measures.line <= b.measures.end_line && b.measures.line <= a.measures.end_line;

/** Lets a worker thread find what to extract; none if it fails. */
async function readSteps(
  analysis: Analysis,
  call: AnalysisCall,
  { file: { realPath, language }, measures: { line, end_line, cognitive } }: Candidate,
): Promise<readonly Step[]> {
  const { bytes } = await readSource(await analysis.fileAccess(call), realPath, analysis.settings.maxFileBytes);
  const form = bytes && formOf(bytes);
  if (bytes === undefined || form === undefined) return [];
  const workers = await analysis.workers();
  const job = { language, bytes, form, range: { line, end_line, cognitive } };
  return (await workers.findSteps(job, call.signal)).steps ?? [];
}

function describeFunction(
  { file, measures, weight }: Candidate,
  { tests, importers, churn, churnByPath }: BriefSources,
) {
  const { name, line, end_line, cyclomatic, cognitive, nesting, parameters } = measures;
  const increments = measures.increments.filter(({ metric }) => metric === "cognitive");
  return {
    path: file.path,
    function: name,
    line,
    end_line,
    cyclomatic,
    cognitive,
    nesting,
    parameters,
    weight: Number(weight.toFixed(2)),
    increments: increments
      .slice(0, MAX_INCREMENTS)
      .map((each) => ({ line: each.line, adds: each.adds, reason: each.reason })),
    reasons: reasonsOf(increments),
    callers: callersOf(file, measures),
    coupled: coupledTo(churnByPath.get(file.realPath)?.path, churn),
    tests: testsOf({ name, language: file.language, importers: importers(file.path) }, tests),
  };
}

function reasonsOf(increments: readonly { readonly reason: string; readonly adds: number }[]) {
  const reasons = new Map<string, { reason: string; times: number; adds: number }>();
  for (const { reason, adds } of increments) {
    const known = reasons.get(reason) ?? { reason, times: 0, adds: 0 };
    reasons.set(reason, { reason, times: known.times + 1, adds: known.adds + adds });
  }
  return [...reasons.values()].toSorted((a, b) => b.adds - a.adds);
}

function coupledTo(path: string | undefined, churn: Churn | undefined) {
  return (churn?.coupling ?? [])
    .filter(({ files }) => path !== undefined && files.includes(path))
    .toSorted((a, b) => b.degree - a.degree)
    .slice(0, MAX_COUPLED)
    .map(({ files: [one, other], degree }) => ({ path: one === path ? other : one, degree }));
}

function authorsOf({ lines }: BlameResult, range: LineRange | undefined, since: Date) {
  const written = (range && lines.get(range)) ?? [];
  const dates = written.flatMap(({ date }) => (date === undefined || date === "" ? [] : [date]));
  const authors = toShares(written.flatMap(({ author }) => (author === undefined ? [] : [[author, 1] as const])));
  const last = dates.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
  if (last === undefined) return { authors };
  const recent = written.filter(({ date }) => date === undefined || Date.parse(date) >= since.getTime()).length;
  return { authors, last_change: last.slice(0, 10), recent_lines: recent };
}
