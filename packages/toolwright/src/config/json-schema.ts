import type { JsonObject } from "@toolwright/engine";
import type { Setting, Table } from "./setting.js";

/** The JSON Schema of the configuration file, for editors. */
export function createJsonSchema(table: Table): JsonObject {
  const root = emptyObject();
  root.properties["$schema"] = { type: "string", description: "This schema, for editors." };
  for (const [key, setting] of table) {
    const names = key.split(".");
    const last = names.pop() ?? "";
    let inside = root;
    for (const name of names) inside = (inside.properties[name] ??= emptyObject()) as ObjectSchema;
    inside.properties[last] = describe(setting);
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
