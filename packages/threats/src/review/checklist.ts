import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { SEVERITIES, type Severity } from "../format/pattern.js";
import type { Library } from "../library/library.js";
import { findListed } from "../query/query.js";
import { type ReviewInput, readInput } from "./inputs.js";
import { lateNotes, type ReviewOptions, scanAll } from "./review.js";
import type { Match } from "./scan-text.js";
import { checksOf } from "./scan-text.js";

/** An entry of a checklist. */
interface ListedCheck {
  readonly id: string;
  readonly category: string;
  readonly severity: Severity;
  readonly check: string;
  /** Where in the code; empty for patterns that come from the description of the task. */
  readonly places: readonly string[];
  /** The number of all places. */
  readonly count: number;
  /** Whether a check is visible in all places. It can still be wrong. */
  readonly visible: boolean;
}

const MAX_PLACES = 3;

/** Groups matches to one entry for each pattern; those without a visible check come first. */
function toListedChecks(matches: readonly Match[]): readonly ListedCheck[] {
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

/** Formats check boxes as Markdown, grouped by family. */
function writeChecklist(checks: readonly ListedCheck[], leftOut: number, notes: readonly string[]): string {
  const families = [...new Set(checks.map(({ category }) => category))];
  return [
    "## Threats to check",
    ...(checks.length === 0 ? ["", "No threat pattern applies."] : []),
    ...families.flatMap((family) => [
      "",
      `### ${line(familyTitle(family))}`,
      "",
      ...checks.filter(({ category }) => category === family).map(writeCheck),
    ]),
    ...(leftOut > 0
      ? ["", leftOut === 1 ? "1 less severe pattern was left out." : `${leftOut} less severe patterns were left out.`]
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

/** Escapes text of a pattern: one line, no HTML. */
const line = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("<", "&lt;").trim();

const code = (text: string): string => `\`${text.replaceAll(/[`\s]/g, " ")}\``;

/** The titles of the built-in families. */
const TITLES: Readonly<Record<string, string>> = {
  authz: "Authorization",
  tenant: "Tenants",
  async: "Jobs, webhooks and events",
  authn: "Authentication",
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

/** The title of a family. One of the user has its name only. */
const familyTitle = (family: string): string => TITLES[family] ?? family;

/** The input of a checklist. */
export interface ChecklistInput extends Pick<ReviewInput, "diff" | "files"> {
  /** A description of the task. */
  readonly context?: string | undefined;
}

/** A checklist. */
export interface Checklist {
  readonly markdown: string;
  readonly checks: readonly ListedCheck[];
  /** The number of patterns beyond the limit. */
  readonly left_out: number;
}

/** Creates a checklist for a task, for code, or for both; patterns that apply to the code come first. Throws a `ToolError`. */
export async function createChecklist(
  library: Library,
  { context, ...source }: ChecklistInput,
  options: Pick<ReviewOptions, "limit" | "signal" | "onProgress">,
  openAccess: () => Promise<FileAccess>,
): Promise<Checklist> {
  const hasCode = source.diff !== undefined || source.files !== undefined;
  if (!hasCode && (context ?? "").trim() === "")
    throw new ToolError("A checklist needs context, diff or files.", { code: "INVALID_ARGUMENTS" });
  const fromCode = hasCode ? await checksInCode(library, source, options, openAccess) : { checks: [], notes: [] };
  const relevant = context === undefined ? [] : await findListed(library, { context });
  const fromContext = relevant
    .filter((entry) => !fromCode.checks.some(({ id }) => id === entry.id))
    .map(({ id, category, severity, agent_summary: { check } }): ListedCheck => {
      return { id, category, severity, check, places: [], count: 0, visible: false };
    });
  const all = [...fromCode.checks, ...fromContext];
  const checks = all.slice(0, options.limit);
  const leftOut = all.length - checks.length;
  return { markdown: writeChecklist(checks, leftOut, fromCode.notes), checks, left_out: leftOut };
}

async function checksInCode(
  library: Library,
  input: ReviewInput,
  options: Pick<ReviewOptions, "signal" | "onProgress">,
  openAccess: () => Promise<FileAccess>,
): Promise<{ readonly checks: readonly ListedCheck[]; readonly notes: readonly string[] }> {
  const checks = await checksOf(library);
  const { fragments, notes } = await readInput(input, openAccess);
  const found = await scanAll(fragments, { ...options, checks });
  return { checks: toListedChecks(found.matches), notes: [...notes, ...found.notes, ...lateNotes(found.late)] };
}
