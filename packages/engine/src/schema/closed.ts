import type { Json } from "../jsonrpc/json.js";
import { definitionFault } from "./document.js";
import { kindsOf, marksOf } from "./kinds.js";
import type { Node } from "./node.js";
import { innerParts, sameValueParts } from "./parts.js";

const MAX_NODES = 20_000;

const ABOUT_OTHER_KEYS = ["additionalProperties", "patternProperties", "unevaluatedProperties"];
const ABOUT_KEYS = ["required", "propertyNames", "minProperties", "dependentRequired"];
const JOINING = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/** Goes to every node once: refuses a schema that only leads back to itself, and closes objects where that is asked for. */
export function prepareNodes(root: Node, unknownKeys: "refuse" | "allow"): void {
  refuseLoops(root);
  if (unknownKeys === "allow") return;
  const [decided, undecided] = [new Set<Node>(), new Set<Node>()];
  visit(root, true, decided, undecided);
  for (const node of decided) if (!undecided.has(node)) node.closed = isClosable(node, node === root);
}

/** A schema that leads back to itself without going into a property or an item would never come to an end. */
function refuseLoops(root: Node): void {
  const [done, onTheWay] = [new Set<Node>(), new Set<Node>()];
  const later = [root];
  const follow = (node: Node): void => {
    if (done.has(node)) return;
    if (onTheWay.has(node))
      throw definitionFault("", "a $ref leads back to itself without going into a property or item");
    onTheWay.add(node);
    for (const part of sameValueParts(node)) follow(part);
    onTheWay.delete(node);
    done.add(node);
    if (done.size > MAX_NODES) throw definitionFault("", "it has too many subschemas");
    later.push(...innerParts(node));
  };
  for (const node of later) follow(node);
}

/**
 * Sorts nodes into those that alone decide about an object's keys and those that do not.
 * A node reached both ways is undecided, and so is everything below it: another schema may know the key.
 */
function visit(node: Node, alone: boolean, decided: Set<Node>, undecided: Set<Node>): void {
  const seen = alone ? decided : undecided;
  if (seen.has(node) || undecided.has(node)) return;
  seen.add(node);
  const through = alone && passesOn(node);
  for (const part of sameValueParts(node)) visit(part, through, decided, undecided);
  const overlapping = node.schema["properties"] !== undefined && node.schema["patternProperties"] !== undefined;
  const joined = JOINING.some((keyword) => node.schema[keyword] !== undefined);
  const contained = node.one("contains");
  for (const part of innerParts(node)) {
    visit(part, alone && !overlapping && !joined && part !== contained, decided, undecided);
  }
}

/** Says whether a node only hands its value to one other schema, or to one of several that cannot be confused. */
function passesOn(node: Node): boolean {
  const { schema } = node;
  const joining = JOINING.filter((keyword) => schema[keyword] !== undefined);
  if (joining.length !== 1 || schema["properties"] !== undefined) return false;
  if (ABOUT_OTHER_KEYS.some((keyword) => schema[keyword] !== undefined)) return false;
  const [keyword] = joining as [string];
  if (keyword === "$ref" || keyword === "$dynamicRef") return true;
  if (keyword === "allOf") return (schema["allOf"] as Json[]).length === 1;
  return (keyword === "anyOf" || keyword === "oneOf") && areDistinct(node.list(keyword));
}

function areDistinct(branches: readonly Node[]): boolean {
  return branches.every((branch, index) => branches.slice(index + 1).every((other) => isDistinct(branch, other)));
}

function isDistinct(branch: Node, other: Node): boolean {
  const kinds = kindsOf(other);
  if (![...kindsOf(branch)].some((kind) => kinds.has(kind))) return true;
  const marks = marksOf(other);
  return [...marksOf(branch)].some(([name, values]) => {
    const others = marks.get(name);
    return others !== undefined && !values.some((value) => typeof value === "object" || others.includes(value));
  });
}

function isClosable(node: Node, isRoot: boolean): boolean {
  const { schema } = node;
  if ([...ABOUT_OTHER_KEYS, ...JOINING].some((keyword) => schema[keyword] !== undefined)) return false;
  if (schema["properties"] !== undefined) return true;
  return isRoot && schema["type"] === "object" && ABOUT_KEYS.every((keyword) => schema[keyword] === undefined);
}
