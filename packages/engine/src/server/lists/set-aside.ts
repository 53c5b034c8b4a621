import type { RegisteredTool } from "../register-tool.js";
import type { Settings } from "../settings.js";

/** Registers a tool, or leaves it out with a warning where it cannot be registered. */
export function orAside<Offer extends { readonly name: string }>(
  settings: Settings,
  register: (offer: Offer) => RegisteredTool,
  taken: readonly RegisteredTool[],
): (offer: Offer) => RegisteredTool | undefined {
  const names = new Set(taken.map(({ tool }) => tool.name));
  const aliases = new Set(taken.flatMap(({ tool }) => tool.aliases ?? []));
  return (offer) => {
    try {
      const entry = register(offer);
      const { name, aliases: others = [] } = entry.tool;
      const twice = names.has(name) ? name : others.find((alias) => aliases.has(alias));
      if (twice !== undefined) throw new TypeError(`Cannot register tool "${name}": the name "${twice}" is taken`);
      names.add(name);
      for (const alias of others) aliases.add(alias);
      return entry;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      settings.log({ level: "warning", message: `a tool is left out: ${error.message}` });
      return undefined;
    }
  };
}
