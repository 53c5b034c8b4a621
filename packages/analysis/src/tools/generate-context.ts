import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const globs = { type: "array", items: words } as const;
const list = (properties: JsonObject, required: readonly string[]) =>
  ({ type: "array", items: { type: "object", properties, required: [...required] } }) as const;

/** Makes a map of a project for a model. */
export const generateContext = (analysis: Analysis) =>
  tool({
    name: "generate_context",
    title: "Map a project",
    description:
      "A map of a project within a token budget: manifests, folders, the most important files and the signatures they export, with lines. Start here in unknown code.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: { type: "string", default: "." },
        max_tokens: { type: "integer", minimum: 200, maximum: 10_000, default: 4000 },
        include: globs,
        exclude: globs,
        format: { enum: ["markdown", "json"], default: "markdown" },
      },
    },
    output: {
      type: "object",
      properties: {
        project: words,
        kinds: { type: "array", items: words },
        languages: { type: "object", additionalProperties: count },
        manifests: list({ path: words, name: words, says: words }, ["path", "says"]),
        folders: list({ path: words, files: count, lines: count }, ["path", "files", "lines"]),
        files: list(
          { path: words, lines: count, used_by: count, declares: { type: "array", items: words }, more: count },
          ["path", "lines", "used_by", "declares"],
        ),
        left_out: { type: "object", properties: { files: count, declarations: count } },
        hint: words,
      },
      required: ["project", "kinds", "languages", "manifests", "folders", "files", "left_out"],
    },
    annotations: READS,
    timeoutMs: 120_000,
    async run({ project_path: path, max_tokens: maxTokens, include, exclude, format }, call) {
      const [{ readContext }, { writeContext }] = await Promise.all([
        import("../context/context.js"),
        import("../context/context.js"),
      ]);
      const context = await readContext(analysis, call, { path, include, exclude, maxTokens });
      const said = format === "json" ? JSON.stringify(context) : writeContext(context);
      return new Content([text(said)], context as object as JsonObject);
    },
  });
