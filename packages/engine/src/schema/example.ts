import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { allowedValues } from "./kinds.js";
import { closest, knownNames, levelsOf, unknownKeys } from "./levels.js";
import { nearest } from "./nearest.js";
import type { Node } from "./node.js";
import { placeholder } from "./placeholder.js";
import { isSmall } from "./show.js";
import { kindOf, put } from "./value.js";

const REPEATED = 4_000;

/** Makes a valid value out of a refused one, or a minimal one, for a model to send instead; nothing where neither is valid. */
export function exampleOf(root: Node, value: unknown): JsonObject | undefined {
  const candidates = isSmall(value, REPEATED)
    ? [() => mend(root, value), () => placeholder(root)]
    : [() => placeholder(root)];
  for (const make of candidates) {
    const candidate = make();
    if (isObject(candidate) && checkOf(root)(candidate)) return candidate;
  }
  return undefined;
}

/** Changes as little of a value as will make it valid, as far as that can be told. */
function mend(node: Node, value: unknown): Json {
  if (checkOf(node)(value)) return value as Json;
  const values = allowedValues(node);
  if (values) {
    const words = values.filter((allowed) => typeof allowed === "string");
    return (typeof value === "string" ? nearest(value, words) : undefined) ?? values[0] ?? null;
  }
  const branches = [...node.list("anyOf"), ...node.list("oneOf")];
  const branch = closest(branches, value) ?? node;
  const kind = kindOf(value);
  const mended =
    kind === "number"
      ? clamp(node, value as number)
      : kind === "array"
        ? mendItems(node, value as Json[])
        : kind === "object"
          ? mendObject(node, value as JsonObject)
          : undefined;
  return mended !== undefined && checkOf(node)(mended) ? mended : (placeholder(branch) ?? mended ?? null);
}

function clamp(node: Node, value: number): number {
  let result = value;
  for (const { schema } of levelsOf(node, value)) {
    const { minimum = -Infinity, maximum = Infinity } = schema as Record<string, number>;
    if (schema["type"] === "integer") result = Math.round(result);
    result = Math.min(Math.max(result, minimum), maximum);
  }
  return result;
}

function mendItems(node: Node, value: readonly Json[]): Json[] {
  let items = [...value];
  for (const level of levelsOf(node, value)) {
    const first = level.list("prefixItems");
    const rest = level.one("items");
    const { minItems = 0, maxItems = Infinity } = level.schema as Record<string, number>;
    items = items.slice(0, maxItems).map((item, index) => {
      const each = first[index] ?? rest;
      return each ? mend(each, item) : item;
    });
    while (items.length < Math.min(minItems, 100)) items.push((rest && placeholder(rest)) ?? null);
  }
  return items;
}

function mendObject(node: Node, value: JsonObject): JsonObject {
  const result: JsonObject = { ...value };
  const levels = levelsOf(node, value);
  for (const level of levels) {
    const absent = knownNames(level).filter((name) => !Object.hasOwn(result, name));
    for (const key of unknownKeys(level, result)) {
      const name = nearest(key, absent);
      if (name !== undefined && !Object.hasOwn(result, name)) put(result, name, result[key] as Json);
      delete result[key];
    }
  }
  for (const level of levels) {
    const properties = level.map("properties");
    for (const [name, property] of properties) {
      if (Object.hasOwn(result, name)) put(result, name, mend(property, result[name]));
    }
    const known = new Map(properties);
    for (const name of (level.schema["required"] ?? []) as string[]) {
      if (Object.hasOwn(result, name)) continue;
      const property = known.get(name);
      put(result, name, (property && placeholder(property)) ?? "…");
    }
  }
  return result;
}
