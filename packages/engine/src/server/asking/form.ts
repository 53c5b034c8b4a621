import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { createSchema, type Schema, type SchemaSource } from "../../schema/schema.js";

const SCALARS = new Set<unknown>(["string", "number", "integer", "boolean"]);
const FORMATS = new Set<unknown>(["date", "date-time", "email", "uri"]);
const KEYWORDS = new Set(
  "type title description default minLength maxLength enum enumNames oneOf items minItems maxItems".split(" "),
);

/** A form for a person: a flat object of simple fields. */
export interface Form {
  readonly schema: Schema;
  /** What goes on the wire: nothing but what the protocol's forms know. */
  readonly requested: JsonObject;
}

/** Makes a form from a schema. Throws `TypeError` where a field is more than a person can fill in. */
export function createForm(source: SchemaSource): Form {
  const schema = createSchema(source, { repair: false, unknownKeys: "allow", root: "object" });
  const { properties, required } = schema.json;
  const choice = ["anyOf", "oneOf", "allOf", "$ref"].find((keyword) => keyword in schema.json);
  if (choice !== undefined)
    throw new TypeError(`Cannot ask with this form: it must be one flat object, without ${choice}`);
  const fields = Object.entries(isObject(properties) ? properties : {});
  return {
    schema,
    requested: {
      type: "object",
      properties: Object.fromEntries(fields.map(([name, field]) => [name, readField(name, field)])),
      ...(Array.isArray(required) && required.length > 0 && { required }),
    },
  };
}

function readField(name: string, field: Json): JsonObject {
  const fault = new TypeError(`Cannot ask with this form: "${name}" must be text, a number, yes or no, or a choice`);
  if (!isObject(field)) throw fault;
  const { type, items } = field;
  const choices =
    type === "array" && isObject(items) && (Array.isArray(items["enum"]) || Array.isArray(items["anyOf"]));
  if (!choices && !SCALARS.has(type)) throw fault;
  return Object.fromEntries(Object.entries(field).filter(([keyword, value]) => isShown(keyword, value)));
}

/** Whether clients know a keyword; what they do not is still checked when the answer comes. */
function isShown(keyword: string, value: Json): boolean {
  if (keyword === "format") return FORMATS.has(value);
  // Zod bounds whole numbers by what JavaScript can hold; a person need not be told.
  if (keyword === "minimum" || keyword === "maximum") return Math.abs(Number(value)) < Number.MAX_SAFE_INTEGER;
  return KEYWORDS.has(keyword);
}
