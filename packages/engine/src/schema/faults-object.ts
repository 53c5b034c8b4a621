import type { JsonObject } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { describe, describeSize, introduce } from "./describe.js";
import { coverKeys } from "./evaluated.js";
import type { FaultList } from "./fault-list.js";
import { knownNames, partsOf, unknownKeys } from "./levels.js";
import { nearest } from "./nearest.js";
import type { Node } from "./node.js";
import { join, quote, showList } from "./show.js";

/** Looks for faults in a part of a value. */
export type Collect = (node: Node, value: unknown, path: string, list: FaultList) => void;

/** Adds the faults that the keywords about objects find. */
export function collectObject(node: Node, value: JsonObject, path: string, list: FaultList, collect: Collect): void {
  collectMissing(node, value, path, list);
  for (const key of unknownKeys(node, value, list.room)) {
    list.add(join(path, key), () => unknownText(node, value, key, path));
  }
  if (list.isOver) return;
  collectParts(node, value, path, list, collect);
  const names = node.one("propertyNames");
  for (const key of names ? Object.keys(value) : []) {
    if (list.isOver) return;
    if (names && !checkOf(names)(key)) list.add(join(path, key), () => `the name must be ${describe(names)}`);
  }
  const count = Object.keys(value).length;
  const { minProperties = 0, maxProperties = Infinity } = node.schema as Record<string, number>;
  if (count < minProperties || count > maxProperties) {
    list.add(path, `expected ${describeSize(node.schema, "minProperties", "maxProperties", "key")}, got ${count}`);
  }
}

function collectMissing(node: Node, value: JsonObject, path: string, list: FaultList): void {
  const properties = new Map(node.map("properties"));
  const say = (name: string, why: string) => {
    const property = properties.get(name);
    list.add(join(path, name), () => `required${why}, but missing${property ? ` (${introduce(property)})` : ""}`);
  };
  for (const name of (node.schema["required"] ?? []) as string[]) {
    if (value[name] === undefined || !Object.hasOwn(value, name)) say(name, "");
  }
  for (const [name, needed] of Object.entries((node.schema["dependentRequired"] ?? {}) as Record<string, string[]>)) {
    if (!Object.hasOwn(value, name)) continue;
    for (const other of needed) if (!Object.hasOwn(value, other)) say(other, ` where ${quote(name)} is given`);
  }
}

/** Says that a key is not known and which one is, if one is near. */
export function unknownText(node: Node, value: JsonObject, key: string, path: string): string {
  const noun = path === "" ? "argument" : "property";
  const names = knownNames(node);
  const near = nearest(
    key,
    names.filter((name) => !Object.hasOwn(value, name)),
  );
  if (near !== undefined) return `unknown ${noun}; did you mean ${quote(near)}?`;
  return names.length === 0 ? `unknown ${noun}; none is expected` : `unknown ${noun}; known: ${showList(names)}`;
}

function collectParts(node: Node, value: JsonObject, path: string, list: FaultList, collect: Collect): void {
  for (const [key, part] of partsOf(node, value)) {
    if (list.isOver) return;
    collect(part, value[key], join(path, key), list);
  }
  for (const [name, dependent] of node.map("dependentSchemas")) {
    if (Object.hasOwn(value, name)) collect(dependent, value, path, list);
  }
  const unevaluated = node.one("unevaluatedProperties");
  if (!unevaluated) return;
  const covers = coverKeys(node, checkOf, true);
  for (const key of Object.keys(value)) {
    if (list.isOver) return;
    if (covers(value, key)) continue;
    if (unevaluated.never) list.add(join(path, key), () => unknownText(node, value, key, path));
    else collect(unevaluated, value[key], join(path, key), list);
  }
}
