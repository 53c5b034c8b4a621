import type { Check } from "./suite.js";

/** What a run of a suite amounts to. */
export interface Verdict {
  /** How many checks each scenario passed; one that looked at nothing is not in here. */
  readonly passed: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
  readonly skipped: readonly string[];
}

/** Judges a run by its single checks: warnings and scenarios that check nothing pass with the suite itself. */
export function sumUp(checks: readonly Check[]): Verdict {
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
