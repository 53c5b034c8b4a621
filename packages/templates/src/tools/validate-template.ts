import { type JsonObject, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Workshop } from "../context.js";
import { TEXTS } from "./output-schemas.js";

/** Checks parameters. */
export const validateTemplate = (workshop: Workshop) =>
  tool({
    name: "validate_template",
    title: "Check parameters",
    description: "Checks parameters against a template and returns every fault at once.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        resource_uri: { type: "string", description: "template://category/toolchain/variant" },
        parameters: { type: "object", additionalProperties: true },
      },
      required: ["resource_uri", "parameters"],
    },
    output: {
      type: "object",
      properties: {
        valid: { type: "boolean" },
        errors: {
          type: "array",
          items: {
            type: "object",
            properties: {
              field: { type: "string" },
              message: { type: "string" },
              expected: { type: "string" },
              allowed: TEXTS,
            },
            required: ["field", "message"],
          },
        },
        missing_required: TEXTS,
        unknown: TEXTS,
        uri: { type: "string" },
      },
      required: ["valid", "errors", "missing_required", "unknown", "uri"],
    },
    annotations: READS,
    async run({ resource_uri, parameters }) {
      const { validate } = await import("../rendering/generate.js");
      return validate(workshop, resource_uri, parameters as JsonObject);
    },
  });
