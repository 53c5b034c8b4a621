import { type JsonObject, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Workshop } from "../context.js";

/** Fills in one template. */
export const generateTemplate = (workshop: Workshop) =>
  tool({
    name: "generate_template",
    title: "Generate a file",
    description: "Makes one file from a template and returns it; writes nothing.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        resource_uri: { type: "string", description: "template://category/toolchain/variant" },
        parameters: { type: "object", additionalProperties: true },
        strict: { type: "boolean", default: true, description: "Refuse unknown parameters and unset variables." },
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
    annotations: READS,
    formatValidationError: wordRefusal,
    async run({ resource_uri, parameters, strict }) {
      const { generate } = await import("../rendering/generate.js");
      return generate(workshop, resource_uri, parameters as JsonObject, strict);
    },
  });

/** Which values a template needs its schema cannot say, so that a call without them would be no example. */
function wordRefusal(given: unknown): string | undefined {
  const { resource_uri: uri, parameters } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof uri !== "string" || parameters !== undefined) return undefined;
  return '"parameters" is required: an object with the values that the template asks for, such as {"project_name":"demo"}; where one is missing, the answer names it.';
}
