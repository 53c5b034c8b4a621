import path from "node:path";
import type { InferInput, JsonObject } from "@toolwright/engine";
import { currentFolder } from "../files/start-folder.js";

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
