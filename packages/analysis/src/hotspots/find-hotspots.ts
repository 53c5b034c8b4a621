import { ToolError } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import type { Churn } from "../churn/churn.js";
import { readChurn } from "../churn/read-churn.js";
import type { Facts } from "../facts/facts.js";
import { importersIn, linkFiles } from "../imports/read-graph.js";
import { type AnalysisCall, noSourceFiles, type ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { isWorthABrief, writeBriefs } from "./briefs.js";
import type { HotspotOptions, Hotspots } from "./hotspots.js";
import { churnByPath, rankFiles } from "./rank-files.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Ranks files by complexity × churn, and writes refactoring briefs for the worst functions. Also returns the churn; undefined if the
 * files were ranked without. The period ends at `now`.
 */
export async function findHotspots(
  analysis: Analysis,
  call: AnalysisCall,
  options: HotspotOptions,
  now: Date = analysis.now(),
): Promise<{ readonly hotspots: Hotspots; readonly churn: Churn | undefined }> {
  const { path, period_days, functions, include, exclude } = options;
  const project = await readProject(analysis, call, {
    path,
    include,
    exclude,
    wanted: ["measures", "calls", "imports", "outline"],
    trim: withoutDetails,
  });
  const { churn: read, failure } = await tryChurn(analysis, call, options, now);
  // Without changes in the period, churn cannot rank anything.
  const churn = read === undefined || read.commits === 0 ? undefined : read;
  const tests = project.files.filter(({ origin }) => origin === "test");
  const others = project.files.filter(({ origin }) => origin !== "test");
  const ranked = others.length > 0 ? others : tests;
  const byPath = churnByPath(churn);
  const { graph } = await linkFiles(await analysis.fileAccess(call), path, functions > 0 ? project.files : []);
  const sources = {
    path,
    files: ranked,
    tests,
    importers: importersIn(graph),
    churn,
    churnByPath: byPath,
    since: new Date(now.getTime() - period_days * DAY_MS),
  };
  const briefs = await writeBriefs(analysis, call, sources, functions);
  const hotspots: Hotspots = {
    files: rankFiles(ranked, churn && byPath),
    briefs,
    basis: churn === undefined ? "complexity" : "complexity and churn",
    period_days,
    is_shallow: read?.is_shallow ?? false,
    remarks: [
      ...(project.files.length === 0 ? [noSourceFiles(project.skipped.length)] : []),
      ...remarksOnChurn(read, failure, period_days),
      ...remarksOnBriefs(briefs.length, functions, ranked),
    ],
    tests: tests.length,
    skipped: project.skipped,
  };
  return { hotspots, churn };
}

/** Drops what takes most of the memory: all but the cognitive increments, and the signatures of declarations. */
const withoutDetails = <Rest extends Pick<Facts, "measures" | "outline">>({ measures, outline, ...rest }: Rest) => ({
  ...rest,
  outline: outline.map((each) => ({ ...each, signature: "" })),
  measures: {
    ...measures,
    functions: measures.functions.map((each) => ({
      ...each,
      increments: each.increments.filter(({ metric }) => metric === "cognitive"),
    })),
  },
});

/** Files are ranked without history, too; then the failure says why. */
async function tryChurn(
  analysis: Analysis,
  call: AnalysisCall,
  { path, period_days }: HotspotOptions,
  now: Date,
): Promise<{ readonly churn?: Churn; readonly failure?: string }> {
  try {
    return { churn: await readChurn(analysis, call, { path, period_days }, now) };
  } catch (error) {
    if (call.signal.aborted || !(error instanceof ToolError)) throw error;
    return { failure: error.message };
  }
}

function remarksOnChurn(churn: Churn | undefined, failure: string | undefined, days: number): readonly string[] {
  if (churn === undefined) return [`Ranked by complexity alone, because there is no history. ${failure ?? ""}`.trim()];
  return [
    ...(churn.commits === 0
      ? [
          `Ranked by complexity alone, because nothing changed in the last ${days === 1 ? "day" : `${days} days`}. Use a longer period.`,
        ]
      : []),
    ...(churn.is_shallow
      ? ["The clone is shallow: changes before its first commit are missing. Run git fetch --unshallow to get them."]
      : []),
  ];
}

/** Explains why there are fewer briefs than requested. */
function remarksOnBriefs(count: number, wanted: number, files: readonly ProjectFile<"measures">[]): readonly string[] {
  const functions = files.flatMap(({ facts }) => facts.measures.functions);
  if (count >= wanted || functions.every((each) => each.cognitive === 0 || isWorthABrief(each))) return [];
  const few = count === 0 ? "No function is" : count === 1 ? "Only 1 function is" : `Only ${count} functions are`;
  return [
    `${few} worth a brief: the others have a cognitive complexity below 5 and a cyclomatic complexity below 6, or did not change.`,
  ];
}
