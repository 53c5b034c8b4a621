import type { Call } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import type { Churn, FileChurn } from "../churn/churn.js";
import type { FunctionMeasures } from "../metrics/measures.js";
import type { ProjectFile } from "../project/project.js";
import { type Blamed, blame, type LineRange } from "./blame-lines.js";
import { callersOf, testsOf } from "./callers-and-tests.js";
import type { FunctionBrief } from "./hotspots.js";
import { toShares } from "./rank-files.js";
import { stepsOf } from "./steps.js";

type File = ProjectFile<"measures" | "calls">;

/** What briefs are made from. */
export interface BriefSources {
  readonly path: string;
  readonly files: readonly File[];
  readonly tests: readonly File[];
  /** Which files import a file, by its path. */
  readonly importers: (path: string) => ReadonlySet<string>;
  /** Undefined = there is no history. */
  readonly churn: Churn | undefined;
  readonly byPlace: ReadonlyMap<string, FileChurn>;
  /** Lines written later are recent. */
  readonly since: Date;
}

interface Chosen {
  readonly file: File;
  readonly measures: FunctionMeasures;
  readonly weight: number;
}

/** What is simpler is not worth a brief, however often its file is changed. */
const LEAST = { cognitive: 5, cyclomatic: 6 } as const;

const MOST_INCREMENTS = 40;
const MOST_COUPLED = 5;

/** Writes a brief for each of the worst functions: at most `count` of them, those that are simple or lie in one that is chosen left out. */
export async function writeBriefs(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  sources: BriefSources,
  count: number,
): Promise<readonly FunctionBrief[]> {
  const chosen = chooseFunctions(sources, count);
  const reach = await analysis.reach(call);
  const ranges = chosen.map(({ file: { place }, measures: { line, end_line } }) => ({ place, line, end_line }));
  const blamed = await blame(analysis, call, sources.path, ranges);
  const briefs: FunctionBrief[] = [];
  for (const [index, each] of chosen.entries()) {
    call.signal.throwIfAborted();
    const steps = await stepsOf(reach, each.file, each.measures, analysis.settings.file_bytes);
    briefs.push({ ...describe(each, sources), steps, ...writersOf(blamed, ranges[index], sources.since) });
  }
  return briefs;
}

function chooseFunctions({ files, churn, byPlace }: BriefSources, count: number): readonly Chosen[] {
  const ranked = files
    .flatMap((file) => {
      const change = churn === undefined ? 1 : (byPlace.get(file.place)?.score ?? 0);
      return file.facts.measures.functions.map((measures) => ({ file, measures, weight: measures.cognitive * change }));
    })
    .filter(({ weight, measures }) => weight > 0 && isWorthABrief(measures))
    .toSorted((one, other) => other.weight - one.weight || other.measures.cyclomatic - one.measures.cyclomatic);
  const chosen: Chosen[] = [];
  for (const each of ranked) {
    if (chosen.length >= count) break;
    if (!chosen.some((other) => overlap(each, other))) chosen.push(each);
  }
  return chosen;
}

/** Whether a function is complex enough for anybody to take it apart. */
export const isWorthABrief = ({ cognitive, cyclomatic }: FunctionMeasures): boolean =>
  cognitive >= LEAST.cognitive || cyclomatic >= LEAST.cyclomatic;

const overlap = (one: Chosen, other: Chosen): boolean =>
  one.file === other.file &&
  one.measures.line <= other.measures.end_line &&
  other.measures.line <= one.measures.end_line;

function describe({ file, measures, weight }: Chosen, { tests, importers, churn, byPlace }: BriefSources) {
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
      .slice(0, MOST_INCREMENTS)
      .map((each) => ({ line: each.line, adds: each.adds, reason: each.reason })),
    reasons: reasonsOf(increments),
    callers: callersOf(file, measures),
    coupled: coupledTo(byPlace.get(file.place)?.path, churn),
    tests: testsOf({ name, language: file.language, importers: importers(file.path) }, tests),
  };
}

function reasonsOf(increments: readonly { readonly reason: string; readonly adds: number }[]) {
  const reasons = new Map<string, { reason: string; times: number; adds: number }>();
  for (const { reason, adds } of increments) {
    const known = reasons.get(reason) ?? { reason, times: 0, adds: 0 };
    reasons.set(reason, { reason, times: known.times + 1, adds: known.adds + adds });
  }
  return [...reasons.values()].toSorted((one, other) => other.adds - one.adds);
}

function coupledTo(path: string | undefined, churn: Churn | undefined) {
  return (churn?.coupling ?? [])
    .filter(({ files }) => path !== undefined && files.includes(path))
    .toSorted((one, other) => other.degree - one.degree)
    .slice(0, MOST_COUPLED)
    .map(({ files: [one, other], degree }) => ({ path: one === path ? other : one, degree }));
}

function writersOf({ lines }: Blamed, range: LineRange | undefined, since: Date) {
  const written = (range && lines.get(range)) ?? [];
  const dates = written.flatMap(({ date }) => (date === undefined || date === "" ? [] : [date]));
  const authors = toShares(written.flatMap(({ author }) => (author === undefined ? [] : [[author, 1] as const])));
  const last = dates.toSorted((one, other) => Date.parse(other) - Date.parse(one))[0];
  if (last === undefined) return { authors };
  const recent = written.filter(({ date }) => date === undefined || Date.parse(date) >= since.getTime()).length;
  return { authors, last_change: last.slice(0, 10), recent_lines: recent };
}
