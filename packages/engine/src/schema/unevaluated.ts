import { isObject, type JsonObject } from "../jsonrpc/messages.js";
import type { SchemaNode, Validator } from "./schema-node.js";

/** Compiles `unevaluatedProperties` and `unevaluatedItems`, which apply to what no other keyword has evaluated. */
export function compileUnevaluated(node: SchemaNode): Validator[] {
  const checks: Validator[] = [];
  const properties = node.subschema("unevaluatedProperties")?.validator;
  if (properties)
    checks.push((value) => !isObject(value) || unevaluatedKeys(node, value).every((key) => properties(value[key])));
  const items = node.subschema("unevaluatedItems")?.validator;
  if (items) checks.push((value) => !Array.isArray(value) || unevaluatedItems(node, value).every(items));
  return checks;
}

/** Returns the keys to which the `unevaluatedProperties` of a node applies. */
export function unevaluatedKeys(node: SchemaNode, value: JsonObject): string[] {
  const schemas = acceptingSchemas(node, value);
  const evaluatesAll = schemas.some(({ schema: { additionalProperties, unevaluatedProperties } }, index) => {
    return additionalProperties !== undefined || (index > 0 && unevaluatedProperties !== undefined);
  });
  return evaluatesAll ? [] : unmentionedKeys(schemas, value);
}

function unevaluatedItems(node: SchemaNode, value: readonly unknown[]): unknown[] {
  const schemas = acceptingSchemas(node, value);
  const evaluatesAll = schemas.some(({ schema }, index) => {
    return schema["items"] !== undefined || (index > 0 && schema["unevaluatedItems"] !== undefined);
  });
  const prefixLength = Math.max(...schemas.map((schema) => schema.subschemas("prefixItems").length));
  const contains = schemas.flatMap((schema) => schema.subschema("contains") ?? []);
  return evaluatesAll
    ? []
    : value.slice(prefixLength).filter((item) => !contains.some((schema) => schema.accepts(item)));
}

/** Returns a node and the in-place subschemas that accept a value; the outermost node is the first. */
function acceptingSchemas(node: SchemaNode, value: unknown): SchemaNode[] {
  const condition = node.subschema("if") ?? [];
  const branches = [node.choices(), condition].flat(2).filter((branch) => branch.accepts(value));
  const inPlace = [...node.conjuncts(), ...branches, node.conditional(value) ?? [], node.dependents(value)].flat();
  return [node, ...inPlace.flatMap((subschema) => acceptingSchemas(subschema, value))];
}

/** Returns the keys of a value that none of the schemas mentions by name or pattern, up to a limit. */
export function unmentionedKeys(schemas: readonly SchemaNode[], value: JsonObject, limit = Infinity): string[] {
  const names = new Set(schemas.flatMap((schema) => schema.propertyNames()));
  const patterns = schemas.flatMap((schema) => schema.patternProperties());
  const found: string[] = [];
  for (const key of Object.keys(value)) {
    if (found.length >= limit) break;
    if (!names.has(key) && !patterns.some(([pattern]) => pattern.test(key))) found.push(key);
  }
  return found;
}
