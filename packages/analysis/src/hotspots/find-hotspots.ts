import { type Call, ToolError } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import type { Churn } from "../churn/churn.js";
import { readChurn } from "../churn/read-churn.js";
import type { Facts } from "../facts/facts.js";
import { importersIn, linkFiles } from "../imports/read-graph.js";
import { nothingFound, type ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { isWorthABrief, writeBriefs } from "./briefs.js";
import type { Hotspots, HotspotsWish } from "./hotspots.js";
import { churnByPlace, rankFiles } from "./rank-files.js";

type HotspotsCall = Pick<Call, "signal" | "supports" | "roots" | "progress">;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Finds where complex code changes often, and says of the worst functions how to take them apart. `now` is where the period ends. */
export async function findHotspots(
  analysis: Analysis,
  call: HotspotsCall,
  wish: HotspotsWish,
  now: Date = new Date(),
): Promise<Hotspots> {
  return (await readHotspots(analysis, call, wish, now)).hotspots;
}

/** The same with the history that they were ranked by, for whoever shows that too; undefined = they were ranked without. */
export async function readHotspots(
  analysis: Analysis,
  call: HotspotsCall,
  wish: HotspotsWish,
  now: Date,
): Promise<{ readonly hotspots: Hotspots; readonly churn: Churn | undefined }> {
  const { path, period_days, include, exclude } = wish;
  const project = await readProject(analysis, call, {
    path,
    include,
    exclude,
    wanted: ["measures", "calls", "imports", "outline"],
    trim: withoutDetails,
  });
  const { churn: read, fault } = await tryChurn(analysis, call, wish, now);
  // Where nothing has changed, change tells nothing apart.
  const churn = read === undefined || read.commits === 0 ? undefined : read;
  const tests = project.files.filter(({ origin }) => origin === "test");
  const others = project.files.filter(({ origin }) => origin !== "test");
  const ranked = others.length > 0 ? others : tests;
  const byPlace = churnByPlace(churn);
  const since = new Date(now.getTime() - period_days * DAY_MS);
  const { graph } = await linkFiles(await analysis.reach(call), path, wish.functions > 0 ? project.files : []);
  const importers = importersIn(graph);
  const sources = { path, files: ranked, tests, importers, churn, byPlace, since };
  const briefs = await writeBriefs(analysis, call, sources, wish.functions);
  const hotspots: Hotspots = {
    files: rankFiles(ranked, churn && byPlace),
    briefs,
    basis: churn === undefined ? "complexity" : "complexity and churn",
    period_days,
    is_shallow: read?.is_shallow ?? false,
    remarks: [
      ...(project.files.length === 0 ? [nothingFound(project.skipped.length)] : []),
      ...remarksOn(read, fault, period_days),
      ...remarksOnBriefs(briefs.length, wish.functions, ranked),
    ],
    tests: tests.length,
    skipped: project.skipped,
  };
  return { hotspots, churn };
}

/** Only the cognitive complexity is explained, and the increments are the most of what is measured; of declarations the names will do. */
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

/** Says why there are fewer briefs than were asked for. */
function remarksOnBriefs(count: number, wanted: number, files: readonly ProjectFile<"measures">[]): readonly string[] {
  const functions = files.flatMap(({ facts }) => facts.measures.functions);
  if (count >= wanted || functions.every((each) => each.cognitive === 0 || isWorthABrief(each))) return [];
  const few = count === 0 ? "No function is" : count === 1 ? "Only 1 function is" : `Only ${count} functions are`;
  return [
    `${few} worth a brief: the others have a cognitive complexity below 5 and a cyclomatic one below 6, or did not change.`,
  ];
}
