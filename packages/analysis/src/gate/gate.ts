import { ToolError } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { type Comparison, compareWith } from "../complexity/baseline.js";
import { describeWorse } from "../complexity/write-report.js";
import { compareFiles, type Duplicates } from "../duplicates/find-duplicates.js";
import type { Facts } from "../facts/facts.js";
import { counted, escapeInvisible } from "../format.js";
import { findHotspots } from "../hotspots/find-hotspots.js";
import type { Hotspots } from "../hotspots/hotspots.js";
import type { AnalysisCall, ProjectFile, SkippedFile } from "../project/project.js";
import { NOT_TEXT, readProject } from "../project/read-project.js";
import { notesIn } from "../satd/find-notes.js";
import type { FoundNote } from "../satd/notes.js";

/** The limits of a project. */
export interface GateOptions {
  /** A folder or file, as the caller gave it. */
  readonly path: string;
  readonly max_cyclomatic: number;
  readonly max_cognitive: number;
  /** In percent of the lines. */
  readonly max_duplication: number;
  /** To-do comments of high or critical severity; undefined = not checked. */
  readonly max_severe_notes?: number | undefined;
  /** The highest score of a hotspot; undefined = not checked. */
  readonly max_hotspot?: number | undefined;
  /** Days of history for the hotspots; 90 by default. */
  readonly period_days?: number | undefined;
  /** A commit: no function may be worse than there. What exceeded a limit there may stay as it is. */
  readonly baseline?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** One of the worst findings of a check. */
interface Finding {
  readonly path: string;
  readonly line?: number;
  /** The function, or a description. */
  readonly name?: string;
  readonly value: number;
}

/** The result of one check. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly value: number;
  readonly limit: number;
  /** A few findings, worst first. */
  readonly worst: readonly Finding[];
  /** What was found. */
  readonly reason: string;
  /** What to do about it; only if the check failed. */
  readonly advice?: string;
}

/** The verdict. */
export interface Gate {
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** Verdict, reasons and advice in one paragraph. */
  readonly text: string;
}

const MAX_FINDINGS = 5;

/** Checks that no function exceeds a limit. A function that did in the baseline is only compared with it. */
function checkComplexity(
  metric: "cyclomatic" | "cognitive",
  files: readonly ProjectFile<"measures">[],
  limit: number,
  was: Comparison["was"] = () => undefined,
): Check {
  const total = files.reduce((sum, { facts }) => sum + facts.measures.functions.length, 0);
  const checked = files.flatMap(({ path, facts }) =>
    facts.measures.functions
      .filter((measures) => (was(measures)?.[metric] ?? 0) <= limit)
      .map(({ name, line, ...measures }) => ({ path, line, name, value: measures[metric] })),
  );
  const above = checked.filter(({ value }) => value > limit);
  const worst = worstOf(above.length === 0 ? checked : above);
  const number = above.length === 0 ? "None" : String(above.length);
  const exempt = total - checked.length;
  const before = exempt === 0 ? "" : `, not counting ${exempt} that did in the baseline`;
  return toCheck(`max_${metric}`, worst[0]?.value ?? 0, limit, worst, {
    reason: `${number} of ${counted(total, "function")} ${above.length > 1 ? "have" : "has"} a ${metric} complexity above ${limit}${before}.`,
    advice: `Split ${worst[0]?.name ?? ""} in ${locationOf(worst[0])} first. A hotspot analysis shows what to extract.`,
  });
}

/** Checks that no function is worse than in a commit. */
function checkBaseline(
  { baseline: { revision, worse, worse_functions: functions }, skipped }: Pick<Comparison, "baseline" | "skipped">,
  files: readonly ProjectFile<"measures">[],
): Check {
  const paths = new Map(files.map(({ displayPath, path }) => [displayPath, path]));
  const found = worse.map((each) => ({ each, path: paths.get(each.file) ?? each.file, value: each.is - each.was }));
  const most = worstOf(found);
  const worst = most.map(({ each: { line, function: name, metric, was, is }, path, value }) => ({
    path,
    line,
    name: `${name}: ${metric} ${was} → ${is}`,
    value,
  }));
  const first = most[0]?.each;
  const unread = skipped.length === 0 ? "" : `; ${counted(skipped.length, "file")} could not be compared`;
  return toCheck("baseline", functions, 0, worst, {
    reason: `${describeWorse(functions).replace(/^n/, "N")} than in ${revision}${unread}.`,
    advice: `Reduce the ${first?.metric ?? ""} complexity of ${first?.function ?? ""} in ${locationOf(worst[0])} from ${first?.is ?? 0} to ${first?.was ?? 0} again.`,
  });
}

/** Checks the share of duplicated lines. */
function checkDuplication(
  { percent, groups, duplicated_lines, lines }: Omit<Duplicates, "skipped">,
  limit: number,
): Check {
  const worst = groups.slice(0, MAX_FINDINGS).flatMap((group): Finding[] => {
    const [first] = group.copies;
    return first === undefined
      ? []
      : [{ path: first.path, line: first.line, name: `${group.copies.length} copies`, value: group.lines }];
  });
  return toCheck("max_duplication", percent, limit, worst, {
    reason: `${percent} % of the lines (${duplicated_lines} of ${lines}) are duplicated; the limit is ${limit} %.`,
    advice: `Replace the copies of the ${worst[0]?.value ?? 0} lines at ${locationOf(worst[0])} by one function.`,
  });
}

