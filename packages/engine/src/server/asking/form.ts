import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import { createSchema, type Reading, type SchemaSource } from "../../schema/schema.js";
import { writeField } from "./form-field.js";
import { fieldFault } from "./form-rules.js";

/** A form for a person: a flat object of simple fields. */
export interface Form {
  /** What goes on the wire: nothing but what the protocol's forms know. */
  readonly requested: JsonObject;
  /** Reads what was filled in; a field that may be null and was left out is null. */
  read(content: JsonObject): Reading | Promise<Reading>;
}

/** Makes a form from a schema. Throws `TypeError` where a field is more than a person can fill in, or asks for a secret. */
export function createForm(source: SchemaSource): Form {
  const schema = createSchema(source, { repair: false, unknownKeys: "allow", root: "object" });
  const { properties, required } = schema.json;
  const choice = ["anyOf", "oneOf", "allOf", "$ref"].find((keyword) => keyword in schema.json);
  if (choice !== undefined) throw fault(`it must be one flat object, without ${choice}`);
  const nullable = new Set<string>();
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, given]) => {
    const field = writeField(given);
    if (field === undefined) throw fault(`"${name}" must be text, a number, yes or no, or a choice of texts`);
    const reason = fieldFault(name, given as JsonObject, field.shown);
    if (reason !== undefined) throw fault(reason);
    if (field.isNullable) nullable.add(name);
    return [name, field.shown] as const;
  });
  const needed = Array.isArray(required) ? (required as readonly string[]) : [];
  const demanded = needed.filter((name) => !nullable.has(name));
  const empty = Object.fromEntries(needed.filter((name) => nullable.has(name)).map((name) => [name, null]));
  return {
    requested: {
      type: "object",
      properties: Object.fromEntries(fields),
      ...(demanded.length > 0 && { required: demanded }),
    },
    read: (content) => schema.read({ ...empty, ...content }),
  };
}

const fault = (reason: string): TypeError => new TypeError(`Cannot ask with this form: ${reason}`);
