import { tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { Analysis } from "../analysis.js";
import { COUNT, EXCLUDE, INCLUDE, listOf, PATH, STRING, STRINGS, toAnalysisCall, toContent } from "../schema.js";

/** The tool that maps a project for a model. */
export const generateContext = (analysis: Analysis) =>
  tool({
    name: "generate_context",
    title: "Map a project",
    description:
      "Maps a project within a token budget: manifests, folders, the most important files and their exported signatures. Start here in unknown code.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: PATH,
        max_tokens: { type: "integer", minimum: 200, maximum: 10_000, default: 4000, description: "Token budget" },
        include: INCLUDE,
        exclude: EXCLUDE,
        format: { enum: ["markdown", "json"], default: "markdown", description: "Format of the text" },
      },
    },
    output: {
      type: "object",
      properties: {
        project: STRING,
        kinds: STRINGS,
        languages: { type: "object", additionalProperties: COUNT },
        manifests: listOf({ path: STRING, name: STRING, says: STRING }, ["path", "says"]),
        folders: listOf({ path: STRING, files: COUNT, lines: COUNT }, ["path", "files", "lines"]),
        files: listOf({ path: STRING, lines: COUNT, used_by: COUNT, declares: STRINGS, more: COUNT }, [
          "path",
          "lines",
          "used_by",
          "declares",
        ]),
        left_out: { type: "object", properties: { files: COUNT, declarations: COUNT } },
        hint: STRING,
      },
      required: ["project", "kinds", "languages", "manifests", "folders", "files", "left_out"],
    },
    annotations: READ,
    timeoutMs: 120_000,
    async run({ project_path: path, max_tokens: maxTokens, include, exclude, format }, call) {
      const { readContext, writeContext } = await import("../context/context.js");
      const context = await readContext(analysis, toAnalysisCall(call), { path, include, exclude, maxTokens });
      return toContent(format === "json" ? JSON.stringify(context) : writeContext(context), context);
    },
  });
