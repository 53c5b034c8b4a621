import { existsSync } from "node:fs";
import type { Json } from "@toolwright/engine";
import type { Table } from "./setting.js";
import type { SettingValue } from "./setting-values.js";
import type { Key, ValueOf } from "./settings.js";

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
export function createConfig(table: Table, file: string | undefined, values: readonly SettingValue[]): Config {
  const last = new Map(values.map((one) => [one.key, one]));
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

/** A configuration that cannot be meant so, with all that is wrong with it; ends the program with code 2. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      faults.length === 1
        ? faults[0]
        : [`${faults.length} things are wrong with the configuration:`, ...faults].join("\n  "),
    );
    this.name = "ConfigError";
    this.faults = faults;
  }

  /** All of it where there is one line for it. */
  get line(): string {
    return this.faults.join("; ");
  }
}

/** Where a value was given. */
export interface Source {
  readonly from: "default" | "profile" | "file" | "environment" | "flag";
  /** The place in the file, the variable or the option; empty for a default. */
  readonly at: string;
}

/** How people call a setting who gave it there: `--http`, `TOOLWRIGHT_WS`, `http.sse in toolwright.config.json:4`. */
export function calledIn(key: string, { from, at }: Source): string {
  if (from === "default") return key;
  if (from === "profile") return `${key} in profile ${at}`;
  return from === "file" ? `${key} in ${at}` : at;
}

/** What the names of all our environment variables begin with. */
export const PREFIX = "TOOLWRIGHT_";

/** The variable that names the configuration file. */
export const FILE_VARIABLE = `${PREFIX}CONFIG`;

/** Our variables that are no settings; the second names the folder of the models that were installed. */
export const OTHER_VARIABLES: readonly string[] = [FILE_VARIABLE, `${PREFIX}MODELS`];

/** The files that are looked for where no other is named. */
export const USUAL_FILES = ["toolwright.config.json", "toolwright.config.jsonc"] as const;

/** Whether neither the environment nor a file of the current folder says anything. */
export const isUnconfigured = (env: NodeJS.ProcessEnv): boolean =>
  !Object.keys(env).some((name) => name.startsWith(PREFIX)) && !USUAL_FILES.some((file) => existsSync(file));
