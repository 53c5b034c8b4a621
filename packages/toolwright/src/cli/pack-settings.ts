import type { JsonObject } from "@toolwright/engine";
import { type Config, ConfigError, type Entry, NO_CONFIG } from "../config/config.js";
import { PACKS } from "../packs.js";
import { loadPack, packsOf } from "./pack-environment.js";

/** Validates the settings of the packs without opening any. Throws `ConfigError` with all problems. */
export async function checkPacks(config: Config): Promise<void> {
  const { entries } = config;
  const faults = await Promise.all(
    Object.entries(await packsOf(config)).map(async ([name, load]) => {
      const key = `packs.${name}`;
      const entry = entries.get(key);
      if (typeof entry?.value !== "object") return [];
      const create = await loadPack(load, config);
      const wrong = (await create(entry.value as JsonObject).validateSettings?.()) ?? [];
      return wrong.map((fault) => inWords(key, entry, fault));
    }),
  );
  const all = faults.flat();
  if (all.length > 0) throw new ConfigError(all);
}

/** The JSON Schema of the settings of each pack, by its key in the configuration. */
export async function packSchemas(): Promise<ReadonlyMap<string, JsonObject>> {
  const schemas = await Promise.all(
    Object.entries(PACKS).map(
      async ([name, load]) => [`packs.${name}`, (await loadPack(load, NO_CONFIG))().settings ?? {}] as const,
    ),
  );
  return new Map(schemas);
}

/** The fault of one setting, in the form that the faults of all others have. */
function inWords(key: string, { source }: Entry, fault: string): string {
  const at = fault.indexOf(": ");
  const [member, rest] = [fault.slice(0, at), fault.slice(at)];
  const called = source.from === "file" ? `${key}.${member} in ${source.at}` : `${member} in ${source.at}`;
  const [, meant] = /^: unknown setting; did you mean "(.*)"\?$/.exec(rest) ?? [];
  if (meant !== undefined) return `${called} is unknown; did you mean ${meant}?`;
  return `${called}${rest.replace(/^: unknown setting/, " is unknown")}`;
}
