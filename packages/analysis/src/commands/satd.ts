import { choiceOf, choicesOf, numberOf, writeJson } from "@toolwright/kit/cli";
import { counted } from "../format.js";
import { findNotes } from "../satd/find-notes.js";
import { type FoundNote, KINDS, type Notes, SEVERITIES } from "../satd/notes.js";
import { countNotes, tabulateNotes } from "../satd/show-notes.js";
import type { Deed, Desk } from "./deed.js";
import { readNow } from "./now.js";
import { remarks, section, skippedFiles, USUAL_ROWS } from "./view.js";

/** `toolwright analyze satd`: what comments say is left to do. */
export const satd: Deed = {
  takes: ["--include", "--exclude", "--kind", "--severity", "--top"],
  formats: ["summary", "json", "markdown"],
  async run(desk) {
    const { analysis, call, path, options, format } = desk;
    const top = numberOf(options, "--top", 1);
    const found = await findNotes(analysis, call, {
      path,
      kinds: choicesOf(options, "--kind", KINDS),
      severity: choiceOf(options, "--severity", SEVERITIES),
      include: options["--include"],
      exclude: options["--exclude"],
      now: readNow(process.env),
    });
    const shown = found.notes.slice(0, top);
    if (format === "json") {
      const notes = shown.map((note) => ({ ...note }));
      return { text: writeJson({ ...toCounts(found), notes, remarks: [...found.remarks] }) };
    }
    if (format === "markdown") return { text: tabulateNotes(found, shown) };
    return { text: show(desk, found, top ?? USUAL_ROWS) };
  },
};

function toCounts({ notes }: Notes) {
  const { oldest, ...counts } = countNotes(notes);
  return { ...counts, ...(oldest !== undefined && { oldest: { ...oldest } }) };
}

function show(desk: Desk, found: Notes, top: number): string {
  const { paint, project } = desk;
  const { total, files, by_severity, by_kind } = countNotes(found.notes);
  const heading = paint.bold(`To-do comments of ${project}`);
  if (total === 0)
    return [
      `${heading}: ${found.files === 0 ? "none" : paint.green("none")} in ${counted(found.files, "file")}`,
      ...skippedFiles(desk, found.skipped),
      ...remarks(desk, found.remarks),
    ].join("\n");
  const listed = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([name, number]) => `${number} ${name}`)
      .join(", ");
  const severity = (text: string, note: FoundNote): string =>
    note.severity === "critical" || note.severity === "high"
      ? paint.red(text)
      : note.severity === "medium"
        ? paint.yellow(text)
        : text;
  return [
    `${heading}: ${total} in ${files} of ${counted(found.files, "file")}`,
    `  ${listed(by_severity)}; ${listed(by_kind)}`,
    ...section<FoundNote>(
      desk,
      "The worst first",
      [
        { name: "severity", text: (note) => note.severity, paint: severity },
        { name: "kind", text: ({ kind }) => kind },
        { name: "place", text: ({ path, line }) => `${path}:${line}`, gives: "path" },
        { name: "days", text: ({ age_days }) => String(age_days ?? "–"), isNumber: true },
        { name: "note", text: ({ word, text }) => (text === "" ? word : `${word}: ${text}`), gives: "words" },
      ],
      { rows: found.notes, most: top },
    ),
    ...skippedFiles(desk, found.skipped),
    ...remarks(desk, found.remarks),
  ].join("\n");
}
