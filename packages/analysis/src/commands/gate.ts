import { defineCommand } from "@toolwright/kit/cli";
import { visible, visibleLine } from "@toolwright/kit/terminal";
import { counted } from "../format.js";
import type { Check, Gate } from "../gate/gate.js";
import {
  type AnalysisScreen,
  COMMON_OPTIONS,
  daysOption,
  FILE_OPTIONS,
  formatOption,
  PATH_ARGUMENT,
  runAnalysis,
} from "./run-analysis.js";

const FORMATS = ["summary", "json", "markdown"] as const;

/** `toolwright analyze gate` */
export const gate = defineCommand({
  name: "gate",
  summary: "Check a project against limits, for continuous integration",
  tool: "quality_gate",
  args: PATH_ARGUMENT,
  options: {
    maxCyclomatic: {
      type: "integer",
      min: 0,
      default: 20,
      placeholder: "NUMBER",
      description: "The highest cyclomatic complexity of a function.",
    },
    maxCognitive: {
      type: "integer",
      min: 0,
      default: 30,
      placeholder: "NUMBER",
      description: "The highest cognitive complexity of a function.",
    },
    maxDuplication: {
      type: "number",
      min: 0,
      max: 100,
      default: 5,
      placeholder: "PERCENT",
      description: "The highest percentage of duplicated lines.",
    },
    maxSevereNotes: {
      type: "integer",
      min: 0,
      placeholder: "NUMBER",
      description: "The number of to-do comments of high or critical severity; not checked by default.",
    },
    maxHotspot: {
      type: "number",
      min: 0,
      max: 100,
      placeholder: "SCORE",
      description: "The highest hotspot score; not checked by default.",
    },
    days: daysOption(90),
    baseline: {
      type: "string",
      placeholder: "COMMIT",
      description: "A commit, branch or tag: no function may be worse than there.",
    },
    ...FILE_OPTIONS,
    format: formatOption(FORMATS),
    ...COMMON_OPTIONS,
  },
  exitCodes: { 0: "All checks passed.", 1: "A check failed." },
  examples: ["toolwright analyze gate --max-cognitive 25 --max-duplication 3"],
  run: (input, ctx) =>
    runAnalysis(input, ctx, { formats: FORMATS }, async (screen) => {
      const { runGate } = await import("../gate/gate.js");
      const { analysis, call, path, format } = screen;
      const found = await runGate(analysis, call, {
        path,
        max_cyclomatic: input.maxCyclomatic,
        max_cognitive: input.maxCognitive,
        max_duplication: input.maxDuplication,
        max_severe_notes: input.maxSevereNotes,
        max_hotspot: input.maxHotspot,
        period_days: input.days,
        baseline: input.baseline,
        include: input.include,
        exclude: input.exclude,
      });
      const hasFailed = !found.passed;
      if (format === "json") return { text: JSON.stringify(found, null, 2), hasFailed };
      return { text: format === "markdown" ? toMarkdown(screen, found) : show(screen, found), hasFailed };
    }),
});

function show({ paint, project }: AnalysisScreen, { passed, checks }: Gate): string {
  const failed = checks.filter((check) => !check.passed).length;
  const verdict = passed ? paint.green("passed") : paint.red(`failed: ${failed} of ${counted(checks.length, "check")}`);
  return [
    `${paint.bold(`Quality gate of ${project}`)}: ${verdict}`,
    "",
    ...checks.flatMap((check) => [
      `${check.passed ? paint.green("✔") : paint.red("✖")} ${visible(check.reason)}`,
      ...(check.passed ? [] : worstLines(check).map((line) => paint.faint(`    ${line}`))),
      ...(check.advice === undefined ? [] : [`    ${paint.cyan("→")} ${visible(check.advice)}`]),
    ]),
  ].join("\n");
}

function worstLines({ worst }: Check): string[] {
  const width = Math.max(0, ...worst.map(({ value }) => String(value).length));
  return worst.map(({ path, line, name, value }) =>
    visibleLine(
      `${String(value).padStart(width)}  ${path}${line === undefined ? "" : `:${line}`}${name === undefined ? "" : `  ${name}`}`,
    ),
  );
}

function toMarkdown({ project }: AnalysisScreen, { passed, checks }: Gate): string {
  return [
    `# Quality gate of ${toCell(project)}: ${passed ? "passed" : "failed"}`,
    "",
    "| check | verdict | value | limit | reason |",
    "|---|---|---:|---:|---|",
    ...checks.map(
      (check) =>
        `| ${check.name} | ${check.passed ? "passed" : "**failed**"} | ${check.value} | ${check.limit} | ${toCell(`${check.reason} ${check.advice ?? ""}`.trim())} |`,
    ),
  ].join("\n");
}

const toCell = (text: string): string => text.replaceAll(/[\r\n]+/g, " ").replaceAll("|", "\\|");
