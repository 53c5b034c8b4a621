import type { JsonObject, Pack } from "@toolwright/engine";

/** Brings a pack: a function from its settings. It keeps what should outlive it in the folder `state`. */
export type PackLoader = (state: string) => Promise<(settings?: JsonObject) => Pack>;

/** Every pack that there is, by its name; one that is switched off is not even read. */
export const PACKS: Readonly<Record<string, PackLoader>> = {
  basics: async () => (await import("../packs/basics/index.js")).basics,
  workstation: async (state) => (await import("../packs/workstation/index.js")).createWorkstation(state),
  templates: async () => (await import("../packs/templates/index.js")).templates,
  analysis: async (state) => (await import("../packs/analysis/index.js")).createAnalysis(state),
  todo: async (state) => (await import("../packs/todo/index.js")).createTodo(state),
  knowledge: async (state) => (await import("../packs/knowledge/index.js")).createKnowledge(state),
  threats: async () => (await import("../packs/threats/index.js")).threats,
};

/** The names of all packs, in the order in which their tools are listed. */
export const PACK_NAMES: readonly string[] = Object.keys(PACKS);
