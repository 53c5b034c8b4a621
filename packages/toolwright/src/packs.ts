import type { JsonObject, Pack } from "@toolwright/engine";
import type { PackDefinition, PackEnvironment } from "@toolwright/kit/pack";

/** A pack that is not a `definePack` value yet: a function that creates the pack of the engine. It goes when all have converted. */
type OldPack = (environment: PackEnvironment) => (settings?: JsonObject) => Pack;

/** Loads a pack. One that is switched off is not loaded. */
export type PackLoader = () => Promise<PackDefinition | OldPack>;

/**
 * The packs of this program, in the order in which their tools are listed. No other file names a pack. To convert a pack, export
 * the value of `definePack` by default from its index and write `async () => (await import("@toolwright/<pack>/index.js")).default`.
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
