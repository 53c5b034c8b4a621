import { type JsonObject, tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { TemplatesContext } from "../context.js";
import { PARAMETERS, RESOURCE_URI } from "./schemas.js";

/** Renders one template. */
export const generateTemplate = (context: TemplatesContext) =>
  tool({
    name: "generate_template",
    title: "Generate a file",
    description: "Renders a template and returns the file. Writes nothing.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        resource_uri: RESOURCE_URI,
        parameters: PARAMETERS,
        strict: { type: "boolean", default: true, description: "Rejects unknown parameters." },
      },
      required: ["resource_uri", "parameters"],
    },
    output: {
      type: "object",
      properties: {
        uri: { type: "string" },
        filename: { type: "string" },
        path: { type: "string" },
        content: { type: "string" },
        checksum: { type: "string" },
        mimeType: { type: "string" },
        toolchain: { type: "string" },
        mode: { type: "string" },
        used_defaults: { type: "object", additionalProperties: true },
      },
      required: ["uri", "filename", "path", "content", "checksum", "mimeType", "toolchain", "used_defaults"],
    },
    annotations: READ,
    formatValidationError,
    async run({ resource_uri, parameters, strict }) {
      const { generate } = await import("./generate.js");
      return generate(context, resource_uri, parameters as JsonObject, strict);
    },
  });

/** The schema does not know the parameters of a template, so that its example call would fail as well. */
function formatValidationError(input: unknown): string | undefined {
  const { resource_uri: uri, parameters } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof uri !== "string" || parameters !== undefined) return undefined;
  return '"parameters" is required: an object with the parameters of the template, such as {"project_name":"demo"}. The error for a missing parameter names it.';
}
