import { nothingFound } from "../project/nothing-found.js";
import type { ComplexityReport } from "./report.js";

/** What a reader must know before the numbers: that nothing was measured is not that nothing is wrong. */
export const remarkOn = ({ summary, skipped }: Pick<ComplexityReport, "summary" | "skipped">): string | undefined =>
  summary.total_files > 0 ? undefined : nothingFound(skipped.length, "project_path, include, exclude and toolchain");
