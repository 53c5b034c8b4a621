import { defineCommand, writeJson } from "@toolwright/kit/cli";
import { counted } from "../format.js";
import { type FoundNote, KINDS, type Notes, SEVERITIES } from "../satd/notes.js";
import { countNotes, listCounts, writeMarkdown } from "../satd/write-notes.js";
import {
  type AnalysisScreen,
  COMMON_OPTIONS,
  DEFAULT_ROWS,
  endOfPeriod,
  FILE_OPTIONS,
  formatOption,
  PATH_ARGUMENT,
  ROW_OPTIONS,
  remarks,
  runAnalysis,
  section,
  skippedFiles,
} from "./run-analysis.js";

const FORMATS = ["summary", "json", "markdown"] as const;

/** `toolwright analyze satd` */
export const satd = defineCommand({
  name: "satd",
  summary: "Find to-do comments (self-admitted technical debt)",
  tool: "analyze_satd",
  args: PATH_ARGUMENT,
  options: {
    kind: { type: "string", choices: KINDS, multiple: true, placeholder: "KIND", description: "Only this kind." },
    severity: {
      type: "string",
      choices: SEVERITIES,
      placeholder: "SEVERITY",
      description: "Only this severity and higher.",
    },
    ...ROW_OPTIONS,
    ...FILE_OPTIONS,
    format: formatOption(FORMATS),
    ...COMMON_OPTIONS,
  },
  examples: ["toolwright analyze satd --severity high"],
  run: (input, ctx) =>
    runAnalysis(input, ctx, { formats: FORMATS }, async (screen) => {
      const { findNotes } = await import("../satd/find-notes.js");
      const { analysis, call, path, format } = screen;
      const { kind: kinds, severity, include, exclude, limit = input.top } = input;
      const now = endOfPeriod(ctx);
      const found = await findNotes(analysis, call, { path, kinds, severity, include, exclude, now });
      const shown = found.notes.slice(0, limit);
      if (format === "json") {
        const { oldest, ...counts } = countNotes(found.notes);
        const notes = shown.map((note) => ({ ...note }));
        const value = { ...counts, ...(oldest !== undefined && { oldest: { ...oldest } }), notes };
        return { text: writeJson({ ...value, remarks: [...found.remarks] }) };
      }
      return { text: format === "markdown" ? writeMarkdown(found, shown) : show(screen, found, limit ?? DEFAULT_ROWS) };
    }),
});

function show(screen: AnalysisScreen, found: Notes, rows: number): string {
  const { paint, project } = screen;
  const { total, files, by_severity, by_kind } = countNotes(found.notes);
  const heading = paint.bold(`To-do comments of ${project}`);
  if (total === 0)
    return [
      `${heading}: ${found.files === 0 ? "none" : paint.green("none")} in ${counted(found.files, "file")}`,
      ...skippedFiles(screen, found.skipped),
      ...remarks(screen, found.remarks),
    ].join("\n");
  const paintSeverity = (text: string, { severity }: FoundNote): string =>
    severity === "critical" || severity === "high"
      ? paint.red(text)
      : severity === "medium"
        ? paint.yellow(text)
        : text;
  return [
    `${heading}: ${total} in ${files} of ${counted(found.files, "file")}`,
    `  ${listCounts(by_severity)}; ${listCounts(by_kind)}`,
    ...section<FoundNote>(
      screen,
      "Most severe first",
      [
        { name: "severity", text: ({ severity }) => severity, paint: paintSeverity },
        { name: "kind", text: ({ kind }) => kind },
        { name: "location", text: ({ path, line }) => `${path}:${line}`, gives: "path" },
        { name: "days", text: ({ age_days }) => String(age_days ?? "–"), isNumber: true },
        { name: "note", text: ({ word, text }) => (text === "" ? word : `${word}: ${text}`), gives: "words" },
      ],
      { rows: found.notes, limit: rows },
    ),
    ...skippedFiles(screen, found.skipped),
    ...remarks(screen, found.remarks),
  ].join("\n");
}
