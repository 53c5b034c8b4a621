import type { JsonObject, Pack } from "@toolwright/engine";
import { basics } from "../packs/basics/index.js";

/** Every pack that there is, by its name. */
export const PACKS: Readonly<Record<string, (settings?: JsonObject) => Pack>> = { basics };

/** The names of all packs, in the order in which their tools are listed. */
export const PACK_NAMES: readonly string[] = Object.keys(PACKS);
