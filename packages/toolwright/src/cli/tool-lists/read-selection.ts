import type { ToolFilter } from "@toolwright/engine";
import { type Config, valueOf } from "../../config/config.js";
import type { Key } from "../../config/settings.js";
import { DEFAULT_SET, type KnownTools } from "./known-tools.js";

/** The tools that the configuration asks for. */
export function readSelection(config: Config, known: KnownTools): ToolFilter {
  const words = valueOf(config, "tools.toolsets") ?? [];
  const tools = valueOf(config, "tools.names") ?? [];
  const without = valueOf(config, "tools.without") ?? [];
  const more = { readOnly: valueOf(config, "tools.readOnly") ?? false };
  if (wantsAll(config)) return { exclude: without, ...more };
  const toolsets = [...new Set(words.flatMap((word) => known.setsOf(word)))].filter((name) => name !== DEFAULT_SET);
  if (words.length + tools.length > 0 && !words.includes(DEFAULT_SET))
    return { toolsets, tools, exclude: without, ...more };
  const asked = new Set([...tools, ...toolsets.flatMap((toolset) => known.toolsOf(toolset))]);
  return { exclude: [...known.optional.filter((name) => !asked.has(name)), ...without], ...more };
}

const PLACES = ["default", "profile", "file", "environment", "flag"];

/** All are wanted, unless a stronger place says which. */
function wantsAll(config: Config): boolean {
  const strength = (key: Key): number => PLACES.indexOf(config.entries.get(key)?.source.from ?? "default");
  const others = Math.max(strength("tools.toolsets"), strength("tools.names"));
  return valueOf(config, "tools.all") === true && strength("tools.all") >= others;
}
