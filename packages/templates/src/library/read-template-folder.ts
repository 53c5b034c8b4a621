import path from "node:path";
import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { type ReadTemplate, readTemplate } from "../format/read-template.js";
import type { Renderer } from "../rendering/renderer.js";
import { Includes, readTextFile, readYaml } from "./includes.js";

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
