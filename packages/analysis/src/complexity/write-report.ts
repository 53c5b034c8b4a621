import type { JsonObject } from "@toolwright/engine";
import { type SarifRule, toSarif as toSarifLog } from "@toolwright/kit/sarif";
import { LANGUAGES } from "@toolwright/kit/syntax";
import { counted, escapeInvisible } from "../format.js";
import type { FoundViolation, Summary } from "./report.js";
import type { ComplexityPage, ComplexityView } from "./view.js";

/** Writes a page of a report as text. */
export function writeReport(
  { view, found }: ComplexityPage,
  format: "summary" | "full" | "json" | "sarif" | "markdown",
): string {
  if (format === "json") return JSON.stringify(view);
  if (format === "sarif") return JSON.stringify(toSarif(found));
  return format === "markdown" ? toMarkdown(view) : toText(view);
}

function toText(view: ComplexityView): string {
  const { summary, violations, violations_total, functions, top_files, baseline } = view;
  const comparison = describeBaseline(view);
  const notes = notesOn(view);
  return [
    `${describeScope(summary)}.`,
    `Cyclomatic: median ${summary.median_cyclomatic}, 90 % up to ${summary.p90_cyclomatic}, max ${summary.max_cyclomatic}.`,
    `Cognitive: median ${summary.median_cognitive}, 90 % up to ${summary.p90_cognitive}, max ${summary.max_cognitive}.`,
    describeVerdict(view),
    ...(comparison === undefined ? [] : [comparison]),
    ...(baseline?.worse ?? []).map(
      ({ file, line, function: name, metric, was, is }) =>
        `  ${escapeInvisible(file)}:${line} ${escapeInvisible(name)}: ${metric} ${was} → ${is}`,
    ),
    ...(violations.length === 0 ? [] : ["", `Violations (${violations.length} of ${violations_total}):`]),
    ...violations.flatMap(({ severity, file, line, message, increments = [], increments_left }) => [
      `  ${severity} ${escapeInvisible(file)}:${line} ${escapeInvisible(message)}`,
      ...increments.map(
        (each) =>
          `    line ${each.line}: ${each.reason} +${each.adds}${each.nesting ? ` (nesting ${each.nesting})` : ""}`,
      ),
      ...(increments_left === undefined ? [] : [`    … and ${increments_left} more`]),
    ]),
    ...(top_files === undefined ? [] : ["", "Files by score:"]),
    ...(top_files?.rankings ?? []).map(
      ({ rank, file, total_score, function_count, max_cyclomatic, avg_cognitive }) =>
        `  ${rank}. ${escapeInvisible(file)} ${total_score} (functions ${function_count}, max cyclomatic ${max_cyclomatic}, average cognitive ${avg_cognitive})`,
    ),
    ...(functions === undefined ? [] : ["", "Functions:"]),
    ...(functions ?? []).map(
      (each) =>
        `  ${escapeInvisible(each.file)}:${each.line}-${each.end_line} ${escapeInvisible(each.name)}: cyclomatic ${each.cyclomatic}, cognitive ${each.cognitive}, nesting ${each.nesting}, parameters ${each.parameters}, code lines ${each.code_lines}, effort ${each.halstead.effort}, maintainability ${each.maintainability}`,
    ),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ].join("\n");
}

function toMarkdown(view: ComplexityView): string {
  const { summary, violations, violations_total, hotspots, top_files, baseline } = view;
  const comparison = describeBaseline(view);
  const parts = [
    "# Complexity",
    `${describeScope(summary)}. ${describeVerdict(view)}`,
    table(
      ["Metric", "Median", "90 %", "Max"],
      [
        ["Cyclomatic", summary.median_cyclomatic, summary.p90_cyclomatic, summary.max_cyclomatic],
        ["Cognitive", summary.median_cognitive, summary.p90_cognitive, summary.max_cognitive],
      ],
    ),
    ...(comparison === undefined ? [] : ["## Baseline", comparison]),
    ...section(
      "### Worse",
      ["Function", "Location", "Metric", "Was", "Is"],
      (baseline?.worse ?? []).map((each) => [code(each.function), locationOf(each), each.metric, each.was, each.is]),
    ),
    ...section(
      `## Violations (${violations.length} of ${violations_total})`,
      ["Severity", "Function", "Location", "Metric", "Value", "Threshold"],
      violations.map((each) => [
        each.severity,
        code(each.function),
        locationOf(each),
        each.rule.replace("-complexity", ""),
        each.value,
        each.threshold,
      ]),
    ),
    ...violations.flatMap((each) =>
      section(
        `### ${code(each.function)} in ${locationOf(each)}: ${each.rule}`,
        ["Line", "Adds", "Reason"],
        (each.increments ?? []).map(({ line, adds, reason }) => [line, `+${adds}`, code(reason)]),
      ),
    ),
    ...section(
      "## Hotspots",
      ["Function", "Location", "Cyclomatic", "Cognitive"],
      hotspots.map((each) => [code(each.function), locationOf(each), each.cyclomatic, each.cognitive]),
    ),
    ...section(
      "## Files by score",
      ["Rank", "File", "Functions", "Max cyclomatic", "Average cognitive", "Effort", "Score"],
      (top_files?.rankings ?? []).map((each) => [
        each.rank,
        code(each.file),
        each.function_count,
        each.max_cyclomatic,
        each.avg_cognitive,
        each.halstead_effort,
        each.total_score,
      ]),
    ),
    ...toList(notesOn(view)),
  ];
  return `${parts.join("\n\n")}\n`;
}

