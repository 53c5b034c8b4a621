import type { PackDefinition } from "@toolwright/kit/pack";

/** Loads a pack. */
export type PackLoader = () => Promise<PackDefinition>;

/**
 * The packs of this program, in the order in which their tools are listed. No other file names a pack. To add one, export the value of
 * `definePack` by default from its index, and add a line here.
 */
export const PACKS: Readonly<Record<string, PackLoader>> = {
  basics: async () => (await import("./packs/basics.js")).default,
  workstation: async () => (await import("@toolwright/workstation/index.js")).default,
  templates: async () => (await import("@toolwright/templates/index.js")).default,
  analysis: async () => (await import("@toolwright/analysis/index.js")).default,
  todo: async () => (await import("@toolwright/todo/index.js")).default,
  knowledge: async () => (await import("@toolwright/knowledge/index.js")).default,
  threats: async () => (await import("@toolwright/threats/index.js")).default,
};

/** Their names. */
export const PACK_NAMES: readonly string[] = Object.keys(PACKS);
