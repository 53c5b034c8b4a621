import type { Json } from "../jsonrpc/messages.js";
import { schemaError } from "./document.js";
import { type JsonType, jsonTypeOf } from "./json-value.js";
import { childSubschemas, inPlaceSubschemas, type SchemaNode } from "./schema-node.js";

const ALL_TYPES: ReadonlySet<JsonType> = new Set<JsonType>(["null", "boolean", "number", "string", "array", "object"]);

/** Returns the JSON types that a node can accept, as far as its types, values and in-place subschemas tell. */
export const possibleTypes = memoizeByNode(findPossibleTypes);

/** Returns the only values that a node allows, through references and choices; undefined = it is not limited to a list. */
export const allowedValues = memoizeByNode(findAllowedValues);

/** Returns the required properties with a fixed set of values, which distinguish a node from the other branches of a choice. */
export const discriminators = memoizeByNode(findDiscriminators);

/** Caches a computation per node: one schema may be reached in many ways. */
export function memoizeByNode<Result>(compute: (node: SchemaNode) => Result): (node: SchemaNode) => Result {
  const cache = new WeakMap<SchemaNode, { readonly result: Result }>();
  return (node) => {
    const entry = cache.get(node) ?? { result: compute(node) };
    cache.set(node, entry);
    return entry.result;
  };
}

function findPossibleTypes(node: SchemaNode): ReadonlySet<JsonType> {
  if (node.isFalse) return new Set();
  const limits: ReadonlySet<JsonType>[] = [];
  const { type } = node.schema;
  if (type !== undefined) {
    const names = [type].flat() as string[];
    limits.push(new Set(names.map((name) => (name === "integer" ? "number" : name) as JsonType)));
  }
  if (node.ownValues) limits.push(new Set(node.ownValues.map(jsonTypeOf).filter((name) => name !== undefined)));
  limits.push(...node.conjuncts().map(possibleTypes));
  for (const branches of node.choices()) limits.push(new Set(branches.flatMap((branch) => [...possibleTypes(branch)])));
  return limits.reduce((types, limit) => new Set([...types].filter((name) => limit.has(name))), ALL_TYPES);
}

function findAllowedValues(node: SchemaNode): readonly Json[] | undefined {
  if (node.ownValues) return node.ownValues;
  for (const conjunct of node.conjuncts()) {
    const values = allowedValues(conjunct);
    if (values) return values;
  }
  for (const branches of node.choices()) {
    const values = branches.map(allowedValues);
    if (values.every((list) => list !== undefined)) return values.flat();
  }
  return undefined;
}

function findDiscriminators(node: SchemaNode): ReadonlyMap<string, readonly Json[]> {
  const found = new Map(node.conjuncts().flatMap((conjunct) => [...discriminators(conjunct)]));
  const required = new Set(node.required);
  for (const [name, property] of node.namedSubschemas("properties")) {
    const values = required.has(name) ? allowedValues(property) : undefined;
    if (values) found.set(name, values);
  }
  return found;
}

const MAX_NODES = 20_000;

const OTHER_PROPERTY_KEYWORDS = ["additionalProperties", "patternProperties", "unevaluatedProperties"];
const PROPERTY_NAME_KEYWORDS = ["required", "propertyNames", "minProperties", "dependentRequired"];
const IN_PLACE_APPLICATORS = "$ref $dynamicRef allOf anyOf oneOf not if then else dependentSchemas".split(" ");

/** Throws for a schema that refers to itself in place, and marks objects as closed if unknown properties are rejected. */
export function prepareSchema(root: SchemaNode, unknownProperties: "reject" | "allow"): void {
  rejectReferenceCycles(root);
  if (unknownProperties === "allow") return;
  const found = new Map<SchemaNode, boolean>();
  classifyNodes(root, true, found);
  for (const [node, isExclusive] of found) node.closed = isExclusive && isClosable(node, node === root);
}

/** A schema that refers to itself without descending into a property or an item would never terminate. */
function rejectReferenceCycles(root: SchemaNode): void {
  const [done, ancestors] = [new Set<SchemaNode>(), new Set<SchemaNode>()];
  const pending = [root];
  const follow = (node: SchemaNode): void => {
    if (done.has(node)) return;
    if (ancestors.has(node))
      throw schemaError("", "a $ref refers to itself without descending into a property or an item");
    ancestors.add(node);
    for (const subschema of inPlaceSubschemas(node)) follow(subschema);
    ancestors.delete(node);
    done.add(node);
    if (done.size > MAX_NODES) throw schemaError("", "it has too many subschemas");
    pending.push(...childSubschemas(node));
  };
  for (const node of pending) follow(node);
}

/**
 * Finds out which nodes alone decide about the keys of an object; the others share the decision. A node reached both ways is
 * shared, and so is everything below it: another schema may know the key.
 */
function classifyNodes(node: SchemaNode, isExclusive: boolean, found: Map<SchemaNode, boolean>): void {
  const known = found.get(node);
  if (known === false || known === isExclusive) return;
  found.set(node, isExclusive);
  const delegates = isExclusive && delegatesToOneSchema(node);
  for (const subschema of inPlaceSubschemas(node)) classifyNodes(subschema, delegates, found);
  const overlaps = node.schema["properties"] !== undefined && node.schema["patternProperties"] !== undefined;
  const decidesAlone = isExclusive && !overlaps && presentKeywords(node, IN_PLACE_APPLICATORS).length === 0;
  const contains = node.subschema("contains");
  for (const child of childSubschemas(node)) classifyNodes(child, decidesAlone && child !== contains, found);
}

const presentKeywords = ({ schema }: SchemaNode, keywords: readonly string[]): string[] =>
  keywords.filter((keyword) => schema[keyword] !== undefined);

/** Whether a node only delegates to one other schema, or to one of several that cannot be confused. */
function delegatesToOneSchema(node: SchemaNode): boolean {
  const [keyword, ...others] = presentKeywords(node, IN_PLACE_APPLICATORS);
  if (others.length > 0 || presentKeywords(node, ["properties", ...OTHER_PROPERTY_KEYWORDS]).length > 0) return false;
  const subschemas = inPlaceSubschemas(node);
  if (keyword === "anyOf" || keyword === "oneOf")
    return subschemas.every((branch, index) =>
      subschemas.slice(index + 1).every((other) => areMutuallyExclusive(branch, other)),
    );
  return (keyword === "$ref" || keyword === "$dynamicRef" || keyword === "allOf") && subschemas.length === 1;
}

function areMutuallyExclusive(branch: SchemaNode, other: SchemaNode): boolean {
  const types = possibleTypes(other);
  if (![...possibleTypes(branch)].some((type) => types.has(type))) return true;
  return [...discriminators(branch)].some(([name, values]) => {
    const others = discriminators(other).get(name);
    return others !== undefined && !values.some((value) => typeof value === "object" || others.includes(value));
  });
}

function isClosable(node: SchemaNode, isRoot: boolean): boolean {
  if (presentKeywords(node, [...OTHER_PROPERTY_KEYWORDS, ...IN_PLACE_APPLICATORS]).length > 0) return false;
  if (node.schema["properties"] !== undefined) return true;
  return isRoot && node.schema["type"] === "object" && presentKeywords(node, PROPERTY_NAME_KEYWORDS).length === 0;
}
