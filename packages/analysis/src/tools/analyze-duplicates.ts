import { tool } from "@toolwright/engine";
import { offsetOf, READ } from "@toolwright/kit/pack";
import type { Analysis } from "../analysis.js";
import {
  AMOUNT,
  acceptOffset,
  COUNT,
  EXCLUDE,
  INCLUDE,
  listOf,
  PATH,
  page,
  STRING,
  STRINGS,
  toAnalysisCall,
  toContent,
} from "../schema.js";

/** The tool that finds duplicated code. */
export const analyzeDuplicates = (analysis: Analysis) =>
  tool({
    name: "analyze_duplicates",
    title: "Find duplicated code",
    description:
      "Finds copied code, exact or with renamed identifiers and changed literals, largest first. For a text search use fs_search.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: PATH,
        min_lines: { type: "integer", minimum: 1, default: 5, description: "Shortest copy, in lines" },
        min_tokens: { type: "integer", minimum: 10, default: 50, description: "Shortest copy, in tokens" },
        include: INCLUDE,
        exclude: EXCLUDE,
        format: {
          enum: ["summary", "json", "markdown"],
          default: "summary",
          description: "Format of the text; the structured result is the same",
        },
        ...page(30, 200, "groups of copies"),
      },
    },
    output: {
      type: "object",
      properties: {
        groups: listOf(
          {
            kind: { enum: ["exact", "renamed"] },
            tokens: COUNT,
            lines: COUNT,
            copies: listOf({ path: STRING, line: COUNT, end_line: COUNT }, ["path", "line", "end_line"]),
            more_copies: COUNT,
            exact_copies: { ...COUNT, description: "The number of identical copies in a renamed group" },
          },
          ["kind", "tokens", "lines", "copies"],
        ),
        total: COUNT,
        files: COUNT,
        lines: COUNT,
        duplicated_lines: COUNT,
        percent: AMOUNT,
        skipped: STRINGS,
        unread_tokens: COUNT,
        next_cursor: STRING,
      },
      required: ["groups", "total", "files", "lines", "duplicated_lines", "percent", "skipped"],
    },
    annotations: READ,
    timeoutMs: 120_000,
    normalizeInput: acceptOffset,
    async run({ project_path: path, min_lines, min_tokens, include, exclude, format, limit, cursor }, call) {
      const offset = offsetOf(cursor);
      const [{ findDuplicates }, { toReport, writeReport }] = await Promise.all([
        import("../duplicates/find-duplicates.js"),
        import("../duplicates/report.js"),
      ]);
      const options = { path, include, exclude, minLines: min_lines, minTokens: min_tokens };
      const report = toReport(await findDuplicates(analysis, toAnalysisCall(call), options), { limit, offset });
      return toContent(format === "json" ? JSON.stringify(report) : writeReport(report, format), report);
    },
  });
