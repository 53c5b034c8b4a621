import { fitToBudget } from "@toolwright/kit/files";
import { counted, escapeInvisible, escapeMarkdown } from "../format.js";
import { nothingFound } from "../project/project.js";
import type { CopyGroup, CopyPlace, Duplicates } from "./find-duplicates.js";

/** How many places of a group are named. */
const MOST_COPIES = 20;

/** How many bytes the groups of a result may have; they are told twice. */
const ROOM = 18_000;

/** What the tool says: a page of the groups. */
export interface DuplicateReport extends Omit<Duplicates, "groups" | "skipped"> {
  readonly groups: readonly ShownGroup[];
  readonly total: number;
  readonly skipped: readonly string[];
  readonly next?: { readonly offset: number };
}

/** A group as it is shown: of very many copies the first. */
interface ShownGroup extends CopyGroup {
  readonly more_copies?: number;
}

/** Takes a page of the groups. */
export function toReport(found: Duplicates, { limit, offset }: { limit: number; offset: number }): DuplicateReport {
  const shown = found.groups.slice(offset, offset + limit).map((group): ShownGroup => {
    const more = group.copies.length - MOST_COPIES;
    return more <= 0 ? group : { ...group, copies: group.copies.slice(0, MOST_COPIES), more_copies: more };
  });
  const groups = fitToBudget(shown, ROOM);
  const end = offset + groups.length;
  return {
    ...found,
    groups,
    total: found.groups.length,
    skipped: found.skipped.slice(0, 20).map(({ path, reason }) => `${path}: ${reason}`),
    ...(end < found.groups.length && { next: { offset: end } }),
  };
}

/** The report as people and models read it. */
export const writeReport = (report: DuplicateReport, format: "summary" | "markdown"): string =>
  format === "markdown" ? writeMarkdown(report) : writeSummary(report);

/** A line for each group. */
function writeSummary(report: DuplicateReport): string {
  const groups = report.groups.map(
    (group) => `${sizeOf(group)}: ${escapeInvisible(group.copies.map(placeOf).join(", "))}${moreOf(group)}`,
  );
  return [headOf(report), ...groups, ...notesOf(report)].join("\n");
}

/** A table of the groups. */
function writeMarkdown(report: DuplicateReport): string {
  const rows = report.groups.map((group) => {
    const places = group.copies.map((copy) => escapeMarkdown(placeOf(copy))).join("<br>");
    return `| ${kindOf(group)} | ${group.lines} | ${group.tokens} | ${group.copies.length + (group.more_copies ?? 0)} | ${places}${moreOf(group)} |`;
  });
  const table = ["| kind | lines | tokens | copies | places |", "|---|---:|---:|---:|---|", ...rows];
  return ["# Duplicated code", "", headOf(report), "", ...(rows.length > 0 ? table : []), "", ...notesOf(report)].join(
    "\n",
  );
}

const headOf = ({ total, percent, duplicated_lines, lines, files, skipped }: DuplicateReport): string =>
  files === 0
    ? nothingFound(skipped.length)
    : total === 0
      ? `No duplicated code in ${counted(files, "file")}.`
      : `${counted(total, "group")} of copies in ${counted(files, "file")}: ${duplicated_lines} of ${counted(lines, "line")} (${percent} %) are in a copy.`;

const sizeOf = (group: ShownGroup): string =>
  `${kindOf(group)}, ${group.copies.length + (group.more_copies ?? 0)} × ${counted(group.lines, "line")}, ${counted(group.tokens, "token")}`;

const kindOf = ({ kind, exact_copies: exact }: ShownGroup): string =>
  exact === undefined ? kind : `${kind} (${exact} of them exact)`;

const placeOf = ({ path, line, end_line }: CopyPlace): string => `${path}:${line}-${end_line}`;

const moreOf = ({ more_copies: more }: ShownGroup): string => (more === undefined ? "" : ` and ${more} more`);

function notesOf({ next, total, skipped, unread_tokens: unread }: DuplicateReport): string[] {
  return [
    ...(next === undefined
      ? []
      : [`${counted(total - next.offset, "more group")}: call again with offset ${next.offset}.`]),
    ...(unread === undefined
      ? []
      : [`${unread} tokens were too many to compare: call again for one folder, or with exclude.`]),
    ...(skipped.length > 0 ? [`Skipped or only partly read: ${skipped.join("; ")}`] : []),
  ];
}
