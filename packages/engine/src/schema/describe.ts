import type { JsonObject } from "../jsonrpc/json.js";
import { allowedValues } from "./kinds.js";
import type { Node } from "./node.js";
import { show, showList } from "./show.js";

const ARTICLES: Readonly<Record<string, string>> = {
  null: "null",
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
};

/** Says in a few words what a node expects: `an integer from 1 to 100`. */
export function describe(node: Node): string {
  const values = allowedValues(node);
  if (node.never || values?.length === 0) return "nothing";
  if (values) return values.length === 1 ? show(values[0]) : `one of ${showList(values)}`;
  const { schema } = node;
  if (schema["type"] !== undefined) {
    return ([schema["type"]].flat() as string[]).map((type) => describeType(type, node)).join(" or ");
  }
  const joined = [...node.targets(), ...node.list("allOf")].map(describe).find((text) => text !== ANYTHING);
  if (joined) return joined;
  const branches = [...node.list("anyOf"), ...node.list("oneOf")].map(describe);
  if (branches.length > 0) return [...new Set(branches)].join(" or ");
  return describeUntyped(node);
}

const ANYTHING = "any value";

function describeUntyped(node: Node): string {
  const has = (keywords: readonly string[]) => keywords.some((keyword) => node.schema[keyword] !== undefined);
  if (has(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]))
    return describeType("number", node);
  if (has(["minLength", "maxLength", "pattern"])) return describeType("string", node);
  if (has(["items", "prefixItems", "minItems", "maxItems"])) return describeType("array", node);
  return has(["properties", "required"]) ? describeType("object", node) : ANYTHING;
}

function describeType(type: string, node: Node): string {
  const { schema } = node;
  const noun = ARTICLES[type] ?? type;
  if (type === "integer" || type === "number") return noun + describeBounds(schema);
  if (type === "string") return noun + describeText(schema);
  if (type === "array")
    return noun + describeItems(node) + describeSize(schema, "minItems", "maxItems", "item", " of ");
  return noun;
}

function describeBounds(schema: JsonObject): string {
  // The widest whole numbers there are say nothing that "integer" does not.
  const bound = (keyword: string) => {
    const value = schema[keyword];
    return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : (value as number | undefined);
  };
  const [least, most, above, below] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map(bound);
  const parts: string[] = [];
  if (least !== undefined && most !== undefined) parts.push(` from ${least} to ${most}`);
  else if (least !== undefined) parts.push(` of at least ${least}`);
  else if (most !== undefined) parts.push(` of at most ${most}`);
  if (above !== undefined) parts.push(` above ${above}`);
  if (below !== undefined) parts.push(` below ${below}`);
  const bounds = parts.join(" and");
  const factor = schema["multipleOf"] as number | undefined;
  return factor === undefined ? bounds : `${bounds}${bounds === "" ? " that is a" : ", a"} multiple of ${factor}`;
}

function describeText(schema: JsonObject): string {
  const size = describeSize(schema, "minLength", "maxLength", "character", " of ");
  const format = typeof schema["format"] === "string" ? ` (${schema["format"]})` : "";
  // A format says more to a reader than the pattern that stands for it.
  const wanted = schema["pattern"] as string | undefined;
  const pattern = wanted !== undefined && format === "" ? ` that matches ${wanted}` : "";
  return size + format + pattern;
}

function describeItems(node: Node): string {
  const items = node.one("items");
  const type = items?.schema["type"];
  return typeof type === "string" && type !== "null" && type !== "boolean" ? ` of ${type}s` : "";
}

/** Says how many characters or items are wanted; nothing where any number is. */
export function describeSize(schema: JsonObject, least: string, most: string, noun: string, before = ""): string {
  const [low, high] = [schema[least] as number | undefined, schema[most] as number | undefined];
  const many = (count: number) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  if (low !== undefined && low > 0 && high !== undefined) {
    return low === high ? `${before}exactly ${many(low)}` : `${before}${low} to ${many(high)}`;
  }
  if (low !== undefined && low > 0) return `${before}at least ${many(low)}`;
  return high === undefined ? "" : `${before}at most ${many(high)}`;
}

/** Says what a missing value would be: its type and, where the author gave one, its description. */
export function introduce(node: Node): string {
  const type = describe(node).replace(/^an? /, "");
  const description = [node, ...node.targets()]
    .map(({ schema }) => schema["description"])
    .find((text) => typeof text === "string");
  return description === undefined ? type : `${type}: ${shorten(description)}`;
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
