import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";

const LONGEST_HINT = 400;

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});
const requiredOf = ({ required }: JsonObject): string[] => (Array.isArray(required) ? (required as string[]) : []);
const isSame = (left: Json | undefined, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right);

/** The properties of schemas that all hold; what an earlier one says of a property counts most. */
export function mergeProperties(parts: readonly JsonObject[]): JsonObject {
  const merged: JsonObject = {};
  for (const part of parts) {
    for (const [name, schema] of Object.entries(propertiesOf(part))) {
      const known = Object.hasOwn(merged, name) ? merged[name] : undefined;
      merged[name] = isObject(known) && isObject(schema) ? { ...schema, ...known } : (known ?? schema);
    }
  }
  return merged;
}

/** One schema for what one of several holds for: the properties of all, and what each of them requires. */
export function joinChoices(branches: readonly JsonObject[]): JsonObject {
  const found = new Map<string, Json[]>();
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(propertiesOf(branch))) {
      const known = found.get(name) ?? [];
      found.set(name, known.some((one) => isSame(one, schema)) ? known : [...known, schema]);
    }
  }
  const isClosed = branches.every((branch) => branch["additionalProperties"] === false);
  return {
    properties: Object.fromEntries(Array.from(found, ([name, schemas]) => [name, oneOfThese(schemas)])),
    required: commonTo(branches),
    ...(isClosed && { additionalProperties: false }),
  };
}

function commonTo(branches: readonly JsonObject[]): string[] {
  const [first = {}, ...others] = branches;
  return requiredOf(first).filter((name) => others.every((branch) => requiredOf(branch).includes(name)));
}

function oneOfThese(schemas: readonly Json[]): Json {
  const [first = {}] = schemas;
  if (schemas.length === 1) return first;
  const values = schemas.map(valuesOf);
  if (!values.every((value) => value !== undefined)) return { anyOf: [...schemas] };
  const { const: _, ...rest } = first as JsonObject;
  return { ...rest, enum: [...new Set(values.flat())] };
}

/** The texts that a schema allows, where it allows nothing else. */
function valuesOf(schema: Json): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const values = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  return Array.isArray(values) && values.every((value) => typeof value === "string") ? values : undefined;
}

/** Says which arguments go together, where a choice said it before. */
export function wordChoices(branches: readonly JsonObject[]): string {
  const common = new Set(commonTo(branches));
  const words = branches.map((branch) => {
    const properties = propertiesOf(branch);
    const named = requiredOf(branch).map((name) => {
      const schema = properties[name];
      const value = isObject(schema) ? schema["const"] : undefined;
      if (value !== undefined) return `${name}=${JSON.stringify(value)}`;
      return common.has(name) ? "" : name;
    });
    return named.filter((word) => word !== "").join(" + ");
  });
  const told = [...new Set(words.filter((word) => word !== ""))];
  const hint = `Give ${told.join(", or ")}.`;
  return told.length < 2 || hint.length > LONGEST_HINT ? "" : hint;
}
