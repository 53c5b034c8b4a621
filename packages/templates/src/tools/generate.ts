import { type Json, type JsonObject, ToolError } from "@toolwright/engine";
import type { TemplatesContext } from "../context.js";
import type { ParameterError } from "../format/parameters.js";
import { folderFor } from "../format/project-path.js";
import { mimeTypeOf } from "../format/titles.js";
import { checksumOf } from "../rendering/renderer.js";

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
