import type { Json } from "@toolwright/engine";
import type { Given } from "./given.js";
import type { Table } from "./setting.js";
import type { Key, ValueOf } from "./settings.js";
import { calledIn, type Source } from "./source.js";

/** What a setting holds, and why. */
export interface Entry {
  readonly value: Json | undefined;
  readonly source: Source;
}

/** The one configuration of a server. */
export interface Config {
  readonly table: Table;
  /** The configuration file in full, if there is one. */
  readonly file: string | undefined;
  /** Every setting of the table, in its order. */
  readonly entries: ReadonlyMap<string, Entry>;
}

/** What holds because nobody has said otherwise. */
export const BY_DEFAULT: Source = { from: "default", at: "" };

/** What holds where nobody has said anything. */
export const NO_CONFIG: Config = { table: new Map(), file: undefined, entries: new Map() };

/** Puts together what was given, the weakest first, and what holds where nothing was. */
export function createConfig(table: Table, file: string | undefined, given: readonly Given[]): Config {
  const last = new Map(given.map((one) => [one.key, one]));
  const entries = [...table].map(([key, setting]): [string, Entry] => {
    const { value, source } = last.get(key) ?? { value: setting.default, source: BY_DEFAULT };
    return [key, { value, source }];
  });
  return { table, file, entries: new Map(entries) };
}

/** What a setting holds; undefined where nothing was given and nothing holds by default. */
export function valueOf<Name extends Key>({ entries }: Config, key: Name): ValueOf<Name> | undefined {
  return entries.get(key)?.value as ValueOf<Name> | undefined;
}

/** What was given in a group such as `limits`, by the names that its settings have there; defaults are left out. */
export function groupOf({ entries }: Config, group: string): Record<string, Json> {
  const inside = [...entries].filter(([key, { source }]) => key.startsWith(`${group}.`) && source.from !== "default");
  return Object.fromEntries(inside.map(([key, { value }]) => [key.slice(group.length + 1), value as Json]));
}

/** How whoever gave a setting calls it. */
export function calledBy({ entries }: Config, key: string): string {
  return calledIn(key, entries.get(key)?.source ?? BY_DEFAULT);
}
