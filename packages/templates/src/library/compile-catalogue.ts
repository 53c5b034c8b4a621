import type { TemplateSource } from "../format/template.js";
import { Renderer } from "../rendering/renderer.js";
import { Includes } from "./includes.js";
import { readTemplateFolder, readTemplates } from "./read-templates.js";

/** Reads the built-in templates from their folder, for the build. Throws all errors at once. */
export async function compileCatalogue(directory: string): Promise<readonly TemplateSource[]> {
  const options = { renderer: new Renderer(), isUntrusted: false, includes: new Includes(directory) };
  const { templates, errors } = await readTemplates(directory, (names) =>
    readTemplateFolder(directory, names, options),
  );
  if (errors.length > 0)
    throw new Error(errors.map(({ path, message }) => `${directory}/${path}: ${message}`).join("\n"));
  return templates;
}
