import { type Call, ToolError } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import type { Churn } from "../churn/churn.js";
import { readChurn } from "../churn/read-churn.js";
import type { Facts } from "../facts/facts.js";
import { readProject } from "../project/read-project.js";
import { writeBriefs } from "./briefs.js";
import type { Hotspots, HotspotsWish } from "./hotspots.js";
import { churnByPlace, rankFiles } from "./rank-files.js";

type HotspotsCall = Pick<Call, "signal" | "can" | "roots" | "progress">;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Finds where complex code changes often, and says of the worst functions how to take them apart. `now` is where the period ends. */
export async function findHotspots(
  analysis: Analysis,
  call: HotspotsCall,
  wish: HotspotsWish,
  now: Date = new Date(),
): Promise<Hotspots> {
  const { path, period_days, include, exclude } = wish;
  const project = await readProject(analysis, call, {
    path,
    include,
    exclude,
    wanted: ["measures", "calls", "imports"],
    trim: withoutDecisions,
  });
  const { churn: read, fault } = await tryChurn(analysis, call, wish, now);
  // Where nothing has changed, change tells nothing apart.
  const churn = read === undefined || read.commits === 0 ? undefined : read;
  const tests = project.files.filter(({ origin }) => origin === "test");
  const others = project.files.filter(({ origin }) => origin !== "test");
  const ranked = others.length > 0 ? others : tests;
  const byPlace = churnByPlace(churn);
  const since = new Date(now.getTime() - period_days * DAY_MS);
  const sources = { path, files: ranked, tests, churn, byPlace, since };
  return {
    files: rankFiles(ranked, churn && byPlace),
    briefs: await writeBriefs(analysis, call, sources, wish.functions),
    basis: churn === undefined ? "complexity" : "complexity and churn",
    period_days,
    is_shallow: read?.is_shallow ?? false,
    remarks: remarksOn(read, fault, period_days),
    tests: tests.length,
    skipped: project.skipped,
  };
}

/** Only the cognitive complexity is explained, and the increments are the most of what is measured. */
const withoutDecisions = <Rest extends Pick<Facts, "measures">>({ measures, ...rest }: Rest) => ({
  ...rest,
  measures: {
    ...measures,
    functions: measures.functions.map((each) => ({
      ...each,
      increments: each.increments.filter(({ metric }) => metric === "cognitive"),
    })),
  },
});

/** Without history files are still ranked; then it is said why there is none. */
async function tryChurn(
  analysis: Analysis,
  call: HotspotsCall,
  { path, period_days }: HotspotsWish,
  now: Date,
): Promise<{ readonly churn?: Churn; readonly fault?: string }> {
  try {
    return { churn: await readChurn(analysis, call, { path, period_days }, now) };
  } catch (error) {
    if (call.signal.aborted || !(error instanceof ToolError)) throw error;
    return { fault: error.message };
  }
}

function remarksOn(churn: Churn | undefined, fault: string | undefined, days: number): readonly string[] {
  if (churn === undefined) return [`Ranked by complexity alone, for there is no history. ${fault ?? ""}`.trim()];
  const remarks: string[] = [];
  if (churn.commits === 0)
    remarks.push(
      `Ranked by complexity alone: nothing was changed within ${days} ${days === 1 ? "day" : "days"}. Give a longer period_days.`,
    );
  if (churn.is_shallow)
    remarks.push(
      "The clone is shallow: changes before its first commit are missing. Run git fetch --unshallow by hand.",
    );
  return remarks;
}
