import { readFile } from "node:fs/promises";
import { builtFile } from "@toolwright/kit/files";
import type { TemplateSource } from "../format/template.js";

/** The built-in templates, as `compileCatalogue` returned them when the program was built. */
const FILE = builtFile("templates/catalogue.json");

/** Loads the built-in templates. */
export async function loadCatalogue(): Promise<readonly TemplateSource[]> {
  return JSON.parse(await readFile(FILE, "utf8")) as TemplateSource[];
}