type Cell = string | number;

const section = (title: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): readonly string[] =>
  rows.length === 0 ? [] : [title, table(heads, rows)];

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

const toList = (lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [lines.map((line) => line.replace(/^( *)(.*)$/s, "$1- $2").replaceAll("<", "&lt;")).join("\n")];

const locationOf = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  code(`${file}:${line}`);

/** Code in a table cell: a bar would end the cell, and a backtick the code. */
const code = (value: string): string => {
  const fence = "`".repeat(Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const pad = value.includes("`") ? " " : "";
  return `${fence}${pad}${escapeInvisible(value).replaceAll("|", String.raw`\|`)}${pad}${fence}`;
};

/** Describes what was analyzed: `12 functions in 3 files (TypeScript 3)`. */
export function describeScope({ total_files, total_functions, languages }: Summary): string {
  const shares = languages.map(({ language, files }) => `${LANGUAGES[language].title} ${files}`).join(", ");
  const scope = `${counted(total_functions, "function")} in ${counted(total_files, "file")}`;
  return shares === "" ? scope : `${scope} (${shares})`;
}

function describeVerdict({ remark, summary: { errors, warnings, technical_debt_hours } }: ComplexityView): string {
  if (remark !== undefined) return remark;
  return errors + warnings === 0
    ? "No function is above the thresholds."
    : `${counted(errors, "error")}, ${counted(warnings, "warning")}, ${technical_debt_hours} hours of technical debt.`;
}

function describeBaseline({ baseline }: ComplexityView): string | undefined {
  if (baseline === undefined) return undefined;
  const { revision, worse_functions, new_violations_total, new_errors, better, removed } = baseline;
  const added = `${counted(new_violations_total, "new violation")} (${counted(new_errors, "error")})`;
  return `Compared with ${escapeInvisible(revision)}: ${describeWorse(worse_functions)}, ${better} better, ${removed} removed, ${added}.`;
}

/** Describes how many functions are worse. */
export const describeWorse = (functions: number): string =>
  functions === 0
    ? "no function is worse"
    : `${counted(functions, "function")} ${functions === 1 ? "is" : "are"} worse`;

/** What is missing in the numbers or on this page. */
function notesOn({ left_out, skipped, skipped_total, next_cursor }: ComplexityView): readonly string[] {
  const { generated, vendored } = left_out;
  return [
    ...(generated + vendored > 0 ? [`Left out: ${generated} generated and ${vendored} vendored files.`] : []),
    ...(skipped.length > 0 ? [`Skipped or only partly measured: ${counted(skipped_total, "file")}.`] : []),
    ...skipped.map(({ path, reason }) => `  ${escapeInvisible(path)}: ${escapeInvisible(reason)}`),
    ...(skipped_total > skipped.length ? [`  … and ${skipped_total - skipped.length} more`] : []),
    ...(next_cursor === undefined ? [] : [`There is more: call again with cursor "${next_cursor}".`]),
  ];
}

const RULES: readonly SarifRule[] = [
  {
    id: "cyclomatic-complexity",
    name: "CyclomaticComplexity",
    shortDescription: "Cyclomatic complexity of a function is above its threshold.",
    fullDescription:
      "Counts the paths through a function (McCabe): one, and one more for each decision, such as if, a loop, a case, catch, ?: or a short-circuit operator. A function with many paths needs as many tests. Split it, or replace decisions by a table.",
    level: "warning",
    properties: { tags: ["maintainability"] },
  },
  {
    id: "cognitive-complexity",
    name: "CognitiveComplexity",
    shortDescription: "Cognitive complexity of a function is above its threshold.",
    fullDescription:
      "Counts what makes a function hard to read (SonarSource): each break in the flow, and more the deeper it is nested. Return early, extract inner blocks as functions, and simplify conditions.",
    level: "warning",
    properties: { tags: ["maintainability"] },
  },
];

/** Writes violations as SARIF 2.1.0. */
const toSarif = (found: readonly FoundViolation[]): JsonObject =>
  toSarifLog({
    rules: RULES,
    results: found.map(({ violation, of }) => ({
      rule: violation.rule,
      level: violation.severity,
      message: violation.message,
      file: violation.file,
      line: violation.line,
      endLine: violation.end_line,
      function: { fullyQualifiedName: violation.function },
      fingerprint: {
        key: "function/v1",
        parts: [violation.rule, violation.file, violation.function, String(of.ordinal)],
      },
      ...(violation.baseline_state !== undefined && { baselineState: violation.baseline_state }),
      properties: { value: violation.value, threshold: violation.threshold },
    })),
  });
