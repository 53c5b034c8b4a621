import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { LANGUAGES, type Language } from "@toolwright/kit/syntax";
import { nearest } from "@toolwright/kit/text";
import type { Analysis } from "../analysis.js";
import type { Facts } from "../facts/facts.js";
import type { Project, ProjectCall } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { type Comparison, compareWith, findBaseline } from "./baseline.js";
import type { BaselineState, ComplexityReport, FoundViolation, Hotspot, MeasuredFunction } from "./report.js";
import { rankFiles, summarise } from "./summary.js";
import { findViolations, METRICS, severityOf, type Thresholds, thresholdsOf } from "./violations.js";

/** What is to be analysed, and how. */
export interface ComplexityWish {
  readonly project_path: string;
  readonly toolchain: string;
  readonly max_cyclomatic?: number | undefined;
  readonly max_cognitive?: number | undefined;
  /** How many files are ranked. */
  readonly top_files: number;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Also what is generated or vendored. */
  readonly all?: boolean | undefined;
  readonly explain: boolean;
  /** A commit to compare with. */
  readonly baseline?: string | undefined;
}

const MOST_HOTSPOTS = 10;

/** Finds out how complex the functions of a project are. `isFull` = the increments of all of them are wanted, not only of the worst. */
export async function analyzeComplexity(
  analysis: Analysis,
  call: ProjectCall,
  wish: ComplexityWish,
  isFull = false,
): Promise<ComplexityReport> {
  const thresholds = thresholdsOf(wish);
  const reach = await analysis.reach(call);
  const { project_path, include, exclude, all, explain } = wish;
  const sources = { path: project_path, languages: languagesOf(wish.toolchain), include, exclude, all };
  const trim = explain && isFull ? undefined : trimmer(explain ? thresholds : undefined);
  // A name that is wrong is told before all is read.
  if (wish.baseline !== undefined) await findBaseline(analysis, call, { revision: wish.baseline, path: project_path });
  const project = await readProject(analysis, call, { ...sources, wanted: ["measures"], trim });
  const comparison =
    wish.baseline === undefined
      ? undefined
      : await compareWith(analysis, call, { revision: wish.baseline, project, wish: sources });
  const functions = functionsOf(project);
  const found = findViolations(functions, thresholds, { explain });
  const violations = comparison === undefined ? found : found.map((each) => withState(each, comparison, thresholds));
  return {
    summary: summarise(project, functions, violations),
    functions,
    violations,
    hotspots: hotspotsOf(functions, thresholds),
    ...(wish.top_files > 0 && {
      ranking: { requested: wish.top_files, rankings: rankFiles(project.files, wish.top_files) },
    }),
    ...(comparison !== undefined && { baseline: comparison.baseline }),
    skipped: [...project.skipped, ...(comparison?.skipped ?? [])].map((each) => ({
      ...each,
      path: reach.displayPath(path.join(project.root, each.path)),
    })),
    left_out: project.left_out,
  };
}

/** Lets go of the increments that nobody will be told: they are the most of what is measured. */
function trimmer(explained: Thresholds | undefined): (facts: Pick<Facts, "measures">) => Pick<Facts, "measures"> {
  return ({ measures }) => ({
    measures: {
      ...measures,
      functions: measures.functions.map((each) => {
        const isTold =
          explained !== undefined &&
          METRICS.some((metric) => severityOf(each[metric], explained[metric]) !== undefined);
        return isTold ? each : { ...each, increments: [] };
      }),
    },
  });
}

function functionsOf({ files }: Project<"measures">): readonly MeasuredFunction[] {
  return files.flatMap(({ shown, facts }) => {
    const seen = new Map<string, number>();
    return facts.measures.functions.map((measures) => {
      const ordinal = (seen.get(measures.name) ?? 0) + 1;
      seen.set(measures.name, ordinal);
      return { file: shown, measures, ordinal };
    });
  });
}

function hotspotsOf(
  functions: readonly MeasuredFunction[],
  { cyclomatic: { warning } }: Thresholds,
): readonly Hotspot[] {
  return functions
    .filter(({ measures }) => measures.cyclomatic > warning)
    .toSorted((one, other) => other.measures.cyclomatic - one.measures.cyclomatic)
    .slice(0, MOST_HOTSPOTS)
    .map(({ file, measures: { name, line, end_line, cyclomatic, cognitive } }) => ({
      file,
      function: name,
      line,
      end_line,
      cyclomatic,
      cognitive,
    }));
}

function withState(found: FoundViolation, { was }: Comparison, thresholds: Thresholds): FoundViolation {
  const { violation, of } = found;
  return { of, violation: { ...violation, baseline_state: stateOf() } };

  function stateOf(): BaselineState {
    const metric = violation.rule === "cyclomatic-complexity" ? "cyclomatic" : "cognitive";
    const before = was(of.measures)?.[metric];
    if (before === undefined) return "new";
    const severity = severityOf(before, thresholds[metric]);
    if (severity === undefined || (severity === "warning" && violation.severity === "error")) return "new";
    return before === violation.value ? "unchanged" : "updated";
  }
}

const WEB: readonly Language[] = ["typescript", "tsx", "javascript"];

/** Which languages a toolchain works with; a language stands for itself. */
const TOOLCHAINS: ReadonlyMap<string, readonly Language[]> = new Map([
  ...(Object.keys(LANGUAGES) as Language[]).map((language): [string, readonly Language[]] => [language, [language]]),
  ["typescript", ["typescript", "tsx"]],
  ["node", WEB],
  ["deno", WEB],
  ["bun", WEB],
  ["python-uv", ["python"]],
  ["cargo", ["rust"]],
]);

/** What else people call a language. */
const ALIASES: Readonly<Record<string, string>> = {
  "c#": "csharp",
  cs: "csharp",
  "c++": "cpp",
  ts: "typescript",
  js: "javascript",
  py: "python",
  golang: "go",
  nodejs: "node",
  "node.js": "node",
  rb: "ruby",
  rs: "rust",
  kt: "kotlin",
};

/** The languages of a toolchain; undefined = all that are found. Throws where there is none of that name. */
export function languagesOf(toolchain: string): readonly Language[] | undefined {
  const name = toolchain.toLowerCase();
  if (name === "auto") return undefined;
  const languages = TOOLCHAINS.get((Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined) ?? name);
  if (languages !== undefined) return languages;
  const allowed = ["auto", ...TOOLCHAINS.keys()];
  const meant = nearest(name, allowed);
  throw new ToolError(
    `Cannot analyse for the toolchain ${JSON.stringify(toolchain)}: there is none of that name.${meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`} Give one of ${allowed.join(", ")}.`,
    { code: "INVALID_ARGUMENT", details: { toolchain, allowed } },
  );
}
