import { counted, escapeInvisible, escapeMarkdown } from "../format.js";
import { type FoundNote, KINDS, type Notes, SEVERITIES } from "./notes.js";

/** How many notes of each kind and severity there are, and the oldest. */
export interface NoteCounts {
  readonly total: number;
  readonly files: number;
  readonly by_kind: Readonly<Record<string, number>>;
  readonly by_severity: Readonly<Record<string, number>>;
  readonly oldest?: FoundNote;
}

/** Counts notes; what there is none of is left out. */
export function countNotes(notes: readonly FoundNote[]): NoteCounts {
  const aged = notes.filter(({ age_days }) => age_days !== undefined);
  const [oldest] = aged.toSorted((one, other) => (other.age_days ?? 0) - (one.age_days ?? 0));
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

/** The counts in sentences, and some notes a line each. */
export function summariseNotes({ notes, files, remarks }: Notes, shown: readonly FoundNote[], next?: number): string {
  const { total, by_kind, by_severity, oldest, files: noted } = countNotes(notes);
  if (total === 0) return [`No notes in ${counted(files, "file")}.`, ...remarks].join("\n");
  const old =
    oldest &&
    `Oldest: ${oldest.path}:${oldest.line}, ${counted(oldest.age_days ?? 0, "day")}, ${oldest.author ?? "unknown"}.`;
  return [
    `${counted(total, "note")} in ${noted} of ${counted(files, "file")}.`,
    `By severity: ${listed(by_severity)}. By kind: ${listed(by_kind)}.`,
    ...(old === undefined ? [] : [old]),
    ...shown.map((note) => `${note.severity} ${note.kind} ${note.path}:${note.line} ${saying(note)}${age(note)}`),
    ...moreAt(next),
    ...remarks,
  ]
    .map(escapeInvisible)
    .join("\n");
}

/** The same as a table for people. */
export function tabulateNotes({ notes, files, remarks }: Notes, shown: readonly FoundNote[], next?: number): string {
  const { total, by_kind, by_severity } = countNotes(notes);
  return [
    `# To-do comments`,
    "",
    `${counted(total, "note")} in ${counted(files, "file")}${total === 0 ? "" : `: ${listed(by_severity)}; ${listed(by_kind)}`}.`,
    "",
    "| severity | kind | place | note | days | author |",
    "|---|---|---|---|---:|---|",
    ...shown.map(
      (note) =>
        `| ${note.severity} | ${note.kind} | ${escapeMarkdown(`${note.path}:${note.line}`)} | ${escapeMarkdown(saying(note))} | ${note.age_days ?? ""} | ${escapeMarkdown(note.author ?? "")} |`,
    ),
    ...[...moreAt(next), ...remarks].flatMap((remark) => ["", remark]),
  ]
    .map(escapeInvisible)
    .join("\n");
}

const moreAt = (next: number | undefined): readonly string[] =>
  next === undefined ? [] : [`There is more: call again with offset: ${next}.`];

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

const saying = ({ word, text, owner }: FoundNote): string =>
  `${word}${owner === undefined ? "" : `(${owner})`}: ${text}`.trim();

const age = ({ age_days: days, author }: FoundNote): string =>
  days === undefined ? "" : ` (${counted(days, "day")}, ${author ?? "unknown"})`;
