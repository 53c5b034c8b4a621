import { type Json, type JsonObject, ToolError } from "@toolwright/engine";
import type { Workshop } from "../context.js";
import { checkParameters, type ParameterFault } from "../format/parameters.js";
import { mimeTypeOf } from "../format/titles.js";
import { folderOf } from "../projects/scaffold.js";
import { checksumOf } from "./renderer.js";

/** Fills in one template. Throws a `ToolError` that says what to change. */
export async function generate({ library, renderer, now }: Workshop, uri: string, given: JsonObject, strict = true) {
  const { source, uri: own } = await library.find(uri);
  const { filename, content, checked } = await renderer.render(source, given, { now: now(), strict });
  return {
    uri: own,
    filename,
    path: `${folderOf(given)}/${filename}`,
    content,
    checksum: checksumOf(content),
    mimeType: mimeTypeOf(filename),
    toolchain: source.toolchain,
    ...(source.mode !== undefined && { mode: source.mode.toString(8) }),
    used_defaults: { ...checked.usedDefaults } as unknown as Record<string, Json>,
  };
}

/** Says all that is wrong with parameters before a template is filled in. */
export async function validate({ library, renderer, now }: Workshop, uri: string, given: JsonObject) {
  const { source, uri: own } = await library.find(uri);
  const { faults, missing, unknown } = checkParameters(source.parameters, given);
  const errors = faults.length > 0 ? faults : await renderingFaults();
  return {
    valid: errors.length === 0,
    errors: errors.map(({ allowed, ...fault }) => ({ ...fault, ...(allowed && { allowed: [...allowed] }) })),
    missing_required: [...missing],
    unknown: [...unknown],
    uri: own,
  };

  async function renderingFaults(): Promise<readonly ParameterFault[]> {
    try {
      await renderer.render(source, given, { now: now() });
      return [];
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const { errors: told } = error.details;
      return (told as unknown as ParameterFault[] | undefined) ?? [{ field: "template", message: error.message }];
    }
  }
}
