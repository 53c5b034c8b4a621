import { tool } from "@toolwright/engine";
import { nextOffset, offsetOf, READ } from "@toolwright/kit/pack";
import type { Analysis } from "../analysis.js";
import { KINDS, SEVERITIES } from "../satd/notes.js";
import {
  acceptOffset,
  BOOLEAN,
  COUNT,
  EXCLUDE,
  INCLUDE,
  PATH,
  page,
  STRING,
  STRINGS,
  toAnalysisCall,
  toContent,
} from "../schema.js";

const COUNTS = { type: "object", additionalProperties: COUNT } as const;

const NOTE = {
  type: "object",
  properties: {
    path: STRING,
    line: COUNT,
    word: STRING,
    text: STRING,
    kind: { enum: KINDS },
    severity: { enum: SEVERITIES },
    is_test: BOOLEAN,
    owner: STRING,
    author: STRING,
    date: STRING,
    age_days: COUNT,
  },
  required: ["path", "line", "word", "text", "kind", "severity"],
} as const;

/** The size of the notes in a result, in bytes. */
const BUDGET = 20_000;

/** The tool that finds self-admitted technical debt: comments such as TODO and FIXME. */
export const analyzeSatd = (analysis: Analysis) =>
  tool({
    name: "analyze_satd",
    title: "Find to-do comments",
    description:
      "Finds to-do comments (TODO, FIXME, HACK, for now …) with kind, severity, author and age, most severe first.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: PATH,
        kinds: { type: "array", items: { enum: KINDS }, description: "Only these kinds" },
        severity: { enum: SEVERITIES, description: "Only this severity and higher" },
        include: INCLUDE,
        exclude: EXCLUDE,
        format: {
          enum: ["summary", "json", "markdown"],
          default: "summary",
          description: "Format of the text; the structured result is the same",
        },
        ...page(50, 200, "comments"),
      },
    },
    output: {
      type: "object",
      properties: {
        total: COUNT,
        files: COUNT,
        by_kind: COUNTS,
        by_severity: COUNTS,
        oldest: NOTE,
        notes: { type: "array", items: NOTE },
        remarks: STRINGS,
        next_cursor: STRING,
      },
      required: ["total", "files", "by_kind", "by_severity", "notes", "remarks"],
    },
    annotations: READ,
    timeoutMs: 120_000,
    normalizeInput: acceptOffset,
    async run({ project_path: path, kinds, severity, include, exclude, format, limit, cursor }, call) {
      const offset = offsetOf(cursor);
      const [{ findNotes }, { countNotes, writeMarkdown, writeSummary }, { fitToBudget }] = await Promise.all([
        import("../satd/find-notes.js"),
        import("../satd/write-notes.js"),
        import("@toolwright/kit/files/fit-to-budget.js"),
      ]);
      const found = await findNotes(analysis, toAnalysisCall(call), { path, kinds, severity, include, exclude });
      const notes = fitToBudget(found.notes.slice(offset, offset + limit), BUDGET);
      const value = {
        ...countNotes(found.notes),
        notes,
        remarks: [...found.remarks],
        ...nextOffset(offset + notes.length, found.notes.length),
      };
      if (format === "json") return value;
      const write = format === "markdown" ? writeMarkdown : writeSummary;
      return toContent(write(found, notes, value.next_cursor), value);
    },
  });
