import { isObject } from "../jsonrpc/json.js";
import { FaultList } from "./fault-list.js";
import { unknownText } from "./faults-object.js";
import { levelsOf, unknownKeys } from "./levels.js";
import type { Node } from "./node.js";
import { join } from "./show.js";

/** Says which keys of an accepted value are not known. */
export function unknownKeyFaults(root: Node, value: unknown): string[] {
  const list = new FaultList();
  collectUnknown(root, value, "", list);
  return list.lines();
}

function collectUnknown(node: Node, value: unknown, path: string, list: FaultList): void {
  if (!list.visit()) return;
  for (const level of levelsOf(node, value)) {
    if (Array.isArray(value)) {
      const first = level.list("prefixItems");
      const rest = level.one("items");
      for (const [index, item] of value.entries()) {
        if (list.isOver) return;
        const each = first[index] ?? rest;
        if (each) collectUnknown(each, item, join(path, index), list);
      }
    } else if (isObject(value)) {
      for (const key of unknownKeys(level, value, list.room)) {
        list.add(join(path, key), () => unknownText(level, value, key, path));
      }
      const rest = level.one("additionalProperties");
      const properties = new Map(level.map("properties"));
      for (const key of Object.keys(value)) {
        if (list.isOver) return;
        const each = properties.get(key) ?? rest;
        if (each) collectUnknown(each, value[key], join(path, key), list);
      }
    }
  }
}
