import { type Json, type JsonObject, ToolError, tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { TemplatesContext } from "../context.js";
import type { ParameterError } from "../format/parameters.js";
import { folderFor } from "../format/project-path.js";
import { mimeTypeOf } from "../format/titles.js";
import { checksumOf } from "../rendering/renderer.js";
import { PARAMETERS, RESOURCE_URI, STRINGS } from "./schemas.js";

/** Renders one template. */
export const generateTemplate = (context: TemplatesContext) =>
  tool({
    name: "generate_template",
    title: "Generate a file",
    description: "Renders a template and returns the file.",
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
    run: ({ resource_uri, parameters, strict }) => generate(context, resource_uri, parameters as JsonObject, strict),
  });

/** The schema does not know the parameters of a template, so that its example call would fail as well. */
function formatValidationError(input: unknown): string | undefined {
  const { resource_uri: uri, parameters } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof uri !== "string" || parameters !== undefined) return undefined;
  return '"parameters" is required: an object with the parameters of the template, such as {"project_name":"demo"}. The error for a missing parameter names it.';
}

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
    run: ({ resource_uri, parameters }) => validate(context, resource_uri, parameters as JsonObject),
  });

/** Renders one template. Throws a `ToolError` that says what to change. */
export async function generate(
  { library, renderer, now }: TemplatesContext,
  templateUri: string,
  parameters: JsonObject,
  strict = true,
) {
  const { source, uri } = await library.get(templateUri);
  const { filename, content, usedDefaults } = await renderer.render(source, parameters, { now: now(), strict });
  return {
    uri,
    filename,
    path: `${folderFor(parameters)}/${filename}`,
    content,
    checksum: checksumOf(content),
    mimeType: mimeTypeOf(filename),
    toolchain: source.toolchain,
    ...(source.mode !== undefined && { mode: source.mode.toString(8) }),
    used_defaults: { ...usedDefaults } as unknown as Record<string, Json>,
  };
}

/** Validates parameters for a template. Finds all errors at once. */
export async function validate(
  { library, renderer, now }: TemplatesContext,
  templateUri: string,
  parameters: JsonObject,
) {
  const { source, uri } = await library.get(templateUri);
  const { errors: invalid, missing, unknown } = await renderer.check(source, parameters);
  const errors = invalid.length > 0 ? invalid : await findRenderingErrors();
  return {
    valid: errors.length === 0,
    errors: errors.map(({ allowed, ...error }) => ({ ...error, ...(allowed && { allowed: [...allowed] }) })),
    missing_required: [...missing],
    unknown: [...unknown],
    uri,
  };

  async function findRenderingErrors(): Promise<readonly ParameterError[]> {
    try {
      await renderer.render(source, parameters, { now: now() });
      return [];
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const { errors: details } = error.details;
      return (details as unknown as ParameterError[] | undefined) ?? [{ field: "template", message: error.message }];
    }
  }
}
