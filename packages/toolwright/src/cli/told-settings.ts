import path from "node:path";
import type { InferInput } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json/is-object.js";
import { type Config, NO_CONFIG } from "../config/config.js";
import { currentFolder, isToldNothing } from "../config/places.js";

/** Reads and checks the configuration. */
export type ReadTold = () => Promise<Config>;

/** What people can say of a pack, as far as defaults are in it. */
interface Schema {
  readonly properties: Readonly<Record<string, object>>;
}

/** The configuration of a command; what reads and checks one stays on the disk where there is none. */
export const readIfTold = async (readTold: ReadTold): Promise<Config> =>
  isToldNothing(process.env) ? NO_CONFIG : readTold();

/** The settings of a pack: what it is told, and the defaults for the rest. */
export function settingsOf<Own extends Schema>({ entries }: Config, pack: string, schema: Own): InferInput<Own> {
  const told = entries.get(pack)?.value;
  const defaults = Object.entries(schema.properties).flatMap(([name, property]) =>
    "default" in property ? [[name, property.default]] : [],
  );
  return { ...Object.fromEntries(defaults), ...(isObject(told) ? told : {}) } as InferInput<Own>;
}

/** The same for a person at a terminal, who may look at whatever the system lets them. */
export function settingsAtTerminal<Own extends Schema>(config: Config, pack: string, schema: Own): InferInput<Own> {
  const folder = currentFolder();
  const roots = [folder, path.parse(folder).root];
  return { ...(settingsOf(config, pack, schema) as object), roots, client_roots: false } as InferInput<Own>;
}
