import { fitToBudget } from "@toolwright/kit/files";
import { nextOffset } from "@toolwright/kit/pack";
import { counted, escapeInvisible, escapeMarkdown } from "../format.js";
import { noSourceFiles } from "../project/project.js";
import type { CopyGroup, CopyLocation, Duplicates } from "./find-duplicates.js";

/** How many copies of a group are listed. */
const MAX_COPIES = 20;

/** The size of the groups in bytes of JSON; the text contains them once more. */
const BUDGET = 18_000;

/** A page of the groups. */
export interface DuplicateReport extends Omit<Duplicates, "groups" | "skipped"> {
  readonly groups: readonly ShownGroup[];
  readonly total: number;
  readonly skipped: readonly string[];
  readonly next_cursor?: string;
}

/** A group with the first of its copies. */
interface ShownGroup extends CopyGroup {
  readonly more_copies?: number;
}

/** Selects a page of the groups. */
export function toReport(found: Duplicates, { limit, offset }: { limit: number; offset: number }): DuplicateReport {
  const shown = found.groups.slice(offset, offset + limit).map((group): ShownGroup => {
    const more = group.copies.length - MAX_COPIES;
    return more <= 0 ? group : { ...group, copies: group.copies.slice(0, MAX_COPIES), more_copies: more };
  });
  const groups = fitToBudget(shown, BUDGET);
  return {
    ...found,
    groups,
    total: found.groups.length,
    skipped: found.skipped.slice(0, 20).map(({ path, reason }) => `${path}: ${reason}`),
    ...nextOffset(offset + groups.length, found.groups.length),
  };
}

/** Writes a report as text. */
export const writeReport = (report: DuplicateReport, format: "summary" | "markdown"): string =>
  format === "markdown" ? writeMarkdown(report) : writeSummary(report);

function writeSummary(report: DuplicateReport): string {
  const groups = report.groups.map(
    (group) => `${sizeOf(group)}: ${escapeInvisible(group.copies.map(locationOf).join(", "))}${moreOf(group)}`,
  );
  return [headOf(report), ...groups, ...notesOf(report)].join("\n");
}

function writeMarkdown(report: DuplicateReport): string {
  const rows = report.groups.map((group) => {
    const places = group.copies.map((copy) => escapeMarkdown(locationOf(copy))).join("<br>");
    return `| ${kindOf(group)} | ${group.lines} | ${group.tokens} | ${group.copies.length + (group.more_copies ?? 0)} | ${places}${moreOf(group)} |`;
  });
  const table = ["| kind | lines | tokens | copies | locations |", "|---|---:|---:|---:|---|", ...rows];
  return ["# Duplicated code", "", headOf(report), "", ...(rows.length > 0 ? table : []), "", ...notesOf(report)].join(
    "\n",
  );
}

const headOf = ({ total, percent, duplicated_lines, lines, files, skipped }: DuplicateReport): string =>
  files === 0
    ? noSourceFiles(skipped.length)
    : total === 0
      ? `No duplicated code in ${counted(files, "file")}.`
      : `${counted(total, "group")} of copies in ${counted(files, "file")}: ${duplicated_lines} of ${counted(lines, "line")} (${percent} %) are in a copy.`;

const sizeOf = (group: ShownGroup): string =>
  `${kindOf(group)}, ${group.copies.length + (group.more_copies ?? 0)} × ${counted(group.lines, "line")}, ${counted(group.tokens, "token")}`;

const kindOf = ({ kind, exact_copies: exact }: ShownGroup): string =>
  exact === undefined ? kind : `${kind} (${exact} of them exact)`;

const locationOf = ({ path, line, end_line }: CopyLocation): string => `${path}:${line}-${end_line}`;

const moreOf = ({ more_copies: more }: ShownGroup): string => (more === undefined ? "" : ` and ${more} more`);

function notesOf({ next_cursor, total, skipped, unread_tokens: unread }: DuplicateReport): string[] {
  return [
    ...(next_cursor === undefined
      ? []
      : [`${counted(total - Number(next_cursor), "more group")}: call again with cursor "${next_cursor}".`]),
    ...(unread === undefined
      ? []
      : [`${unread} tokens were not compared because of the limit. Analyze one folder, or exclude files.`]),
    ...(skipped.length > 0 ? [`Skipped or only partly read: ${skipped.join("; ")}`] : []),
  ];
}
