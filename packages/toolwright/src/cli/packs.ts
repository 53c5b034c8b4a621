import type { JsonObject, Pack } from "@toolwright/engine";
import { type Config, valueOf } from "../config/config.js";

/** Brings a pack for a server with a configuration: a function from its settings. It keeps what should outlive it in the folder `state`. */
export type PackLoader = (state: string, config?: Config) => Promise<(settings?: JsonObject) => Pack>;

/** Every pack of ours, by its name; one that is switched off is not even read. */
export const PACKS: Readonly<Record<string, PackLoader>> = {
  basics: async () => (await import("../packs/basics/index.js")).basics,
  workstation: async (state, config) =>
    (await import("@toolwright/workstation/index.js")).createWorkstation(state, config?.file),
  templates: async (_state, config) =>
    (await import("@toolwright/templates/index.js")).createTemplates({ configuration: config?.file }),
  analysis: async (state) => (await import("@toolwright/analysis/index.js")).createAnalysis(state),
  todo: async (state, config) =>
    (await import("@toolwright/todo/index.js")).createTodo(state, { hasUndo: isOff(config, "workstation") }),
  knowledge: async (state, config) =>
    (await import("@toolwright/knowledge/index.js")).createKnowledge(state, undefined, config?.file),
  threats: async () => (await import("@toolwright/threats/index.js")).threats,
};

const isOff = (config: Config | undefined, name: string): boolean =>
  config?.entries.get(`packs.${name}`)?.value === false;

/** The same, with the packs of others that the configuration names. */
export async function packsOf(config: Config): Promise<Readonly<Record<string, PackLoader>>> {
  const modules = valueOf(config, "packModules") ?? [];
  if (modules.length === 0) return PACKS;
  const { loadPackModules } = await import("./pack-modules.js");
  return { ...PACKS, ...(await loadPackModules(modules, PACK_NAMES)) };
}

/** Loads packs of others, and gives their names. */
export async function loadOtherPacks(modules: readonly string[]): Promise<readonly string[]> {
  const { loadPackModules } = await import("./pack-modules.js");
  return Object.keys(await loadPackModules(modules, PACK_NAMES));
}

/** The names of all of ours, in the order in which their tools are listed. */
export const PACK_NAMES: readonly string[] = Object.keys(PACKS);
