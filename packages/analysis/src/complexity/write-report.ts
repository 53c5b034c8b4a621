import { Content, type InferInput, type JsonObject, text } from "@toolwright/engine";
import { LANGUAGES } from "@toolwright/kit/syntax";
import { counted, escapeInvisible } from "../format.js";
import type { OUTPUT } from "../tools/analyze-complexity.js";
import type { Summary } from "./report.js";
import { toSarif } from "./sarif.js";
import type { ComplexityView, Shown } from "./view.js";

/** The forms in which a report is written. */
export type Format = "summary" | "full" | "json" | "sarif" | "markdown";

/** Writes a report in a form. */
export function write({ view, found }: Shown, format: Format): string {
  if (format === "json") return JSON.stringify(view);
  if (format === "sarif") return JSON.stringify(toSarif(found));
  return format === "markdown" ? toMarkdown(view) : toText(view);
}

/** A report as the result of a tool: the same structured content in every form. */
export function toResult(shown: Shown, format: Format): Content | InferInput<typeof OUTPUT> {
  if (format === "json") return shown.view as object as InferInput<typeof OUTPUT>;
  return new Content([text(write(shown, format))], shown.view as object as JsonObject);
}

/** A report in a few lines: the formats `summary` and `full`. */
export function toText(view: ComplexityView): string {
  const { summary, violations, violations_total, functions, top_files, baseline } = view;
  const ratchet = ratchetOf(view);
  const lines = [
    `${scopeOf(summary)}.`,
    `Cyclomatic: median ${summary.median_cyclomatic}, 90 % up to ${summary.p90_cyclomatic}, max ${summary.max_cyclomatic}.`,
    `Cognitive: median ${summary.median_cognitive}, 90 % up to ${summary.p90_cognitive}, max ${summary.max_cognitive}.`,
    verdictOf(view),
    ...(ratchet === undefined ? [] : [ratchet]),
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
  ];
  const rest = restOf(view);
  return [...lines, ...(rest.length === 0 ? [] : ["", ...rest])].join("\n");
}

/** A report for people who read Markdown, such as in a pull request. */
export function toMarkdown(view: ComplexityView): string {
  const { summary, violations, violations_total, hotspots, top_files, baseline } = view;
  const ratchet = ratchetOf(view);
  const parts = [
    "# Complexity",
    `${scopeOf(summary)}. ${verdictOf(view)}`,
    table(
      ["Metric", "Median", "90 %", "Max"],
      [
        ["Cyclomatic", summary.median_cyclomatic, summary.p90_cyclomatic, summary.max_cyclomatic],
        ["Cognitive", summary.median_cognitive, summary.p90_cognitive, summary.max_cognitive],
      ],
    ),
    ...(ratchet === undefined ? [] : ["## Baseline", ratchet]),
    ...section(
      "### Worse",
      ["Function", "Where", "Metric", "Was", "Is"],
      (baseline?.worse ?? []).map((each) => [code(each.function), where(each), each.metric, each.was, each.is]),
    ),
    ...section(
      `## Violations (${violations.length} of ${violations_total})`,
      ["Severity", "Function", "Where", "Metric", "Value", "Threshold"],
      violations.map((each) => [
        each.severity,
        code(each.function),
        where(each),
        each.rule.replace("-complexity", ""),
        each.value,
        each.threshold,
      ]),
    ),
    ...violations.flatMap((each) =>
      section(
        `### ${code(each.function)} in ${where(each)}: ${each.rule}`,
        ["Line", "Adds", "Reason"],
        (each.increments ?? []).map(({ line, adds, reason }) => [line, `+${adds}`, code(reason)]),
      ),
    ),
    ...section(
      "## Hotspots",
      ["Function", "Where", "Cyclomatic", "Cognitive"],
      hotspots.map((each) => [code(each.function), where(each), each.cyclomatic, each.cognitive]),
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
    ...listOf(restOf(view)),
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

const listOf = (lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [lines.map((line) => line.replace(/^( *)(.*)$/s, "$1- $2").replaceAll("<", "&lt;")).join("\n")];

const where = ({ file, line }: { readonly file: string; readonly line: number }): string => code(`${file}:${line}`);

/** Code in a cell of a table: a bar would end the cell, and a backtick the code. */
const code = (value: string): string => {
  const fence = "`".repeat(Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const pad = value.includes("`") ? " " : "";
  return `${fence}${pad}${escapeInvisible(value).replaceAll("|", String.raw`\|`)}${pad}${fence}`;
};

/** What was looked at, in one sentence. */
export function scopeOf({ total_files, total_functions, languages }: Summary): string {
  const shares = languages.map(({ language, files }) => `${LANGUAGES[language].title} ${files}`).join(", ");
  const said = `${counted(total_functions, "function")} in ${counted(total_files, "file")}`;
  return shares === "" ? said : `${said} (${shares})`;
}

/** What was found wrong, in one sentence. */
export function verdictOf({ remark, summary: { errors, warnings, technical_debt_hours } }: ComplexityView): string {
  if (remark !== undefined) return remark;
  return errors + warnings === 0
    ? "No function is above the thresholds."
    : `${counted(errors, "error")}, ${counted(warnings, "warning")}, ${technical_debt_hours} hours of technical debt.`;
}

/** How it stands against the baseline, in one sentence; undefined where there is none. */
export function ratchetOf({ baseline }: ComplexityView): string | undefined {
  if (baseline === undefined) return undefined;
  const { revision, worse_functions, new_violations_total, new_errors, better, removed } = baseline;
  const fresh = `${counted(new_violations_total, "new violation")} (${counted(new_errors, "error")})`;
  return `Against ${escapeInvisible(revision)}: ${saidWorse(worse_functions)}, ${better} better, ${removed} removed, ${fresh}.`;
}

/** How many functions are worse, in words. */
export const saidWorse = (functions: number): string =>
  functions === 0
    ? "no function is worse"
    : `${counted(functions, "function")} ${functions === 1 ? "is" : "are"} worse`;

/** What is missing from the numbers or from this page, one sentence each. */
export function restOf({ left_out, skipped, skipped_total, next }: ComplexityView): readonly string[] {
  const { generated, vendored } = left_out;
  return [
    ...(generated + vendored > 0 ? [`Left out: ${generated} generated and ${vendored} vendored files.`] : []),
    ...(skipped.length > 0 ? [`Skipped, or measured in part: ${counted(skipped_total, "file")}.`] : []),
    ...skipped.map(({ path, reason }) => `  ${escapeInvisible(path)}: ${escapeInvisible(reason)}`),
    ...(skipped_total > skipped.length ? [`  … and ${skipped_total - skipped.length} more`] : []),
    ...(next === undefined ? [] : [`There is more: call again with offset: ${next.offset}.`]),
  ];
}
