import type { ChurnReport } from "./report.js";
import { writeCsv } from "./write-csv.js";
import { writeMarkdown } from "./write-markdown.js";
import { writeSummary } from "./write-summary.js";

/** Writes a report for people. */
export function writeReport(report: ChurnReport, format: "summary" | "markdown" | "csv"): string {
  if (format === "csv") return writeCsv(report.files);
  return format === "markdown" ? writeMarkdown(report) : writeSummary(report);
}
