import type { ToolFilter } from "@toolwright/engine";
import { type Config, valueOf } from "../../config/config.js";
import type { Key } from "../../config/settings.js";
import { PACKS, type PackLoader } from "../../packs.js";

/** The word for the tools that are listed by default. */
export const DEFAULT_SET = "default";

/** The tool of the engine with which clients read on in truncated results. It is available whatever is selected. */
export const READ_RESULT = "read_result";

type Toolsets = Readonly<Record<string, readonly string[]>>;

/** What packs declare about their tools: all that can be named before a pack is open. */
export class KnownTools {
  /** The tools by pack and toolset. */
  readonly byPack: Readonly<Record<string, Toolsets>>;
  /** The tools that are available only if they are asked for. */
  readonly optional: readonly string[];
  /** The tools that others replace, which are listed only if they are named. */
  readonly replaced: readonly string[];

  constructor(
    byPack: Readonly<Record<string, Toolsets>>,
    optional: readonly string[],
    replaced: readonly string[] = [],
  ) {
    this.byPack = byPack;
    this.optional = optional;
    this.replaced = replaced;
  }

  /** The names of all tools. */
  get names(): readonly string[] {
    return [...Object.values(this.byPack).flatMap((toolsets) => Object.values(toolsets).flat()), READ_RESULT];
  }

  /** The names that stand for several tools: toolsets and packs. */
  get setNames(): readonly string[] {
    const names = Object.entries(this.byPack).flatMap(([pack, toolsets]) => [...Object.keys(toolsets), pack]);
    return [...new Set([DEFAULT_SET, ...names])];
  }

  /** The toolsets that a name stands for: those of a pack, or the one of this name. */
  setsOf(name: string): readonly string[] {
    return Object.keys(this.byPack[name] ?? { [name]: [] });
  }

  /** The tools of a toolset. */
  toolsOf(toolset: string): readonly string[] {
    return Object.values(this.byPack).flatMap((toolsets) => toolsets[toolset] ?? []);
  }

  /** The toolset of a tool. */
  toolsetOf(tool: string): string | undefined {
    return Object.values(this.byPack)
      .flatMap((toolsets) => Object.entries(toolsets))
      .find(([, tools]) => tools.includes(tool))?.[0];
  }
}

/** Loads what packs declare; by default all packs of this program. */
export async function loadKnownTools(packs: Readonly<Record<string, PackLoader>> = PACKS): Promise<KnownTools> {
  const declared = await Promise.all(Object.entries(packs).map(async ([name, load]) => ({ ...(await load()), name })));
  return new KnownTools(
    Object.fromEntries(declared.map(({ name, toolsets = {} }) => [name, toolsets])),
    declared.flatMap(({ optionalTools = [] }) => optionalTools),
    declared.flatMap(({ replacedTools = [] }) => replacedTools),
  );
}

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
