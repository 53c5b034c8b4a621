import { ToolError, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { FAULT, TEXTS } from "./output-schemas.js";
import { countFaults, fitting } from "./shown.js";

const MOST_TEXT = 200_000;

const FAILED = {
  type: "object",
  properties: {
    id: { type: "string" },
    query: { type: "string" },
    expected: { enum: ["found", "ignored"] },
    first: TEXTS,
  },
  required: ["id", "query", "expected", "first"],
} as const;

/** Checks patterns. */
export const tmkbValidate = ({ library }: Desk) =>
  tool({
    name: "tmkb_validate",
    title: "Check threat patterns",
    description:
      "Checks a threat pattern given as YAML, the one with an id, or all of the user's: faults with lines, and its own queries.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", maxLength: MOST_TEXT, description: "YAML" },
        file: { type: "string", maxLength: 500, default: "pattern.yaml" },
        id: { type: "string" },
      },
    },
    output: {
      type: "object",
      properties: {
        valid: { type: "boolean" },
        files: { type: "integer" },
        errors: { type: "integer" },
        warnings: { type: "integer" },
        faults: { type: "array", items: FAULT },
        queries: {
          type: "object",
          properties: { passed: { type: "integer" }, failed: { type: "array", items: FAILED } },
          required: ["passed", "failed"],
        },
      },
      required: ["valid", "files", "errors", "warnings", "faults", "queries"],
    },
    annotations: READS,
    async run({ pattern, file, id }) {
      if (pattern !== undefined && id !== undefined)
        throw new ToolError("Cannot check a text and an id at once. Give pattern or id.", {
          code: "INVALID_ARGUMENTS",
        });
      const [{ validateAll, validateId, validateText }, { finderOf }] = await Promise.all([
        import("../library/validate.js"),
        import("../library/finder.js"),
      ]);
      const makeFinder = finderOf(library);
      const { files, faults, queries } = await (pattern !== undefined
        ? validateText(pattern, file, library, makeFinder)
        : id !== undefined
          ? validateId(id, library, makeFinder)
          : validateAll(library, makeFinder));
      const failed = queries.filter(({ passed }) => !passed);
      const { errors, warnings } = countFaults(faults);
      return {
        valid: errors === 0 && failed.length === 0,
        files,
        errors,
        warnings,
        faults: [...fitting(faults, 30_000)],
        queries: {
          passed: queries.length - failed.length,
          failed: fitting(failed, 10_000).map(({ id: asked, query, expected, first }) => ({
            id: asked,
            query,
            expected,
            first: [...first],
          })),
        },
      };
    },
  });
