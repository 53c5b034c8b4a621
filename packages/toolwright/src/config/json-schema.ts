import type { JsonObject } from "@toolwright/engine";
import type { Setting, Table } from "./setting.js";

/** The JSON Schema of the configuration file, for editors. `packs` has the schema of the settings of each pack, by its key. */
export function createJsonSchema(table: Table, packs: ReadonlyMap<string, JsonObject>): JsonObject {
  const root = emptyObject();
  root.properties["$schema"] = { type: "string", description: "This schema, for editors." };
  for (const [key, setting] of table) {
    const names = key.split(".");
    const last = names.pop() ?? "";
    let inside = root;
    for (const name of names) inside = (inside.properties[name] ??= emptyObject()) as ObjectSchema;
    const settings = packs.get(key);
    inside.properties[last] = {
      ...describe(setting),
      ...(settings && { anyOf: [{ type: "boolean" }, settings] }),
    };
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "The configuration of toolwright",
    ...root,
  };
}

type ObjectSchema = JsonObject & { readonly properties: Record<string, JsonObject> };

const emptyObject = (): ObjectSchema => ({ type: "object", additionalProperties: false, properties: {} });

function describe({ kind, about, default: usual }: Setting): JsonObject {
  return { ...kind.schema, description: about, ...(usual !== undefined && { default: usual }) };
}