/** Checks the number of severe to-do comments. */
function checkNotes(notes: readonly FoundNote[], limit: number): Check {
  const worst = notes.slice(0, MAX_FINDINGS).map(({ path, line, word }) => ({ path, line, name: word, value: 1 }));
  return toCheck("max_severe_notes", notes.length, limit, worst, {
    reason: `${counted(notes.length, "to-do comment")} of high or critical severity; the limit is ${limit}.`,
    advice: `Resolve the comment at ${locationOf(worst[0])} first.`,
  });
}

/** Checks that every file could be read. */
function checkReadable(unread: readonly SkippedFile[], leftOut: readonly SkippedFile[]): Check {
  const [first] = leftOut;
  const beside =
    first === undefined ? "" : `; ${counted(leftOut.length, "file")} left out, such as ${first.path} (${first.reason})`;
  const worst = unread.map(({ path, line, reason }) => ({
    path,
    ...(line !== undefined && { line }),
    name: reason,
    value: 1,
  }));
  return toCheck("unparsed_files", unread.length, 0, worst.slice(0, MAX_FINDINGS), {
    reason:
      unread.length === 0
        ? `Every ${beside === "" ? "" : "other "}file could be read${beside}.`
        : `${counted(unread.length, "file")} could not be read completely${beside}.`,
    advice: `Fix ${locationOf(worst[0])} (${worst[0]?.name ?? ""}), or exclude such files.`,
  });
}

/** Checks the score of the hottest file. */
function checkHotspots({ files, basis }: Hotspots, limit: number): Check {
  const worst = files.slice(0, MAX_FINDINGS).map(({ path, score }) => ({ path, value: score }));
  const by = basis === "complexity" ? " by complexity alone, because there is no history" : "";
  return toCheck("max_hotspot", worst[0]?.value ?? 0, limit, worst, {
    reason: `The hottest file has a score of ${worst[0]?.value ?? 0}${by}; the limit is ${limit}.`,
    advice: `Begin with ${locationOf(worst[0])}. A hotspot analysis shows what to extract.`,
  });
}

/** A check passes if its value does not exceed the limit. */
function toCheck(
  name: string,
  value: number,
  limit: number,
  worst: readonly Finding[],
  { reason, advice }: { readonly reason: string; readonly advice: string },
): Check {
  const passed = value <= limit;
  return { name, passed, value, limit, worst, reason, ...(!passed && { advice }) };
}

const worstOf = <Entry extends Pick<Finding, "path" | "value">>(all: readonly Entry[]): readonly Entry[] =>
  all.toSorted((a, b) => b.value - a.value || (a.path < b.path ? -1 : 1)).slice(0, MAX_FINDINGS);

const locationOf = (finding: Finding | undefined): string =>
  finding === undefined ? "the code" : finding.line === undefined ? finding.path : `${finding.path}:${finding.line}`;

/** Checks a project against limits. */
export async function runGate(analysis: Analysis, call: AnalysisCall, options: GateOptions): Promise<Gate> {
  const { path, include, exclude, max_severe_notes, max_hotspot, baseline: revision, period_days = 90 } = options;
  const query = { path, include, exclude };
  const project = await readProject(analysis, call, {
    ...query,
    wanted: ["measures", "tokens", "notes"],
    trim: withoutIncrements,
  });
  const { files, skipped } = project;
  if (files.length === 0 && !skipped.some(isUnread)) throw noFiles(path);
  const compared = revision === undefined ? undefined : await compareWith(analysis, call, { revision, project, query });
  const checks: Check[] = [
    checkComplexity("cyclomatic", files, options.max_cyclomatic, compared?.was),
    checkComplexity("cognitive", files, options.max_cognitive, compared?.was),
    checkDuplication(await compareFiles(files, {}, call.signal), options.max_duplication),
    checkReadable(
      skipped.filter(isUnread),
      skipped.filter((file) => !isUnread(file)),
    ),
  ];
  if (compared !== undefined) checks.push(checkBaseline(compared, files));
  if (max_severe_notes !== undefined) {
    const severe = notesIn(files, { severity: "high" }).map(({ note }) => note);
    checks.push(checkNotes(severe, max_severe_notes));
  }
  if (max_hotspot !== undefined) {
    const { hotspots } = await findHotspots(analysis, call, { ...query, period_days, functions: 0 });
    checks.push(checkHotspots(hotspots, max_hotspot));
  }
  return toGate(checks, files.length);
}

/** A gate that checks nothing, such as for a mistyped glob, must not pass. */
const noFiles = (path: string): ToolError =>
  new ToolError(`Cannot check ${JSON.stringify(path)}: no source file is selected.`, {
    code: "NOT_FOUND",
    hint: { action: "check the path, include and exclude" },
    details: { path },
  });

/** Only the numbers are checked, and the increments take most of the memory. */
const withoutIncrements = <Rest extends Pick<Facts, "measures">>({ measures, ...rest }: Rest) => ({
  ...rest,
  measures: { ...measures, functions: measures.functions.map((each) => ({ ...each, increments: [] })) },
});

/** Large and binary files are left out on purpose; others should have been read. */
const isUnread = ({ reason }: SkippedFile): boolean => reason !== NOT_TEXT && !reason.startsWith("larger than");

function toGate(checks: readonly Check[], files: number): Gate {
  const failed = checks.filter(({ passed }) => !passed);
  const scope = counted(files, "file");
  if (failed.length === 0) return { passed: true, checks, text: `Passed: all ${checks.length} checks of ${scope}.` };
  const reasons = failed.map(({ name, reason, advice = "" }) => `${name}: ${reason} ${advice}`.trim());
  return {
    passed: false,
    checks,
    text: `Failed: ${failed.length} of ${checks.length} checks of ${scope}. ${escapeInvisible(reasons.join(" "))}`,
  };
}
