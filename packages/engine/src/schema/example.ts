import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { allowedValues } from "./kinds.js";
import { closest, knownNames, levelsOf, partsOf, unknownKeys } from "./levels.js";
import { nearest } from "./nearest.js";
import type { Node } from "./node.js";
import { placeholder } from "./placeholder.js";
import { isSmall } from "./show.js";
import { kindOf, put } from "./value.js";

const REPEATED = 4_000;
const MAX_LOOKUPS = 50;

/** Looks for the name that a word stands for, as often as one example may. */
type Lookup = (word: string, known: readonly string[]) => string | undefined;

/** Makes a valid value out of a refused one, or a minimal one, for a model to send instead; nothing where neither is valid. */
export function exampleOf(root: Node, value: unknown): JsonObject | undefined {
  let lookups = 0;
  const lookup: Lookup = (word, known) => (++lookups > MAX_LOOKUPS ? undefined : nearest(word, known));
  const candidates = isSmall(value, REPEATED)
    ? [() => mend(root, value, lookup), () => placeholder(root)]
    : [() => placeholder(root)];
  for (const make of candidates) {
    const candidate = make();
    if (isObject(candidate) && checkOf(root)(candidate)) return candidate;
  }
  return undefined;
}

/** Changes as little of a value as will make it valid, as far as that can be told. */
function mend(node: Node, value: unknown, lookup: Lookup): Json {
  if (checkOf(node)(value)) return value as Json;
  const values = allowedValues(node);
  if (values) {
    const words = values.filter((allowed) => typeof allowed === "string");
    return (typeof value === "string" ? lookup(value, words) : undefined) ?? values[0] ?? null;
  }
  const branches = [...node.list("anyOf"), ...node.list("oneOf")];
  const branch = closest(branches, value) ?? node;
  const kind = kindOf(value);
  const mended =
    kind === "number"
      ? clamp(node, value as number)
      : kind === "array"
        ? mendItems(node, value as Json[], lookup)
        : kind === "object"
          ? mendObject(node, value as JsonObject, lookup)
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

function mendItems(node: Node, value: readonly Json[], lookup: Lookup): Json[] {
  let items = [...value];
  for (const level of levelsOf(node, value)) {
    const first = level.list("prefixItems");
    const rest = level.one("items");
    const { minItems = 0, maxItems = Infinity } = level.schema as Record<string, number>;
    items = items.slice(0, maxItems).map((item, index) => {
      const each = first[index] ?? rest;
      return each ? mend(each, item, lookup) : item;
    });
    while (items.length < Math.min(minItems, 100)) items.push((rest && placeholder(rest)) ?? null);
  }
  return items;
}

function mendObject(node: Node, value: JsonObject, lookup: Lookup): JsonObject {
  const result: JsonObject = { ...value };
  const levels = levelsOf(node, value);
  for (const level of levels) {
    const absent = knownNames(level).filter((name) => !Object.hasOwn(result, name));
    for (const key of unknownKeys(level, result)) {
      const name = lookup(key, absent);
      if (name !== undefined && !Object.hasOwn(result, name)) put(result, name, result[key] as Json);
      delete result[key];
    }
  }
  for (const level of levels) {
    for (const [name, part] of partsOf(level, result)) put(result, name, mend(part, result[name], lookup));
    const known = new Map(level.map("properties"));
    for (const name of (level.schema["required"] ?? []) as string[]) {
      if (Object.hasOwn(result, name)) continue;
      const property = known.get(name);
      put(result, name, (property && placeholder(property)) ?? "…");
    }
  }
  return result;
}
