import { type Config, valueOf } from "../../config/config.js";
import { OWN_TOOLS } from "./own-tools.js";

/** The word for the tools that are listed where nothing is said of toolsets. */
export const DEFAULT_SET = "default";

/** The tool with which the engine lets clients read on in results that were cut; it goes along with whatever is chosen. */
export const READ_ON = "read_result";

const PACKS = Object.entries(OWN_TOOLS);

/** Every tool that can be named. */
export const TOOL_NAMES: readonly string[] = [
  ...PACKS.flatMap(([, toolsets]) => Object.values(toolsets).flat()),
  READ_ON,
];

/** Every word that stands for several tools: toolsets, and packs. */
export const SET_NAMES: readonly string[] = [
  ...new Set([DEFAULT_SET, ...PACKS.flatMap(([pack, toolsets]) => [...Object.keys(toolsets), pack])]),
];

/** Whether there are packs of others, whose tools are known only when they are open. */
export const hasOthers = (config: Config): boolean => (valueOf(config, "packModules") ?? []).length > 0;

/** The toolsets that a word stands for: those of a pack, or the one of this name. */
export const setsOf = (word: string): readonly string[] => Object.keys(OWN_TOOLS[word] ?? { [word]: [] });

/** The tools of a toolset. */
export const toolsOf = (toolset: string): readonly string[] => PACKS.flatMap(([, toolsets]) => toolsets[toolset] ?? []);
