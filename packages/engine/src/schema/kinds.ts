import type { Json } from "../jsonrpc/json.js";
import type { Node } from "./node.js";
import { type Kind, kindOf } from "./value.js";

const ALL: ReadonlySet<Kind> = new Set<Kind>(["null", "boolean", "number", "string", "array", "object"]);

/** Tells which kinds of value a node can accept at all, as far as its types, values and joined schemas say. */
export const kindsOf = remember(findKinds);

/** Lists the only values a node allows, through references and choices; nothing where it is not such a list. */
export const allowedValues = remember(findAllowedValues);

/** Finds the required properties of a node that tell it from other choices: each with the values it must have. */
export const marksOf = remember(findMarks);

/** Works out each node once: one schema may join another by many ways. */
export function remember<Found>(find: (node: Node) => Found): (node: Node) => Found {
  const known = new WeakMap<Node, { readonly found: Found }>();
  return (node) => {
    let entry = known.get(node);
    if (!entry) known.set(node, (entry = { found: find(node) }));
    return entry.found;
  };
}

function findKinds(node: Node): ReadonlySet<Kind> {
  if (node.never) return new Set();
  const { schema } = node;
  const limits: ReadonlySet<Kind>[] = [];
  if (schema["type"] !== undefined) {
    limits.push(
      new Set(([schema["type"]].flat() as string[]).map((type) => (type === "integer" ? "number" : type) as Kind)),
    );
  }
  const values = allowedHere(node);
  if (values) limits.push(new Set(values.map(kindOf).filter((kind) => kind !== undefined)));
  for (const joined of [...node.targets(), ...node.list("allOf")]) limits.push(kindsOf(joined));
  for (const keyword of ["anyOf", "oneOf"]) {
    if (schema[keyword] !== undefined)
      limits.push(new Set(node.list(keyword).flatMap((branch) => [...kindsOf(branch)])));
  }
  return limits.reduce((kinds, limit) => new Set([...kinds].filter((kind) => limit.has(kind))), ALL);
}

/** Lists the values that `enum` or `const` of this very node allows; nothing where it has neither. */
export function allowedHere({ schema }: Node): readonly Json[] | undefined {
  return schema["const"] === undefined ? (schema["enum"] as Json[] | undefined) : [schema["const"]];
}

function findAllowedValues(node: Node): readonly Json[] | undefined {
  const here = allowedHere(node);
  if (here) return here;
  for (const joined of [...node.targets(), ...node.list("allOf")]) {
    const values = allowedValues(joined);
    if (values) return values;
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = node.list(keyword).map(allowedValues);
    if (branches.length > 0 && branches.every((values) => values !== undefined)) return branches.flat();
  }
  return undefined;
}

function findMarks(node: Node): ReadonlyMap<string, readonly Json[]> {
  const marks = new Map<string, readonly Json[]>();
  for (const joined of [...node.targets(), ...node.list("allOf")])
    for (const mark of marksOf(joined)) marks.set(...mark);
  const required = new Set(node.schema["required"] as string[] | undefined);
  for (const [name, property] of node.map("properties")) {
    const values = required.has(name) ? allowedValues(property) : undefined;
    if (values) marks.set(name, values);
  }
  return marks;
}

/** Says whether nothing but objects can satisfy a node. */
export function acceptsObjectsOnly(node: Node): boolean {
  const kinds = kindsOf(node);
  return kinds.size === 1 && kinds.has("object");
}
