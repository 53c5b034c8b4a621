import path from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject, Pack } from "@toolwright/engine";
import { isPackDefinition, type PackContents, type PackDefinition } from "@toolwright/kit/pack";
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
    const loaded = await loadDefinition(module);
    const name = typeof loaded === "function" ? nameOf(loaded, module) : loaded.name;
    if (taken.includes(name)) throw new Error(`${cannot(module)}: one of toolwright's own is called "${name}" too`);
    if (packs[name]) throw new Error(`${cannot(module)}: another one is called "${name}" too`);
    packs[name] = async () =>
      typeof loaded === "function"
        ? () => (settings) => withOwnNames(loaded(settings), module)
        : { ...loaded, open: async (settings, host) => checked(await loaded.open(settings, host), module) };
  }
  return packs;
}

const cannot = (module: string): string => `Cannot use the pack of ${module}`;

async function loadDefinition(module: string): Promise<PackDefinition | PackMaker> {
  const found = await importPack(module);
  const { pack, default: usual, ...others } = found;
  const [only, second] = Object.values(others);
  const value = pack ?? usual ?? (second === undefined ? only : undefined);
  if (isPackDefinition(value)) return value;
  if (typeof value === "function") return value as PackMaker;
  if (isPack(value)) return () => value;
  throw new Error(`${cannot(module)}: it exports none; export ${EXPECTED}`);
}

/** The same pack, which is not opened where a tool of it would stand in the way of one of ours. */
const withOwnNames = (made: Pack, module: string): Pack => ({
  name: made.name,
  ...(made.settings && { settings: made.settings }),
  validateSettings: async () => (await made.validateSettings?.()) ?? [],
  open: async (host) => checked(await made.open(host), module),
});

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
