import type { RegisteredTool } from "../register-tool.js";

/** A group of tools that is switched on and off as one. */
export interface Toolset {
  readonly name: string;
  /** The names of all its tools, offered at the moment or not. */
  readonly tools: readonly string[];
}

/** Groups tools: by the toolset that each names, and by the pack that brought it. */
export function toolsetsOf(entries: readonly RegisteredTool[]): readonly Toolset[] {
  const groups = new Map<string, string[]>();
  for (const { tool, toolsets } of entries) {
    for (const name of toolsets) groups.set(name, [...(groups.get(name) ?? []), tool.name]);
  }
  return Array.from(groups, ([name, tools]) => ({ name, tools }));
}
