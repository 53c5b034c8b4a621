import type { TemplateSource } from "../format/template.js";
import { Renderer } from "../rendering/renderer.js";
import { readFolder } from "./read-folder.js";

/** Reads the built-in templates from their folder, for the build. Throws with all faults. */
export async function compileCatalogue(directory: string): Promise<readonly TemplateSource[]> {
  const { templates, faults } = await readFolder(directory, new Renderer(), { isTrusted: true });
  if (faults.length > 0)
    throw new Error(faults.map(({ path, message }) => `${directory}/${path}: ${message}`).join("\n"));
  return templates;
}
