import type { ListedPattern } from "../library/compiled.js";

/** Patterns as a list that a prompt ends with. */
export function summaryLines(patterns: readonly ListedPattern[]): string {
  if (patterns.length === 0) return "\nNo pattern fits what was said so far; threats://index shows all.";
  const lines = patterns.map(
    ({ id, name, severity, agent_summary: { threat, check, fix } }) =>
      `- ${id} (${severity}) ${name}. ${threat} Check: ${check} Fix: ${fix}`,
  );
  return ["\nPatterns to begin with:", ...lines].join("\n");
}
