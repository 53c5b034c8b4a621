import { type Config, calledBy, valueOf } from "../../config/config.js";
import { ConfigError } from "../../config/config-error.js";
import { hintFor } from "../../config/given.js";
import type { Key } from "../../config/settings.js";
import { hasOthers, SET_NAMES, TOOL_NAMES } from "./names.js";

type ListKey = "tools.toolsets" | "tools.names" | "tools.without";

/**
 * Checks that the tools and toolsets which are named exist; where there are packs of others, that is known only when they are
 * open. Throws `ConfigError` with all that is wrong.
 */
export function checkToolNames(config: Config): void {
  const unknown = hasOthers(config)
    ? []
    : [
        ...faultsOf(config, "tools.toolsets", SET_NAMES, TOOL_NAMES, "tools.names"),
        ...faultsOf(config, "tools.names", TOOL_NAMES, SET_NAMES, "tools.toolsets"),
        ...faultsOf(config, "tools.without", TOOL_NAMES, [], "tools.names"),
      ];
  const faults = [...unknown, ...contradictions(config)];
  if (faults.length > 0) throw new ConfigError(faults);
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
      return hint.endsWith("?") ? `${called} ${hint}` : `${called} ${hint}; ${listing(key)}`;
    });
}

const listing = (key: ListKey): string =>
  key === "tools.toolsets" ? `there are ${SET_NAMES.join(", ")}` : '"toolwright tools --all-tools" lists all tools';

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
