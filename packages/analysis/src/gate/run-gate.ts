import { ToolError } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { compareWith } from "../complexity/baseline.js";
import { compareFiles } from "../duplicates/find-duplicates.js";
import type { Facts } from "../facts/facts.js";
import { counted, escapeInvisible } from "../format.js";
import { findHotspots } from "../hotspots/find-hotspots.js";
import type { AnalysisCall, SkippedFile } from "../project/project.js";
import { NOT_TEXT, readProject } from "../project/read-project.js";
import { notesIn } from "../satd/find-notes.js";
import {
  type Check,
  checkBaseline,
  checkComplexity,
  checkDuplication,
  checkHotspots,
  checkNotes,
  checkReadable,
  type Gate,
  type GateOptions,
} from "./checks.js";

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
