import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { type ReadTemplate, readTemplate } from "../format/read-template.js";
import type { TemplateSource } from "../format/template.js";
import type { Renderer } from "../rendering/renderer.js";
import { INCLUDES_FOLDER, Includes, readTextFile, readYaml } from "./includes.js";

const DEPTH = 3;
const MAX_FOLDERS = 2000;

/** Something in a directory that is not a valid template, and why. */
export interface FolderError {
  readonly path: string;
  readonly message: string;
}

/** The templates of a directory. */
export interface TemplateDirectory {
  readonly templates: readonly TemplateSource[];
  readonly errors: readonly FolderError[];
  /** The folders to watch for changes. */
  readonly folders: readonly string[];
}

/** Reads the templates of a directory: `category/toolchain/variant/`, each read with `read`, and `_includes/`. */
export async function readTemplates(
  directory: string,
  read: (names: readonly string[]) => Promise<ReadTemplate>,
): Promise<TemplateDirectory> {
  const templates: TemplateSource[] = [];
  const errors: FolderError[] = [];
  const folders: string[] = [];
  const report = (names: readonly string[], message: string): void =>
    void errors.push({ path: names.join("/") || ".", message });
  const visit = async (names: readonly string[]): Promise<void> => {
    const folder = path.join(directory, ...names);
    const isInclude = names[0] === INCLUDES_FOLDER;
    folders.push(folder);
    if (names.length === DEPTH && !isInclude) {
      const { source, errors: messages } = await read(names);
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
  return { templates, errors, folders };
}

const TEMPLATE_FILE = "template.yaml";
const DEFAULT_BODY = "body.liquid";

/** How the folder of a template is read. */
export interface ReadTemplateOptions {
  readonly renderer: Renderer;
  readonly isUntrusted: boolean;
  /** The includes of the directory, to read each of them once for all templates. */
  readonly includes?: Includes;
}

/** Reads and validates the template in the folder `category/toolchain/variant` of a directory. */
export async function readTemplateFolder(
  directory: string,
  names: readonly string[],
  { renderer, isUntrusted, includes = new Includes(directory) }: ReadTemplateOptions,
): Promise<ReadTemplate> {
  const [category = "", toolchain = "", variant = ""] = names;
  const folder = path.join(directory, ...names);
  try {
    const yaml = await readYaml(await readTextFile(path.join(folder, TEMPLATE_FILE), TEMPLATE_FILE), TEMPLATE_FILE);
    const bodyFile = bodyFileOf(yaml);
    const text = await readTextFile(path.join(folder, bodyFile), bodyFile);
    const delimiters = isObject(yaml) && yaml["delimiters"] === "angle" ? "angle" : "curly";
    const body = await includes.expand(text, delimiters);
    const definition = await resolveParameters(yaml, includes);
    const read = readTemplate({ address: { category, toolchain, variant }, definition, body, isUntrusted });
    if (read.source === undefined) return read;
    const errors = await renderer.findErrors(read.source);
    return errors.length > 0 ? { errors } : read;
  } catch (error) {
    return { errors: [(error as Error).message] };
  }
}

function bodyFileOf(yaml: Json): string {
  const name = isObject(yaml) ? yaml["body"] : undefined;
  if (name === undefined) return DEFAULT_BODY;
  if (typeof name === "string" && path.basename(name) === name && !name.startsWith(".")) return name;
  throw new Error("body must be the name of a file beside template.yaml");
}

/** Replaces each parameter that is only a name with the shared parameter of that name. */
async function resolveParameters(yaml: Json, includes: Includes): Promise<Json> {
  const parameters = isObject(yaml) ? yaml["parameters"] : undefined;
  if (!Array.isArray(parameters) || !parameters.some((parameter) => typeof parameter === "string")) return yaml;
  const shared = await includes.parameters();
  const resolved = parameters.map((parameter: Json) => {
    if (typeof parameter !== "string") return parameter;
    const definition = Object.hasOwn(shared, parameter) ? shared[parameter] : undefined;
    if (!isObject(definition)) throw new Error(`parameter ${parameter}: not defined in _includes/parameters.yaml`);
    return { name: parameter, ...definition };
  });
  return { ...(yaml as object), parameters: resolved };
}
