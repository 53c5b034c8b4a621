import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { LANGUAGES, type Language } from "@toolwright/kit/syntax";
import { nearest } from "@toolwright/kit/text";
import type { Analysis } from "../analysis.js";
import type { Facts } from "../facts/facts.js";
import type { AnalysisCall, Project } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { type Comparison, compareWith, findBaseline } from "./baseline.js";
import type { BaselineState, ComplexFunction, ComplexityReport, FoundViolation, MeasuredFunction } from "./report.js";
import { rankFiles, summarize } from "./summary.js";
import { findViolations, METRICS, severityOf, type Thresholds, thresholdsOf } from "./violations.js";

/** The options of a complexity analysis. */
export interface ComplexityOptions {
  readonly project_path: string;
  readonly toolchain: string;
  readonly max_cyclomatic?: number | undefined;
  readonly max_cognitive?: number | undefined;
  /** The number of files to rank. */
  readonly top_files: number;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Includes generated and vendored files. */
  readonly all?: boolean | undefined;
  readonly explain: boolean;
  /** The commit to compare with. */
  readonly baseline?: string | undefined;
}

const MAX_HOTSPOTS = 10;

/** Measures the functions of a project. With `isFull`, the increments of all functions are kept, not only those of violations. */
export async function analyzeComplexity(
  analysis: Analysis,
  call: AnalysisCall,
  options: ComplexityOptions,
  isFull = false,
): Promise<ComplexityReport> {
  const thresholds = thresholdsOf(options);
  const access = await analysis.fileAccess(call);
  const { project_path, include, exclude, all, explain, baseline: revision, top_files } = options;
  const query = { path: project_path, languages: languagesOf(options.toolchain), include, exclude, all };
  const trim = explain && isFull ? undefined : createTrim(explain ? thresholds : undefined);
  // A wrong revision is reported before all files are read.
  if (revision !== undefined) await findBaseline(analysis, call, { revision, path: project_path });
  const project = await readProject(analysis, call, { ...query, wanted: ["measures"], trim });
  const comparison =
    revision === undefined ? undefined : await compareWith(analysis, call, { revision, project, query });
  const functions = functionsOf(project);
  const found = findViolations(functions, thresholds, { explain });
  const violations = comparison === undefined ? found : found.map((each) => withState(each, comparison, thresholds));
  return {
    summary: summarize(project, functions, violations),
    functions,
    violations,
    hotspots: mostComplex(functions, thresholds),
    ...(top_files > 0 && { ranking: { requested: top_files, rankings: rankFiles(project.files, top_files) } }),
    ...(comparison !== undefined && { baseline: comparison.baseline }),
    skipped: [...project.skipped, ...(comparison?.skipped ?? [])].map((each) => ({
      ...each,
      path: access.displayPath(path.join(project.root, each.path)),
    })),
    left_out: project.left_out,
  };
}

/** Drops the increments that are not reported: they take most of the memory. */
function createTrim(explained: Thresholds | undefined): (facts: Pick<Facts, "measures">) => Pick<Facts, "measures"> {
  return ({ measures }) => ({
    measures: {
      ...measures,
      functions: measures.functions.map((each) => {
        const isReported =
          explained !== undefined &&
          METRICS.some((metric) => severityOf(each[metric], explained[metric]) !== undefined);
        return isReported ? each : { ...each, increments: [] };
      }),
    },
  });
}

function functionsOf({ files }: Project<"measures">): readonly MeasuredFunction[] {
  return files.flatMap(({ displayPath, facts }) => {
    const seen = new Map<string, number>();
    return facts.measures.functions.map((measures) => {
      const ordinal = (seen.get(measures.name) ?? 0) + 1;
      seen.set(measures.name, ordinal);
      return { file: displayPath, measures, ordinal };
    });
  });
}

function mostComplex(
  functions: readonly MeasuredFunction[],
  { cyclomatic: { warning } }: Thresholds,
): readonly ComplexFunction[] {
  return functions
    .filter(({ measures }) => measures.cyclomatic > warning)
    .toSorted((a, b) => b.measures.cyclomatic - a.measures.cyclomatic)
    .slice(0, MAX_HOTSPOTS)
    .map(({ file, measures: { name, line, end_line, cyclomatic, cognitive } }) => ({
      file,
      function: name,
      line,
      end_line,
      cyclomatic,
      cognitive,
    }));
}

function withState({ violation, of }: FoundViolation, { was }: Comparison, thresholds: Thresholds): FoundViolation {
  const metric = violation.rule === "cyclomatic-complexity" ? "cyclomatic" : "cognitive";
  const before = was(of.measures)?.[metric];
  return { of, violation: { ...violation, baseline_state: stateOf() } };

  function stateOf(): BaselineState {
    if (before === undefined) return "new";
    const severity = severityOf(before, thresholds[metric]);
    if (severity === undefined || (severity === "warning" && violation.severity === "error")) return "new";
    return before === violation.value ? "unchanged" : "updated";
  }
}

const WEB: readonly Language[] = ["typescript", "tsx", "javascript"];

/** The languages of each toolchain. A language stands for itself. */
const TOOLCHAINS: ReadonlyMap<string, readonly Language[]> = new Map([
  ...(Object.keys(LANGUAGES) as Language[]).map((language): [string, readonly Language[]] => [language, [language]]),
  ["typescript", ["typescript", "tsx"]],
  ["node", WEB],
  ["deno", WEB],
  ["bun", WEB],
  ["python-uv", ["python"]],
  ["cargo", ["rust"]],
]);

/** Other names of languages. */
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

/** The languages of a toolchain; undefined = all. Throws if the toolchain is unknown. */
function languagesOf(toolchain: string): readonly Language[] | undefined {
  const name = toolchain.toLowerCase();
  if (name === "auto") return undefined;
  const languages = TOOLCHAINS.get((Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined) ?? name);
  if (languages !== undefined) return languages;
  const allowed = ["auto", ...TOOLCHAINS.keys()];
  const suggestion = nearest(name, allowed);
  throw new ToolError(
    `Unknown toolchain ${JSON.stringify(toolchain)}.${suggestion === undefined ? "" : ` Did you mean ${JSON.stringify(suggestion)}?`} Known are ${allowed.join(", ")}.`,
    { code: "INVALID_ARGUMENT", details: { toolchain, allowed } },
  );
}
