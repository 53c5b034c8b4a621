import { type Config, ConfigError, calledBy, valueOf } from "../../config/config.js";
import { hintFor } from "../../config/setting-values.js";
import type { Key } from "../../config/settings.js";
import { loadKnownTools } from "./known-tools.js";

type ListKey = "tools.toolsets" | "tools.names" | "tools.without";

/**
 * Checks that the tools and toolsets that are named exist. Those of outside packs are known only when the packs are open, so then any name
 * is accepted. Throws `ConfigError` with all problems.
 */
export async function checkToolNames(config: Config): Promise<void> {
  const isNamed = LISTS.some((key) => (valueOf(config, key) ?? []).length > 0);
  const hasOthers = (valueOf(config, "packModules") ?? []).length > 0;
  const faults = [...(isNamed && !hasOthers ? await unknownNames(config) : []), ...contradictions(config)];
  if (faults.length > 0) throw new ConfigError(faults);
}

const LISTS: readonly ListKey[] = ["tools.toolsets", "tools.names", "tools.without"];

async function unknownNames(config: Config): Promise<readonly string[]> {
  const { names: listed, setNames, replaced } = await loadKnownTools();
  const names = [...listed, ...replaced];
  return [
    ...faultsOf(config, "tools.toolsets", setNames, names, "tools.names"),
    ...faultsOf(config, "tools.names", names, setNames, "tools.toolsets"),
    ...faultsOf(config, "tools.without", names, [], "tools.names"),
  ];
}

function faultsOf(
  config: Config,
  key: ListKey,
  known: readonly string[],
  others: readonly string[],
  otherKey: ListKey,
): string[] {
  const given = valueOf(config, key) ?? [];
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const called = `${calledBy(config, key)}: "${name}"`;
      if (others.includes(name)) return `${called} belongs into ${inWordsOf(config, key, otherKey)}`;
      const hint = hintFor(name, known);
      return hint.endsWith("?") ? `${called} ${hint}` : `${called} ${hint}; ${listing(key, known)}`;
    });
}

const listing = (key: ListKey, known: readonly string[]): string =>
  key === "tools.toolsets" ? `there are ${known.join(", ")}` : '"toolwright tools --all-tools" lists all tools';

/** All tools, and some of them: only the word of the stronger place can be meant, and of two in one place neither. */
function contradictions(config: Config): string[] {
  if (valueOf(config, "tools.all") !== true) return [];
  const place = placeOf(config, "tools.all");
  return (["tools.toolsets", "tools.names"] as const)
    .filter((key) => placeOf(config, key) === place)
    .map((key) => `${calledBy(config, "tools.all")} and ${calledBy(config, key)} exclude each other`);
}

const placeOf = ({ entries }: Config, key: Key): string | undefined => entries.get(key)?.source.from;

/** The other setting in the words of whoever gave the one. */
function inWordsOf({ table, entries }: Config, key: ListKey, other: ListKey): string {
  return entries.get(key)?.source.from === "flag" ? (table.get(other)?.flag ?? other) : other;
}
