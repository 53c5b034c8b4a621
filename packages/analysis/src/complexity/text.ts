import type { ComplexityView } from "./view.js";
import { plain, ratchetOf, restOf, scopeOf, verdictOf } from "./words.js";

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
        `  ${plain(file)}:${line} ${plain(name)}: ${metric} ${was} → ${is}`,
    ),
    ...(violations.length === 0 ? [] : ["", `Violations (${violations.length} of ${violations_total}):`]),
    ...violations.flatMap(({ severity, file, line, message, increments = [], increments_left }) => [
      `  ${severity} ${plain(file)}:${line} ${plain(message)}`,
      ...increments.map(
        (each) =>
          `    line ${each.line}: ${each.reason} +${each.adds}${each.nesting ? ` (nesting ${each.nesting})` : ""}`,
      ),
      ...(increments_left === undefined ? [] : [`    … and ${increments_left} more`]),
    ]),
    ...(top_files === undefined ? [] : ["", "Files by score:"]),
    ...(top_files?.rankings ?? []).map(
      ({ rank, file, total_score, function_count, max_cyclomatic, avg_cognitive }) =>
        `  ${rank}. ${plain(file)} ${total_score} (functions ${function_count}, max cyclomatic ${max_cyclomatic}, average cognitive ${avg_cognitive})`,
    ),
    ...(functions === undefined ? [] : ["", "Functions:"]),
    ...(functions ?? []).map(
      (each) =>
        `  ${plain(each.file)}:${each.line}-${each.end_line} ${plain(each.name)}: cyclomatic ${each.cyclomatic}, cognitive ${each.cognitive}, nesting ${each.nesting}, parameters ${each.parameters}, code lines ${each.code_lines}, effort ${each.halstead.effort}, maintainability ${each.maintainability}`,
    ),
  ];
  const rest = restOf(view);
  return [...lines, ...(rest.length === 0 ? [] : ["", ...rest])].join("\n");
}
