import type { ComplexityView } from "./view.js";
import { plain, ratchetOf, restOf, scopeOf, verdictOf } from "./words.js";

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
const code = (text: string): string => {
  const fence = "`".repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const pad = text.includes("`") ? " " : "";
  return `${fence}${pad}${plain(text).replaceAll("|", String.raw`\|`)}${pad}${fence}`;
};
