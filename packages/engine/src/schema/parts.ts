import { eachSubschema, type Position } from "./dialect.js";
import type { Node } from "./node.js";

/** Lists the nodes that judge the same value as a node does: what it refers to and what it joins. */
export function sameValueParts(node: Node): Node[] {
  return [...node.targets(), ...partsAt(node, "same value")];
}

/** Lists the nodes that judge the properties and items of a node's value. */
export function innerParts(node: Node): Node[] {
  return partsAt(node, "part");
}

/** Says whether a node or any that it leads to is of some sort. */
export function someNode(root: Node, isSuch: (node: Node) => boolean): boolean {
  const nodes = new Set([root]);
  for (const node of nodes) {
    if (isSuch(node)) return true;
    for (const part of [...sameValueParts(node), ...innerParts(node)]) nodes.add(part);
  }
  return false;
}

function partsAt(node: Node, judges: Position["judges"]): Node[] {
  const parts: Node[] = [];
  eachSubschema(node.schema, (subschema, judged) => {
    if (judged === judges) parts.push(node.child(subschema));
  });
  return parts;
}
