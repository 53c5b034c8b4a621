import { checkOf } from "./compile.js";
import { isUnique } from "./compile-array.js";
import { describe, describeSize } from "./describe.js";
import { coverItems } from "./evaluated.js";
import type { FaultList } from "./fault-list.js";
import type { Collect } from "./faults-object.js";
import type { Node } from "./node.js";
import { join, show } from "./show.js";
import { canonicalText } from "./value.js";

/** Adds the faults that the keywords about arrays find. */
export function collectArray(
  node: Node,
  value: readonly unknown[],
  path: string,
  list: FaultList,
  collect: Collect,
): void {
  const { minItems = 0, maxItems = Infinity } = node.schema as Record<string, number>;
  if (value.length < minItems || value.length > maxItems) {
    list.add(path, `expected ${describeSize(node.schema, "minItems", "maxItems", "item")}, got ${value.length}`);
  }
  const first = node.list("prefixItems");
  const rest = node.one("items");
  for (const [index, item] of value.entries()) {
    if (list.isOver) return;
    const each = first[index] ?? rest;
    if (each) collect(each, item, join(path, index), list);
  }
  if (node.schema["uniqueItems"] === true && !isUnique(value)) collectRepeated(value, path, list);
  collectContains(node, value, path, list);
  const unevaluated = node.one("unevaluatedItems");
  if (!unevaluated) return;
  const covers = coverItems(node, checkOf, true);
  for (const [index, item] of value.entries()) {
    if (list.isOver) return;
    if (!covers(value, index)) collect(unevaluated, item, join(path, index), list);
  }
}

function collectRepeated(value: readonly unknown[], path: string, list: FaultList): void {
  const seen = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    if (list.isOver) return;
    const text = canonicalText(item);
    const earlier = seen.get(text);
    if (earlier === undefined) seen.set(text, index);
    else {
      const first = join(path, earlier);
      list.add(join(path, index), () => `repeats ${first}, but every item must be different: ${show(item)}`);
    }
  }
}

function collectContains(node: Node, value: readonly unknown[], path: string, list: FaultList): void {
  const wanted = node.one("contains");
  if (!wanted) return;
  const { minContains = 1, maxContains = Infinity } = node.schema as Record<string, number>;
  const count = value.filter((item) => checkOf(wanted)(item)).length;
  const items = (number: number) =>
    `${number} ${number === 1 ? "item that is" : "items that are each"} ${describe(wanted)}`;
  if (count < minContains) list.add(path, `expected at least ${items(minContains)}, got ${count}`);
  if (count > maxContains) list.add(path, `expected at most ${items(maxContains)}, got ${count}`);
}
