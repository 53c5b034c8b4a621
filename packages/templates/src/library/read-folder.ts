import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { readSource } from "../format/read-template.js";
import type { TemplateSource } from "../format/template.js";
import type { Renderer } from "../rendering/renderer.js";
import { INCLUDES_FOLDER, Includes, readTextFile, readYaml } from "./includes.js";
import type { FolderFault, UserTemplates } from "./library.js";

const TEMPLATE_FILE = "template.yaml";
const DEFAULT_BODY = "body.liquid";
const DEPTH = 3;
const MAX_FOLDERS = 2000;

/** The templates of a directory, its faults, and the folders to watch for changes. */
export interface ReadFolder extends UserTemplates {
  readonly folders: readonly string[];
}

/** How a directory of templates is read. */
export interface ReadFolderOptions {
  /** The directory comes with the program: its patterns need no time limit. */
  readonly isTrusted?: boolean;
}

/** Reads every template of a directory: `category/toolchain/variant/` with template.yaml and a body, and `_includes/`. */
export async function readFolder(
  directory: string,
  renderer: Renderer,
  options: ReadFolderOptions = {},
): Promise<ReadFolder> {
  const templates: TemplateSource[] = [];
  const faults: FolderFault[] = [];
  const folders: string[] = [];
  const includes = new Includes(directory);
  const report = (names: readonly string[], message: string): void =>
    void faults.push({ path: names.join("/") || ".", message });
  const visit = async (names: readonly string[]): Promise<void> => {
    const folder = path.join(directory, ...names);
    const isInclude = names[0] === INCLUDES_FOLDER;
    folders.push(folder);
    if (names.length === DEPTH && !isInclude) {
      const { source, faults: messages } = await readTemplate(folder, names, { renderer, includes, ...options });
      if (source !== undefined) templates.push(source);
      for (const message of messages) report(names, message);
      return;
    }
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || (entry.isFile() && (names.length === 0 || isInclude))) continue;
      if (folders.length >= MAX_FOLDERS) return report(names, `there are more than ${MAX_FOLDERS} folders`);
      if (entry.isDirectory()) await visit([...names, entry.name]);
      else report([...names, entry.name], "it is not in a folder category/toolchain/variant");
    }
  };
  await visit([]).catch((error: NodeJS.ErrnoException) => report([], `the directory cannot be read: ${error.message}`));
  return { templates, faults, folders };
}

interface ReadTemplateOptions extends ReadFolderOptions {
  readonly renderer: Renderer;
  readonly includes: Includes;
}

async function readTemplate(
  folder: string,
  [category = "", toolchain = "", variant = ""]: readonly string[],
  { renderer, includes, isTrusted = false }: ReadTemplateOptions,
) {
  try {
    const written = await readYaml(await readTextFile(path.join(folder, TEMPLATE_FILE), TEMPLATE_FILE), TEMPLATE_FILE);
    const bodyFile = bodyFileOf(written);
    const text = await readTextFile(path.join(folder, bodyFile), bodyFile);
    const delimiters = isObject(written) && written["delimiters"] === "angle" ? "angle" : "curly";
    const body = await includes.expand(text, delimiters);
    const complete = await withSharedParameters(written, includes);
    const read = readSource({ category, toolchain, variant }, complete, body, isTrusted);
    if (read.source === undefined) return read;
    const faults = await renderer.faultsOf(read.source);
    return faults.length > 0 ? { faults } : read;
  } catch (error) {
    return { faults: [(error as Error).message] };
  }
}

function bodyFileOf(written: Json): string {
  const named = isObject(written) ? written["body"] : undefined;
  if (named === undefined) return DEFAULT_BODY;
  if (typeof named === "string" && path.basename(named) === named && !named.startsWith(".")) return named;
  throw new Error("body must be the name of a file beside template.yaml");
}

/** Replaces each parameter that is only a name with the shared parameter of that identifier. */
async function withSharedParameters(written: Json, includes: Includes): Promise<Json> {
  const parameters = isObject(written) ? written["parameters"] : undefined;
  if (!Array.isArray(parameters) || !parameters.some((parameter) => typeof parameter === "string")) return written;
  const shared = await includes.parameters();
  const resolved = parameters.map((parameter: Json) => {
    if (typeof parameter !== "string") return parameter;
    const definition = Object.hasOwn(shared, parameter) ? shared[parameter] : undefined;
    if (!isObject(definition)) throw new Error(`parameter ${parameter}: not defined in _includes/parameters.yaml`);
    return { name: parameter, ...definition };
  });
  return { ...(written as object), parameters: resolved };
}
