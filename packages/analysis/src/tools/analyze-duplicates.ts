import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const globs = { type: "array", items: words } as const;
const PLACE = {
  type: "object",
  properties: { path: words, line: count, end_line: count },
  required: ["path", "line", "end_line"],
} as const;
const GROUP = {
  type: "object",
  properties: {
    kind: { enum: ["exact", "renamed"] },
    tokens: count,
    lines: count,
    copies: { type: "array", items: PLACE },
    more_copies: count,
    exact_copies: { ...count, description: "Of a renamed group, so many are the same to the letter" },
  },
  required: ["kind", "tokens", "lines", "copies"],
} as const;

/** Finds code that is there more than once. */
export const analyzeDuplicates = (analysis: Analysis) =>
  tool({
    name: "analyze_duplicates",
    title: "Find duplicated code",
    description: "Copied code, exact or with names and literals changed, the most lines first.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: { type: "string", default: "." },
        min_lines: { type: "integer", minimum: 1, default: 5 },
        min_tokens: { type: "integer", minimum: 10, default: 50 },
        include: globs,
        exclude: globs,
        format: { enum: ["summary", "json", "markdown"], default: "summary" },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 30 },
        offset: { ...count, default: 0 },
      },
    },
    output: {
      type: "object",
      properties: {
        groups: { type: "array", items: GROUP },
        total: count,
        files: count,
        lines: count,
        duplicated_lines: count,
        percent: { type: "number" },
        skipped: { type: "array", items: words },
        unread_tokens: count,
        next: { type: "object", properties: { offset: count }, required: ["offset"] },
      },
      required: ["groups", "total", "files", "lines", "duplicated_lines", "percent", "skipped"],
    },
    annotations: READS,
    timeoutMs: 120_000,
    async run({ project_path: path, min_lines, min_tokens, include, exclude, format, limit, offset }, call) {
      const [{ findDuplicates }, { toReport, writeReport }] = await Promise.all([
        import("../duplicates/find-duplicates.js"),
        import("../duplicates/report.js"),
      ]);
      const wish = { path, include, exclude, minLines: min_lines, minTokens: min_tokens };
      const report = toReport(await findDuplicates(analysis, call, wish), { limit, offset });
      const said = format === "json" ? JSON.stringify(report) : writeReport(report, format);
      return new Content([text(said)], report as object as JsonObject);
    },
  });
