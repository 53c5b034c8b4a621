import { truncate } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/messages.js";
import { allowedValues } from "./analyze.js";
import type { SchemaNode } from "./schema-node.js";

const TYPE_NOUNS: Readonly<Record<string, string>> = {
  null: "null",
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
};

/** The type that keywords belong to, for a schema without `type`. */
const TYPES_BY_KEYWORD: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
  ["string", ["minLength", "maxLength", "pattern"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems"]],
  ["object", ["properties", "required"]],
];

const ANY_VALUE = "any value";

/** Describes what a node expects: `an integer from 1 to 100`. */
export function describe(node: SchemaNode): string {
  const values = allowedValues(node);
  if (node.isFalse || values?.length === 0) return "nothing";
  if (values) return values.length === 1 ? formatValue(values[0]) : `one of ${formatList(values)}`;
  const { type } = node.schema;
  if (type !== undefined) return ([type].flat() as string[]).map((name) => describeType(name, node)).join(" or ");
  const conjunct = node.conjuncts().find((each) => describe(each) !== ANY_VALUE);
  if (conjunct) return describe(conjunct);
  const branches = node.choices().flat().map(describe);
  if (branches.length > 0) return [...new Set(branches)].join(" or ");
  const implied = TYPES_BY_KEYWORD.find(([, keywords]) => keywords.some((name) => node.schema[name] !== undefined));
  return implied ? describeType(implied[0], node) : ANY_VALUE;
}

function describeType(type: string, node: SchemaNode): string {
  const { schema } = node;
  const noun = TYPE_NOUNS[type] ?? type;
  if (type === "integer" || type === "number") return noun + describeBounds(schema);
  if (type === "string") return noun + describeString(schema);
  if (type !== "array") return noun;
  const size = describeSize(schema, "Items", "item");
  return noun + describeItems(node) + (size && ` of ${size}`);
}

function describeBounds(schema: JsonObject): string {
  // Libraries write the safe integer range for "integer"; it adds nothing.
  const bound = (keyword: string, label: string) => {
    const value = schema[keyword] as number | undefined;
    return value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? [] : [`${label} ${value}`];
  };
  const parts = [
    ...bound("minimum", "of at least"),
    ...bound("maximum", "of at most"),
    ...bound("exclusiveMinimum", "above"),
    ...bound("exclusiveMaximum", "below"),
    ...bound("multipleOf", "that is a multiple of"),
  ];
  const text = parts.join(" and ").replace(/^of at least (\S+) and of at most/, "from $1 to");
  return text && ` ${text}`;
}

function describeString(schema: JsonObject): string {
  const { format, pattern } = schema as Record<string, string | undefined>;
  const size = describeSize(schema, "Length", "character");
  // A format is easier to read than the pattern that implements it.
  const content = format === undefined ? pattern && ` that matches ${pattern}` : ` (${format})`;
  return (size && ` of ${size}`) + (content ?? "");
}

function describeItems(node: SchemaNode): string {
  const items = node.subschema("items");
  const type = items?.schema["type"];
  return typeof type === "string" && type !== "null" && type !== "boolean" ? ` of ${type}s` : "";
}

/** Describes how many characters, items or properties are expected; empty = any number. */
export function describeSize(
  schema: JsonObject,
  keyword: "Length" | "Items" | "Properties" | "Contains",
  noun: string,
): string {
  const { [`min${keyword}`]: min = 0, [`max${keyword}`]: max = Infinity } = schema as Record<string, number>;
  const count = (number: number) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  if (max === Infinity) return min === 0 ? "" : `at least ${count(min)}`;
  if (min === 0) return `at most ${count(max)}`;
  return min === max ? `exactly ${count(min)}` : `${min} to ${count(max)}`;
}

/** Describes a missing value: its type and, if there is one, its description. */
export function describeMissing(node: SchemaNode): string {
  const type = describe(node).replace(/^an? /, "");
  const description = [node, ...node.refTargets()]
    .map(({ schema }) => schema["description"])
    .find((text) => typeof text === "string");
  if (description === undefined) return type;
  const line = description.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "");
  return `${type}: ${truncate(line, 99)}`;
}

const MAX_SHOWN_LENGTH = 60;

/** Formats a value for an issue: as JSON, truncated. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return quoteText(value);
  if (value === undefined) return "nothing";
  return truncate(writeTruncated(value, MAX_SHOWN_LENGTH), MAX_SHOWN_LENGTH);
}

/** Formats a string in quotes, truncated. */
export function quoteText(text: string): string {
  const short =
    text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH).replace(/[\ud800-\udbff]$/, "")}…` : text;
  return JSON.stringify(short);
}

/** Formats a list of values for an issue, truncated. */
export function formatList(values: readonly unknown[], limit = 12): string {
  const shown = values.slice(0, limit).map(formatValue).join(", ");
  return values.length > limit ? `${shown} … (${values.length} in all)` : shown;
}

/** Appends a key or index to a path: `items[2].name`. */
export function joinPath(path: string, part: string | number): string {
  if (typeof part === "number") return `${path}[${part}]`;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]{0,80}$/u.test(part)) return `${path}[${quoteText(part)}]`;
  return path === "" ? part : `${path}.${part}`;
}

/** Returns whether the JSON of a value is at most `limit` characters long. */
export function fitsWithin(value: unknown, limit: number): boolean {
  return writeTruncated(value, limit).length <= limit;
}

/** Writes JSON until the limit is exceeded; the text may end anywhere after that. */
function writeTruncated(value: unknown, limit: number): string {
  if (typeof value === "string") return JSON.stringify(value.length > limit ? value.slice(0, limit + 1) : value);
  if (typeof value !== "object" || value === null) return String(value);
  const isArray = Array.isArray(value);
  let text = isArray ? "[" : "{";
  let first = true;
  for (const key in value) {
    if (text.length > limit) break;
    const item = (value as Record<string, unknown>)[key];
    const label = isArray ? "" : `${writeTruncated(key, limit)}:`;
    text += `${first ? "" : ","}${label}${writeTruncated(item, limit - text.length)}`;
    first = false;
  }
  return text + (isArray ? "]" : "}");
}
