import type { Check } from "./suite.js";

/** The result of a suite's run. */
export interface RunResult {
  /** The number of passed checks per scenario; scenarios that checked nothing are absent. */
  readonly passed: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
  readonly skipped: readonly string[];
}

/** Evaluates a run by its single checks, because the suite also passes warnings and scenarios that check nothing. */
export function summarize(checks: readonly Check[]): RunResult {
  const passed: Record<string, number> = {};
  for (const { scenario, status } of checks) if (status === "SUCCESS") passed[scenario] = (passed[scenario] ?? 0) + 1;
  const those = (wanted: Check["status"]) => checks.filter(({ status }) => status === wanted).map(toText);
  return { passed, failures: those("FAILURE"), warnings: those("WARNING"), skipped: those("SKIPPED") };
}

function toText({ scenario, id, name, status, errorMessage, details }: Check): string {
  if (status === "SKIPPED") return `${scenario}: ${id}`;
  const violations = id === "wire-schema-valid" ? [JSON.stringify(details)] : [];
  return `${scenario}: ${id} (${name}): ${[errorMessage, ...violations].join(" ").trim()}`;
}
