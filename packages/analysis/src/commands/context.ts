import { defineCommand } from "@toolwright/kit/cli";
import { visible } from "@toolwright/kit/terminal";
import { COMMON_OPTIONS, FILE_OPTIONS, formatOption, PATH_ARGUMENT, runAnalysis } from "./run-analysis.js";

const FORMATS = ["markdown", "json"] as const;

/** `toolwright analyze context` */
export const context = defineCommand({
  name: "context",
  summary: "Write a compact map of a project for a model",
  tool: "generate_context",
  args: PATH_ARGUMENT,
  options: {
    maxTokens: {
      type: "integer",
      min: 200,
      max: 100_000,
      default: 4000,
      placeholder: "NUMBER",
      description: "The token budget of the map.",
    },
    ...FILE_OPTIONS,
    format: formatOption(FORMATS),
    ...COMMON_OPTIONS,
  },
  examples: ["toolwright analyze context --max-tokens 8000 > CONTEXT.md"],
  run: (input, ctx) =>
    runAnalysis(input, ctx, { formats: FORMATS }, async ({ analysis, call, path, format }) => {
      const { readContext, writeContext } = await import("../context/context.js");
      const { include, exclude, maxTokens } = input;
      const found = await readContext(analysis, call, { path, include, exclude, maxTokens });
      return { text: format === "json" ? JSON.stringify(found, null, 2) : visible(writeContext(found)) };
    }),
});
