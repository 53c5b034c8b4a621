import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";
import { KINDS, SEVERITIES } from "../satd/notes.js";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** A note in a result. */
export const NOTE = {
  type: "object",
  properties: {
    path: words,
    line: count,
    word: words,
    text: words,
    kind: { enum: KINDS },
    severity: { enum: SEVERITIES },
    is_test: { type: "boolean" },
    owner: words,
    author: words,
    date: words,
    age_days: count,
  },
  required: ["path", "line", "word", "text", "kind", "severity"],
} as const;

const globs = { type: "array", items: words } as const;
const counts = { type: "object", additionalProperties: count } as const;

/** Lists what is left to do, by the comments that say so. */
export const analyzeSatd = (analysis: Analysis) =>
  tool({
    name: "analyze_satd",
    title: "Find to-do comments",
    description: "To-do comments (TODO, FIXME, HACK, for now …) by kind, severity and age, the worst first.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: { type: "string", default: "." },
        kinds: { type: "array", items: { enum: KINDS } },
        severity: { enum: SEVERITIES, description: "This and worse." },
        include: globs,
        exclude: globs,
        format: { enum: ["summary", "json", "markdown"], default: "summary" },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 50 },
        offset: { ...count, default: 0 },
      },
    },
    output: {
      type: "object",
      properties: {
        total: count,
        files: count,
        by_kind: counts,
        by_severity: counts,
        oldest: NOTE,
        notes: { type: "array", items: NOTE },
        remarks: { type: "array", items: words },
        next: { type: "object", properties: { offset: count }, required: ["offset"] },
      },
      required: ["total", "files", "by_kind", "by_severity", "notes", "remarks"],
    },
    annotations: READS,
    timeoutMs: 120_000,
    async run({ project_path: path, kinds, severity, include, exclude, format, limit, offset }, call) {
      const [{ findNotes }, { countNotes, summariseNotes, tabulateNotes }, { fitToBudget }] = await Promise.all([
        import("../satd/find-notes.js"),
        import("../satd/show-notes.js"),
        import("@toolwright/kit/files/fit-to-budget.js"),
      ]);
      const found = await findNotes(analysis, call, { path, kinds, severity, include, exclude });
      const notes = fitToBudget(found.notes.slice(offset, offset + limit), 20_000);
      const end = offset + notes.length;
      const value = {
        ...countNotes(found.notes),
        notes,
        remarks: [...found.remarks],
        ...(end < found.notes.length && { next: { offset: end } }),
      };
      if (format === "json") return value;
      const show = format === "markdown" ? tabulateNotes : summariseNotes;
      return new Content([text(show(found, notes, value.next?.offset))], value as object as JsonObject);
    },
  });
