import { type JsonObject, tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { TemplatesContext } from "../context.js";
import { PARAMETERS, RESOURCE_URI, STRINGS } from "./schemas.js";

/** Validates parameters. */
export const validateTemplate = (context: TemplatesContext) =>
  tool({
    name: "validate_template",
    title: "Validate parameters",
    description:
      "Validates parameters for a template and returns all errors at once. To get the file, use generate_template.",
    toolset: "templates",
    input: {
      type: "object",
      properties: { resource_uri: RESOURCE_URI, parameters: PARAMETERS },
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
              allowed: STRINGS,
            },
            required: ["field", "message"],
          },
        },
        missing_required: STRINGS,
        unknown: STRINGS,
        uri: { type: "string" },
      },
      required: ["valid", "errors", "missing_required", "unknown", "uri"],
    },
    annotations: READ,
    async run({ resource_uri, parameters }) {
      const { validate } = await import("./generate.js");
      return validate(context, resource_uri, parameters as JsonObject);
    },
  });
