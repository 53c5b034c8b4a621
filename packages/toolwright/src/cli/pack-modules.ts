import path from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject, Pack } from "@toolwright/engine";
import { importModule } from "./import-module.js";
import { TOOL_NAMES } from "./tool-lists/names.js";

/** Makes a pack from its settings. */
type PackMaker = (settings?: JsonObject) => Pack;

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const EXPECTED = 'what pack({ … }) of @toolwright/engine gives, as "pack" or by default';

/** Loads the packs of others by their names. Throws an error that names the module. */
export async function loadPackModules(
  modules: readonly string[],
  taken: readonly string[],
): Promise<Readonly<Record<string, () => Promise<PackMaker>>>> {
  const packs: Record<string, () => Promise<PackMaker>> = {};
  for (const module of modules) {
    const make = await loadMaker(module);
    const name = nameOf(make, module);
    if (taken.includes(name)) throw new Error(`${cannot(module)}: one of toolwright's own is called "${name}" too`);
    if (packs[name]) throw new Error(`${cannot(module)}: another one is called "${name}" too`);
    packs[name] = async () => (settings) => withOwnNames(make(settings), module);
  }
  return packs;
}

const cannot = (module: string): string => `Cannot use the pack of ${module}`;

async function loadMaker(module: string): Promise<PackMaker> {
  const found = await importPack(module);
  const { pack, default: usual, ...others } = found;
  const [only, second] = Object.values(others);
  const value = pack ?? usual ?? (second === undefined ? only : undefined);
  if (typeof value === "function") return value as PackMaker;
  if (isPack(value)) return () => value;
  throw new Error(`${cannot(module)}: it exports none; export ${EXPECTED}`);
}

/** The same pack, which is not opened where a tool of it would stand in the way of one of ours. */
const withOwnNames = (made: Pack, module: string): Pack => ({
  name: made.name,
  ...(made.settings && { settings: made.settings }),
  validateSettings: async () => (await made.validateSettings?.()) ?? [],
  async open(host) {
    const contents = await made.open(host);
    const taken = contents.tools?.find(({ name }) => TOOL_NAMES.includes(name));
    if (taken === undefined) return contents;
    await contents.close?.();
    throw new Error(`${cannot(module)}: its tool "${taken.name}" has the name of one of toolwright's own`);
  },
});

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
