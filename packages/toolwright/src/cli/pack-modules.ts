import path from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject, Pack } from "@toolwright/engine";
import { definePack, isPackDefinition, type PackContents, type PackDefinition } from "@toolwright/kit/pack";
import type { PackLoader } from "../packs.js";
import { importModule } from "./import-module.js";
import { loadKnownTools } from "./tool-lists/known-tools.js";

/** Makes a pack from its settings. */
type PackMaker = (settings?: JsonObject) => Pack;

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const EXPECTED = 'what definePack({ … }) of toolwright/pack returns, as "default"';

/** Loads the packs of others by their names. Throws an error that names the module. */
export async function loadPackModules(
  modules: readonly string[],
  taken: readonly string[],
): Promise<Readonly<Record<string, PackLoader>>> {
  const packs: Record<string, PackLoader> = {};
  for (const module of modules) {
    const definition = await loadDefinition(module);
    const { name } = definition;
    if (taken.includes(name)) throw new Error(`${cannot(module)}: one of toolwright's own is called "${name}" too`);
    if (packs[name]) throw new Error(`${cannot(module)}: another one is called "${name}" too`);
    packs[name] = async () => ({
      ...definition,
      open: async (settings, host) => checked(await definition.open(settings, host), module),
    });
  }
  return packs;
}

const cannot = (module: string): string => `Cannot use the pack of ${module}`;

async function loadDefinition(module: string): Promise<PackDefinition> {
  const found = await importPack(module);
  const { pack, default: usual, ...others } = found;
  const [only, second] = Object.values(others);
  const value = pack ?? usual ?? (second === undefined ? only : undefined);
  if (isPackDefinition(value)) return value;
  if (typeof value === "function") return toDefinition(value as PackMaker, module);
  if (isPack(value)) return toDefinition(() => value, module);
  throw new Error(`${cannot(module)}: it exports none; export ${EXPECTED}`);
}

async function checked(contents: PackContents, module: string): Promise<PackContents> {
  const { names } = await loadKnownTools();
  const taken = contents.tools?.find(({ name }) => names.includes(name));
  if (taken === undefined) return contents;
  await contents.close?.();
  throw new Error(`${cannot(module)}: its tool "${taken.name}" has the name of one of toolwright's own`);
}

async function importPack(module: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(pathToFileURL(path.resolve(module)).href);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${path.resolve(module)}'`);
    throw new Error(`${cannot(module)}: ${isMissing ? "there is no such file" : message}`, { cause: error });
  }
}

/** The definition of a pack that was made with `pack` of the engine. */
function toDefinition(make: PackMaker, module: string): PackDefinition {
  const name = nameOf(make, module);
  const { settings } = make();
  return definePack({
    name,
    summary: `The pack of ${module}`,
    settings: settings ?? { type: "object", properties: {} },
    open: (given, host) => make(given as JsonObject).open(host),
  });
}

function nameOf(make: PackMaker, module: string): string {
  const made: unknown = attempt(make, module);
  if (!isPack(made)) throw new Error(`${cannot(module)}: its export makes no pack; export ${EXPECTED}`);
  if (NAME.test(made.name)) return made.name;
  throw new Error(`${cannot(module)}: "${made.name}" is no name; use lower-case letters, digits and dashes`);
}

function attempt(make: PackMaker, module: string): unknown {
  try {
    return make();
  } catch (error) {
    throw new Error(`${cannot(module)}: ${(error as Error).message}`, { cause: error });
  }
}

const isPack = (value: unknown): value is Pack =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Pack).name === "string" &&
  typeof (value as Pack).open === "function";
