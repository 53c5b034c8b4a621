import { SEVERITIES, type Severity } from "../format/pattern.js";

import { familyTitle } from "./families.js";
import type { Sighting } from "./look-at-text.js";

/** One thing to check. */
export interface ListedCheck {
  readonly id: string;
  readonly category: string;
  readonly severity: Severity;
  readonly check: string;
  /** Where in the code; empty = it comes from what was said of the task. */
  readonly places: readonly string[];
  /** How many places there are. */
  readonly count: number;
  /** Whether the check can be seen in all of the places: then it is left to say that it is right. */
  readonly visible: boolean;
}

const MOST_PLACES = 3;

/** What code gives to check: a line for each pattern that it touches, whose check is missing before those whose check is there. */
export function toChecks(sightings: readonly Sighting[]): readonly ListedCheck[] {
  const groups = new Map<string, Sighting[]>();
  for (const one of sightings) groups.set(one.check.pattern.id, [...(groups.get(one.check.pattern.id) ?? []), one]);
  const checks = [...groups.values()].map((group): ListedCheck => {
    const missing = group.filter(({ confidence }) => confidence !== undefined);
    const shown = missing.length > 0 ? missing : group;
    const places = [...new Set(shown.map(({ file, line }) => `${file}:${line}`))];
    const { id, category, severity, check } = (group[0] as Sighting).check.pattern;
    return {
      id,
      category,
      severity,
      check,
      places: places.slice(0, MOST_PLACES),
      count: places.length,
      visible: missing.length === 0,
    };
  });
  return checks.sort(
    (a, b) =>
      Number(a.visible) - Number(b.visible) ||
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      (a.id < b.id ? -1 : 1),
  );
}

/** Writes check boxes in Markdown, a group for each family, in the order in which they come. */
export function writeChecklist(checks: readonly ListedCheck[], leftOut: number, notes: readonly string[]): string {
  const families = [...new Set(checks.map(({ category }) => category))];
  return [
    "## Threats to check",
    ...(checks.length === 0 ? ["", "No threat pattern applies, for all that can be seen."] : []),
    ...families.flatMap((family) => [
      "",
      `### ${line(familyTitle(family))}`,
      "",
      ...checks.filter(({ category }) => category === family).map(writeCheck),
    ]),
    ...(leftOut > 0
      ? [
          "",
          leftOut === 1
            ? "1 more pattern applies; it is less severe."
            : `${leftOut} more patterns apply; they are less severe.`,
        ]
      : []),
    ...notes.flatMap((note) => ["", `> ${line(note)}`]),
    "",
  ].join("\n");
}

function writeCheck({ id, severity, check, places, count, visible }: ListedCheck): string {
  const more = count > places.length ? ` and ${count - places.length} more` : "";
  const where =
    places.length === 0 ? "" : ` (${places.map(code).join(", ")}${more}${visible ? "; a check is visible" : ""})`;
  return `- [ ] **${id}** (${severity}): ${line(check)}${where}`;
}

/** Text of a pattern must stay in its line, and may not be HTML. */
const line = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("<", "&lt;").trim();

const code = (text: string): string => `\`${text.replaceAll(/[`\s]/g, " ")}\``;
