import type { Pack, Server, ToolFilter } from "@toolwright/engine";
import { type Config, valueOf } from "../../config/config.js";
import type { LivePack } from "../live-pack.js";

/** The advice in the error for a call of a tool that exists and is not offered. */
const HINT =
  "whoever runs it can switch on one tool with --toolsets default --tools NAME, and every tool with --all-tools";

/** A pack that brings nothing: opened after the others, it chooses among their tools, so that no client sees the rest. */
export const chooserFor = (config: Config, packs: readonly LivePack[], server: () => Server): Pack => ({
  name: "choice",
  async open() {
    await chooseTools(server(), config, packs);
    return { tools: [] };
  },
});

/** Offers the tools that the configuration asks for. The engine refuses a name that no tool or toolset of the open packs has. */
export async function chooseTools(server: Server, config: Config, packs: readonly LivePack[]): Promise<void> {
  const discovery = valueOf(config, "tools.progressive") === true ? "progressive" : "full";
  await server.select({ ...(await selectionOf(config, packs)), hint: HINT }, discovery);
}

async function selectionOf(config: Config, packs: readonly LivePack[]): Promise<ToolFilter> {
  const tools = new Set(packs.flatMap(({ toolNames }) => toolNames));
  // Most servers have no configuration, and do not load the code that reads one.
  if (config.entries.size === 0)
    return { exclude: packs.flatMap(({ optionalTools }) => optionalTools).filter((name) => tools.has(name)) };
  const { readSelection } = await import("./known-tools.js");
  const { KnownTools, loadKnownTools, READ_RESULT } = await import("./known-tools.js");
  const { byPack, optional, replaced } = await loadKnownTools();
  const known = new KnownTools(byPack, [...optional, ...packs.flatMap(({ optionalTools }) => optionalTools)]);
  const ownNames = new Set([...known.names, ...replaced]);
  const toolsets = new Set(packs.flatMap((pack) => pack.toolsets));
  const selection = readSelection(config, known);
  // Our own names have been checked; those of packs that are off the engine would not know.
  const isTool = (name: string): boolean => tools.has(name) || !ownNames.has(name) || name === READ_RESULT;
  const isToolset = (name: string): boolean => toolsets.has(name) || !known.setNames.includes(name);
  return {
    ...selection,
    ...(selection.toolsets && { toolsets: selection.toolsets.filter(isToolset) }),
    ...(selection.tools && { tools: selection.tools.filter(isTool) }),
    ...(selection.exclude && { exclude: selection.exclude.filter(isTool) }),
  };
}
