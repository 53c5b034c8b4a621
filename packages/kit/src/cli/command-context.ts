import path from "node:path";
import type { InferInput, JsonObject } from "@toolwright/engine";
import { currentFolder } from "../files/current-folder.js";
import type { CommandHost } from "../pack/define-pack.js";

/** What the configuration says about a pack, and the folder in which packs keep their state. */
interface PackConfig {
  readonly settings: JsonObject;
  readonly state: string;
}

/** What the program passes to the commands of a pack. */
export interface CommandContext {
  /** The version of the program. */
  readonly version: string;
  /** Reads the configuration of the current folder, and validates the settings of the pack in it. */
  readonly loadConfig: () => Promise<PackConfig>;
  /** The configured, validated settings of the pack of this command, with defaults, and what its work needs. */
  readonly openPack?: () => Promise<{ readonly settings: JsonObject; readonly host: CommandHost }>;
}

/** A schema of settings, as far as it has defaults. */
interface SettingsSchema {
  readonly properties: Readonly<Record<string, object>>;
}

/** The configured settings of a pack, with the defaults of its schema. */
export function withDefaults<Schema extends SettingsSchema>(schema: Schema, settings: JsonObject): InferInput<Schema> {
  const defaults = Object.entries(schema.properties).flatMap(([name, property]) =>
    "default" in property ? [[name, property.default]] : [],
  );
  return { ...Object.fromEntries(defaults), ...settings } as InferInput<Schema>;
}

/** The same for a person at a terminal, who may read and write whatever the system allows. */
export function terminalSettings<Schema extends SettingsSchema>(
  schema: Schema,
  settings: JsonObject,
): InferInput<Schema> {
  const folder = currentFolder();
  const roots = [folder, path.parse(folder).root];
  return { ...(withDefaults(schema, settings) as object), roots, client_roots: false } as InferInput<Schema>;
}
