import { numberOf, writeJson } from "@toolwright/kit/cli";
import { analyzeComplexity } from "../complexity/analyze.js";
import type { ComplexityReport } from "../complexity/report.js";
import { showReport } from "../complexity/view.js";
import { write } from "../complexity/write-report.js";
import type { Deed } from "./deed.js";
import { showComplexity } from "./show-complexity.js";
import { USUAL_ROWS } from "./view.js";

const MACHINE_FORMATS = ["full", "json", "sarif", "markdown"] as const;

/** `toolwright analyze complexity`: how hard functions are to follow and to test. */
export const complexity: Deed = {
  takes: [
    "--include",
    "--exclude",
    "--max-cyclomatic",
    "--max-cognitive",
    "--top-files",
    "--top",
    "--toolchain",
    "--explain",
    "--baseline",
    "--all",
    "--fail",
  ],
  formats: ["summary", ...MACHINE_FORMATS],
  async run(desk) {
    const { analysis, call, path, options, format } = desk;
    const explain = options["--explain"] !== undefined;
    const isFull = options["--format"]?.[0] === "full";
    const top = numberOf(options, "--top", 1);
    const wish = {
      project_path: path,
      toolchain: options["--toolchain"]?.[0] ?? "auto",
      max_cyclomatic: numberOf(options, "--max-cyclomatic", 1),
      max_cognitive: numberOf(options, "--max-cognitive", 1),
      top_files: numberOf(options, "--top-files", 0) ?? 0,
      include: options["--include"],
      exclude: options["--exclude"],
      all: options["--all"] !== undefined,
      explain,
      baseline: options["--baseline"]?.[0],
    };
    const report = await analyzeComplexity(analysis, call, wish, isFull);
    const hasFailed = options["--fail"] !== undefined && isBad(report);
    const form = MACHINE_FORMATS.find((one) => one === format);
    if (form === undefined) return { text: showComplexity(desk, report, top ?? USUAL_ROWS), hasFailed };
    const shown = showReport(report, { offset: 0, limit: top ?? Number.POSITIVE_INFINITY, isFull, explain });
    const text = write(shown, form);
    return { text: form === "json" || form === "sarif" ? writeJson(JSON.parse(text)) : text, hasFailed };
  },
};

/** Errors count; where there is a baseline, only what is worse than it was or new. */
function isBad({ summary, violations, baseline }: ComplexityReport): boolean {
  // Whoever looks at nothing, because of a mistyped glob, must not be told that all is well.
  if (summary.total_files === 0) return true;
  const errors = violations.filter(({ violation }) => violation.severity === "error");
  if (baseline === undefined) return errors.length > 0;
  return baseline.worse.length > 0 || errors.some(({ violation }) => violation.baseline_state === "new");
}
