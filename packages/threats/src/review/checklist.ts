import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { SEVERITIES, type Severity } from "../format/pattern.js";
import type { Library } from "../library/library.js";
import { findListed } from "../query/query.js";
import { checksOf } from "./checks.js";
import { type ReviewInput, readInput } from "./inputs.js";
import { lateNotes, type ReviewOptions, scanAll } from "./review.js";
import type { Match } from "./scan-text.js";

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

const MAX_PLACES = 3;

/** What code gives to check: a line for each pattern that it touches, whose check is missing before those whose check is there. */
export function toListedChecks(matches: readonly Match[]): readonly ListedCheck[] {
  const groups = new Map<string, Match[]>();
  for (const one of matches) groups.set(one.check.pattern.id, [...(groups.get(one.check.pattern.id) ?? []), one]);
  const checks = [...groups.values()].map((group): ListedCheck => {
    const missing = group.filter(({ confidence }) => confidence !== undefined);
    const shown = missing.length > 0 ? missing : group;
    const places = [...new Set(shown.map(({ file, line }) => `${file}:${line}`))];
    const { id, category, severity, check } = (group[0] as Match).check.pattern;
    return {
      id,
      category,
      severity,
      check,
      places: places.slice(0, MAX_PLACES),
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

/** What the families are about, for people. */
const TITLES: Readonly<Record<string, string>> = {
  authz: "Authorization",
  tenant: "Tenants",
  async: "Jobs, webhooks and events",
  authn: "Signing in",
  logic: "Business logic",
  input: "Input",
  files: "Files",
  outbound: "Outbound requests",
  crypto: "Secrets and cryptography",
  fail: "Failure",
  supply: "Supply chain",
  config: "Configuration",
  privacy: "Privacy",
  browser: "Browsers",
  agent: "Agents and MCP servers",
};

/** The title of a family; one of a user's own has none but its name. */
export const familyTitle = (family: string): string => TITLES[family] ?? family;

/** What a checklist is made of. */
export interface ChecklistInput extends Pick<ReviewInput, "diff" | "files"> {
  /** The task in words. */
  readonly context?: string | undefined;
}

/** A checklist. */
export interface Checklist {
  readonly markdown: string;
  readonly checks: readonly ListedCheck[];
  /** How many patterns had no room. */
  readonly left_out: number;
}

/** Writes a checklist for a task, for code, or for both: what the code touches comes first. Throws a `ToolError`. */
export async function runChecklist(
  library: Library,
  { context, ...ask }: ChecklistInput,
  options: Pick<ReviewOptions, "limit" | "signal" | "onProgress">,
  openReach: () => Promise<FileAccess>,
): Promise<Checklist> {
  const hasCode = ask.diff !== undefined || ask.files !== undefined;
  if (!hasCode && (context ?? "").trim() === "")
    throw new ToolError("Cannot write a checklist of nothing. Give context, diff or files.", {
      code: "INVALID_ARGUMENTS",
    });
  const fromCode = hasCode ? await seenIn(library, ask, options, openReach) : { checks: [], notes: [] };
  const told = context === undefined ? [] : await findListed(library, { context });
  const fromWords = told
    .filter((entry) => !fromCode.checks.some(({ id }) => id === entry.id))
    .map(({ id, category, severity, agent_summary: { check } }): ListedCheck => {
      return { id, category, severity, check, places: [], count: 0, visible: false };
    });
  const all = [...fromCode.checks, ...fromWords];
  const checks = all.slice(0, options.limit);
  const leftOut = all.length - checks.length;
  return { markdown: writeChecklist(checks, leftOut, fromCode.notes), checks, left_out: leftOut };
}

async function seenIn(
  library: Library,
  ask: ReviewInput,
  options: Pick<ReviewOptions, "signal" | "onProgress">,
  openReach: () => Promise<FileAccess>,
): Promise<{ readonly checks: readonly ListedCheck[]; readonly notes: readonly string[] }> {
  const checks = await checksOf(library);
  const { fragments, notes } = await readInput(ask, openReach);
  const look = await scanAll(fragments, { ...options, checks });
  return { checks: toListedChecks(look.matches), notes: [...notes, ...look.notes, ...lateNotes(look.late)] };
}
