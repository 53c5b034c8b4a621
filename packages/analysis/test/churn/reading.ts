import type { JsonObject } from "@toolwright/engine";
import type { ChurnReport } from "../../src/tools/analyze-code-churn.js";
import { openBench } from "../kit.js";

/** What the tool says of a repository. */
export async function churnOf(root: string, args: JsonObject = {}): Promise<ChurnReport> {
  const { call } = await openBench({ root });
  return (await call("analyze_code_churn", { format: "json", ...args })) as unknown as ChurnReport;
}

/** The file of a report that has a path. */
export function fileOf(report: ChurnReport, path: string): ChurnReport["files"][number] {
  const found = report.files.find((file) => file.path === path);
  if (found === undefined) throw new Error(`there is no ${path}: ${report.files.map((file) => file.path).join(", ")}`);
  return found;
}
