import { type Call, ToolError } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { compareWith } from "../complexity/baseline.js";
import { compareInTurns } from "../duplicates/find-duplicates.js";
import type { Facts } from "../facts/facts.js";
import { counted, escapeInvisible } from "../format.js";
import { findHotspots } from "../hotspots/find-hotspots.js";
import type { SkippedFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
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
  type GateWish,
} from "./checks.js";

/** Judges a project by all that was wished for, and says why. */
export async function runGate(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  wish: GateWish,
): Promise<Gate> {
  const { path, include, exclude, max_severe_notes: notes, max_hotspot: hotspot, period_days = 90 } = wish;
  const where = { path, include, exclude };
  const project = await readProject(analysis, call, {
    ...where,
    wanted: ["measures", "tokens", "notes"],
    trim: withoutIncrements,
  });
  const { files, skipped } = project;
  if (files.length === 0 && !skipped.some(isUnread)) throw nothingThere(path);
  const { baseline: revision } = wish;
  const compared =
    revision === undefined ? undefined : await compareWith(analysis, call, { revision, project, wish: where });
  const checks: Check[] = [
    checkComplexity("cyclomatic", files, wish.max_cyclomatic, compared?.was),
    checkComplexity("cognitive", files, wish.max_cognitive, compared?.was),
    checkDuplication(await compareInTurns(files, {}, call.signal), wish.max_duplication),
    checkReadable(
      skipped.filter(isUnread),
      skipped.filter((file) => !isUnread(file)),
    ),
  ];
  if (compared !== undefined) checks.push(checkBaseline(compared, files));
  if (notes !== undefined) {
    const severe = notesIn(files, { severity: "high" }).map(({ note }) => note);
    checks.push(checkNotes(severe, notes));
  }
  if (hotspot !== undefined)
    checks.push(checkHotspots(await findHotspots(analysis, call, { ...where, period_days, functions: 0 }), hotspot));
  return toGate(checks, files.length);
}

/** A gate that looks at nothing, because of a mistyped glob, must not pass. */
const nothingThere = (path: string): ToolError =>
  new ToolError(
    `Cannot judge ${JSON.stringify(path)}: no source file is there that fits. Give another project_path, include or exclude.`,
    { code: "NOT_FOUND", details: { path } },
  );

/** Only the numbers are judged, and the increments are the most of what is measured. */
const withoutIncrements = <Rest extends Pick<Facts, "measures">>({ measures, ...rest }: Rest) => ({
  ...rest,
  measures: { ...measures, functions: measures.functions.map((each) => ({ ...each, increments: [] })) },
});

/** Files that are large or no text are left out on purpose; the others should have been read. */
const isUnread = ({ reason }: SkippedFile): boolean => !/^(?:larger than|no text)/.test(reason);

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
