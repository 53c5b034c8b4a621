import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { discriminators, possibleTypes } from "./analyze.js";
import { getOwn, jsonTypeOf } from "./json-value.js";
import type { SchemaNode } from "./schema-node.js";

/** Returns the schemas that apply to a value, with some branches of each choice: the node first, then in-place subschemas. */
function applicableSchemas(
  node: SchemaNode,
  value: unknown,
  selectBranches: (branches: readonly SchemaNode[], value: unknown) => readonly SchemaNode[],
): SchemaNode[] {
  const condition = node.subschema("if");
  const inPlace = [
    ...node.conjuncts(),
    ...node.choices().flatMap((branches) => selectBranches(branches, value)),
    ...(condition?.accepts(value) ? [condition] : []),
    ...node.conditionals(value),
  ];
  return [node, ...inPlace.flatMap((subschema) => applicableSchemas(subschema, value, selectBranches))];
}

const acceptingBranches = (branches: readonly SchemaNode[], value: unknown): SchemaNode[] =>
  branches.filter((branch) => branch.accepts(value));

/** Returns the keys to which the `unevaluatedProperties` of a node applies: those that no other keyword has evaluated. */
export function unevaluatedKeys(node: SchemaNode, value: JsonObject): string[] {
  const schemas = applicableSchemas(node, value, acceptingBranches);
  const evaluatesAll = schemas.some(({ schema: { additionalProperties, unevaluatedProperties } }, index) => {
    return additionalProperties !== undefined || (index > 0 && unevaluatedProperties !== undefined);
  });
  return evaluatesAll ? [] : unmentionedKeys(schemas, value);
}

/** Returns the items to which the `unevaluatedItems` of a node applies. */
export function unevaluatedItems(node: SchemaNode, value: readonly unknown[]): unknown[] {
  const schemas = applicableSchemas(node, value, acceptingBranches);
  const evaluatesAll = schemas.some(({ schema: { items, unevaluatedItems: others } }, index) => {
    return items !== undefined || (index > 0 && others !== undefined);
  });
  if (evaluatesAll) return [];
  const prefixLength = Math.max(...schemas.map((schema) => schema.subschemas("prefixItems").length));
  const contains = schemas.flatMap((schema) => schema.subschema("contains") ?? []);
  return value.slice(prefixLength).filter((item) => !contains.some((schema) => schema.accepts(item)));
}

/** Returns the branches that can accept values of the type of this value. */
export function branchesOfSameType(branches: readonly SchemaNode[], value: unknown): SchemaNode[] {
  const type = jsonTypeOf(value);
  return type === undefined ? [] : branches.filter((branch) => possibleTypes(branch).has(type));
}

/** Returns the branch that a value comes closest to: same type, same discriminators, fewest unknown and invalid parts. */
export function closestBranch(branches: readonly SchemaNode[], value: unknown): SchemaNode | undefined {
  const matching = branches.find((branch) => branch.accepts(value));
  if (matching || branches.length < 2) return matching ?? branches[0];
  const candidates = branchesOfSameType(branches, value);
  const distances = candidates.map((branch) => branchDistance(branch, value, candidates));
  return candidates[distances.indexOf(Math.min(...distances))] ?? branches[0];
}

/** A value of another discriminated branch is further away than any value with the right discriminator. */
const WRONG_DISCRIMINATOR = 1_000;

function branchDistance(branch: SchemaNode, value: unknown, branches: readonly SchemaNode[]): number {
  const schemas = applicableSchemas(branch, value, (choice) => [closestBranch(choice, value) ?? []].flat());
  if (Array.isArray(value)) {
    const items = schemas.flatMap((schema) => schema.subschema("items") ?? []);
    return items.reduce((sum, schema) => sum + value.filter((item) => !schema.accepts(item)).length, 0);
  }
  if (!isObject(value)) return 0;
  const wrong = [...discriminators(branch)].filter(
    ([name, values]) =>
      branches.every((other) => discriminators(other).has(name)) && !values.includes(getOwn(value, name) as Json),
  );
  // An open object accepts every key, but only a schema for additional properties is meant for them.
  const describesOthers = schemas.some(({ schema: { additionalProperties } }) => {
    return isObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  });
  const unmentioned = describesOthers ? [] : unmentionedKeys(schemas, value);
  const missing = schemas.flatMap(({ required }) => required.filter((name) => !Object.hasOwn(value, name)));
  const invalid = schemas
    .flatMap((schema) => schema.namedSubschemas("properties"))
    .filter(([name, property]) => Object.hasOwn(value, name) && !property.accepts(value[name]));
  return wrong.length * WRONG_DISCRIMINATOR + unmentioned.length + missing.length + invalid.length;
}

/** Returns the keys of a value that none of the schemas mentions by name or pattern, up to a limit. */
function unmentionedKeys(schemas: readonly SchemaNode[], value: JsonObject, limit = Infinity): string[] {
  const names = new Set(schemas.flatMap((schema) => schema.propertyNames()));
  const patterns = schemas.flatMap((schema) => schema.patternProperties());
  const found: string[] = [];
  for (const key of Object.keys(value)) {
    if (found.length >= limit) break;
    if (!names.has(key) && !patterns.some(([pattern]) => pattern.test(key))) found.push(key);
  }
  return found;
}

/** Returns the keys of a value that a node rejects as unknown, up to a limit. */
export function unknownProperties(node: SchemaNode, value: JsonObject, limit: number): string[] {
  if (node.closed || node.schema["additionalProperties"] === false) return unmentionedKeys([node], value, limit);
  return node.subschema("unevaluatedProperties")?.isFalse ? unevaluatedKeys(node, value).slice(0, limit) : [];
}

/** Yields the keys of a value with the schemas that a node has for them: by name, by pattern, or for additional properties. */
export function* propertySchemas(
  node: SchemaNode,
  value: JsonObject,
): Generator<readonly [key: string, schema: SchemaNode]> {
  const named = new Map(node.namedSubschemas("properties"));
  for (const entry of named) if (Object.hasOwn(value, entry[0])) yield entry;
  const patterns = node.patternProperties();
  const additional = node.subschema("additionalProperties");
  for (const key of patterns.length > 0 || additional ? Object.keys(value) : []) {
    const matching = patterns.filter(([pattern]) => pattern.test(key));
    for (const [, property] of matching) yield [key, property];
    if (additional && !additional.isFalse && matching.length === 0 && !named.has(key)) yield [key, additional];
  }
}

/** Returns the names of the properties that a node requires of a value. */
export function requiredProperties(node: SchemaNode, value: JsonObject): ReadonlySet<string> {
  const dependents = Object.entries((node.schema["dependentRequired"] ?? {}) as Record<string, string[]>);
  const needed = dependents.filter(([name]) => Object.hasOwn(value, name)).flatMap(([, names]) => names);
  return new Set([...node.required, ...needed]);
}

/** Returns the names of all properties that a node and its in-place subschemas mention. */
export function knownPropertyNames(node: SchemaNode): string[] {
  const conditional = ["then", "else"].flatMap((keyword) => node.subschema(keyword) ?? []);
  const inPlace = [...node.conjuncts(), ...node.choices().flat(), ...conditional];
  return [...new Set([...node.propertyNames(), ...inPlace.flatMap(knownPropertyNames)])];
}
