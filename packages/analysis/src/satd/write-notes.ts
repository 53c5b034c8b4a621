import { counted, escapeInvisible, escapeMarkdown } from "../format.js";
import { type FoundNote, KINDS, type Notes, SEVERITIES } from "./notes.js";

/** The number of notes by kind and severity, and the oldest note. */
export interface NoteCounts {
  readonly total: number;
  readonly files: number;
  readonly by_kind: Readonly<Record<string, number>>;
  readonly by_severity: Readonly<Record<string, number>>;
  readonly oldest?: FoundNote;
}

/** Counts notes; kinds and severities without any are left out. */
export function countNotes(notes: readonly FoundNote[]): NoteCounts {
  const dated = notes.filter(({ age_days }) => age_days !== undefined);
  const [oldest] = dated.toSorted((a, b) => (b.age_days ?? 0) - (a.age_days ?? 0));
  return {
    total: notes.length,
    files: new Set(notes.map(({ path }) => path)).size,
    by_kind: countBy(KINDS, notes, ({ kind }) => kind),
    by_severity: countBy(SEVERITIES.toReversed(), notes, ({ severity }) => severity),
    ...(oldest !== undefined && { oldest }),
  };
}

function countBy(names: readonly string[], notes: readonly FoundNote[], of: (note: FoundNote) => string) {
  const counts = names.map((name): [string, number] => [name, notes.filter((note) => of(note) === name).length]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Writes the counts, and a line for each note of a page. */
export function writeSummary(
  { notes, files, remarks }: Notes,
  page: readonly FoundNote[],
  nextCursor?: string,
): string {
  const { total, by_kind, by_severity, oldest, files: noted } = countNotes(notes);
  if (total === 0) return [`No to-do comments in ${counted(files, "file")}.`, ...remarks].join("\n");
  return [
    `${counted(total, "to-do comment")} in ${noted} of ${counted(files, "file")}.`,
    `By severity: ${listCounts(by_severity)}. By kind: ${listCounts(by_kind)}.`,
    ...(oldest === undefined
      ? []
      : [
          `Oldest: ${oldest.path}:${oldest.line}, ${counted(oldest.age_days ?? 0, "day")}, ${oldest.author ?? "unknown"}.`,
        ]),
    ...page.map((note) => `${note.severity} ${note.kind} ${note.path}:${note.line} ${textOf(note)}${ageOf(note)}`),
    ...moreAt(nextCursor),
    ...remarks,
  ]
    .map(escapeInvisible)
    .join("\n");
}

/** Writes the same as Markdown. */
export function writeMarkdown(
  { notes, files, remarks }: Notes,
  page: readonly FoundNote[],
  nextCursor?: string,
): string {
  const { total, by_kind, by_severity } = countNotes(notes);
  return [
    `# To-do comments`,
    "",
    `${counted(total, "to-do comment")} in ${counted(files, "file")}${total === 0 ? "" : `: ${listCounts(by_severity)}; ${listCounts(by_kind)}`}.`,
    "",
    "| severity | kind | location | note | days | author |",
    "|---|---|---|---|---:|---|",
    ...page.map(
      (note) =>
        `| ${note.severity} | ${note.kind} | ${escapeMarkdown(`${note.path}:${note.line}`)} | ${escapeMarkdown(textOf(note))} | ${note.age_days ?? ""} | ${escapeMarkdown(note.author ?? "")} |`,
    ),
    ...[...moreAt(nextCursor), ...remarks].flatMap((remark) => ["", remark]),
  ]
    .map(escapeInvisible)
    .join("\n");
}

const moreAt = (cursor: string | undefined): readonly string[] =>
  cursor === undefined ? [] : [`There is more: call again with cursor "${cursor}".`];

/** Lists counts: `2 high, 1 low`. */
export const listCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

const textOf = ({ word, text, owner }: FoundNote): string =>
  `${word}${owner === undefined ? "" : `(${owner})`}: ${text}`.trim();

const ageOf = ({ age_days: days, author }: FoundNote): string =>
  days === undefined ? "" : ` (${counted(days, "day")}, ${author ?? "unknown"})`;
