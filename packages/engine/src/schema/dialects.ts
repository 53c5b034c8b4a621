import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";

/** The JSON Schema drafts that tools are described in. */
export type Dialect = "2020-12" | "draft-07";

/** Reads the dialect of a schema from `$schema`; the default is 2020-12. */
export function readDialect(schema: JsonObject): Dialect {
  const uri = schema["$schema"];
  if (uri === undefined) return "2020-12";
  const name = typeof uri === "string" ? uri.replace(/^https?:/, "").replace(/#$/, "") : "";
  if (name === "//json-schema.org/draft/2020-12/schema") return "2020-12";
  if (name === "//json-schema.org/draft-07/schema") return "draft-07";
  throw new TypeError(`Cannot read the schema: $schema ${JSON.stringify(uri)} is neither draft 2020-12 nor draft-07`);
}

/** How a keyword holds its subschemas, and which part of the value they apply to. */
export interface SubschemaKeyword {
  readonly shape: "one" | "list" | "map";
  readonly appliesTo: "same value" | "part" | "nothing";
}

const SUBSCHEMA_GROUPS: readonly [SubschemaKeyword["appliesTo"], SubschemaKeyword["shape"], readonly string[]][] = [
  ["same value", "list", ["allOf", "anyOf", "oneOf"]],
  ["same value", "one", ["not", "if", "then", "else"]],
  ["same value", "map", ["dependentSchemas"]],
  ["part", "map", ["properties", "patternProperties"]],
  ["part", "one", ["additionalProperties", "propertyNames", "unevaluatedProperties"]],
  ["part", "one", ["items", "contains", "unevaluatedItems"]],
  ["part", "list", ["prefixItems"]],
  ["nothing", "map", ["$defs", "definitions"]],
];

/** Every keyword of 2020-12 that holds subschemas. */
export const SUBSCHEMA_KEYWORDS: ReadonlyMap<string, SubschemaKeyword> = new Map(
  SUBSCHEMA_GROUPS.flatMap(([appliesTo, shape, keywords]) =>
    keywords.map((keyword) => [keyword, { appliesTo, shape }]),
  ),
);

/** Calls `visit` for each direct subschema, with its keyword and its name or index in that keyword. */
export function forEachSubschema(
  schema: JsonObject,
  visit: (subschema: Json, appliesTo: SubschemaKeyword["appliesTo"], keyword: string, name: string | undefined) => void,
): void {
  for (const keyword in schema) {
    const holder = SUBSCHEMA_KEYWORDS.get(keyword);
    const value = schema[keyword];
    if (!holder || value === undefined) continue;
    if (holder.shape === "one") visit(value, holder.appliesTo, keyword, undefined);
    else {
      for (const name in value as JsonObject) {
        const subschema = (value as JsonObject)[name];
        if (subschema !== undefined) visit(subschema, holder.appliesTo, keyword, name);
      }
    }
  }
}

const KEYWORDS_NEW_IN_2020_12 = [
  ..."$anchor $dynamicAnchor $dynamicRef prefixItems minContains maxContains".split(" "),
  ..."dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems".split(" "),
];

/** Rewrites the keywords of one draft-07 schema to 2020-12, so that only one dialect has to be compiled. */
export function upgradeDraft07(schema: JsonObject, dialect: Dialect): JsonObject {
  if (dialect === "2020-12") return schema;
  if (schema["$ref"] !== undefined) {
    // Draft-07 ignores the siblings of a $ref; definitions stay reachable.
    const { $ref, definitions } = schema;
    return definitions === undefined ? { $ref } : { $ref, definitions };
  }
  const upgraded: JsonObject = { ...schema };
  for (const keyword of KEYWORDS_NEW_IN_2020_12) delete upgraded[keyword];
  if (Array.isArray(schema["items"])) {
    upgraded["prefixItems"] = schema["items"];
    delete upgraded["items"];
    if (schema["additionalItems"] !== undefined) upgraded["items"] = schema["additionalItems"];
  }
  if (isObject(schema["dependencies"])) {
    const entries = Object.entries(schema["dependencies"]);
    upgraded["dependentRequired"] = Object.fromEntries(entries.filter(([, value]) => Array.isArray(value)));
    upgraded["dependentSchemas"] = Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value)));
  }
  return upgraded;
}

const TYPES = new Set(["null", "boolean", "integer", "number", "string", "array", "object"]);

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isString = (value: unknown): value is string => typeof value === "string";
const isStringList = (value: unknown) => Array.isArray(value) && value.every(isString);
const isType = (value: unknown) => isString(value) && TYPES.has(value);

interface KeywordRule {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
}

const RULE_GROUPS: readonly [KeywordRule["expected"], KeywordRule["isValid"], readonly string[]][] = [
  [
    'the name of a JSON type ("object", "string", "integer" …) or a list of them',
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    ["type"],
  ],
  ["a list of values", Array.isArray, ["enum"]],
  ["a number above 0", (value) => isNumber(value) && (value as number) > 0, ["multipleOf"]],
  ["a number", isNumber, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]],
  ["a non-negative integer", isCount, ["minLength", "maxLength", "minItems", "maxItems"]],
  ["a non-negative integer", isCount, ["minContains", "maxContains", "minProperties", "maxProperties"]],
  ["true or false", (value) => typeof value === "boolean", ["uniqueItems"]],
  ["a list of names", isStringList, ["required"]],
  [
    "an object of lists of names",
    (value) => isObject(value) && Object.values(value).every(isStringList),
    ["dependentRequired"],
  ],
  ["a regular expression", isPattern, ["pattern"]],
  [
    "an object whose keys are regular expressions",
    (value) => isObject(value) && Object.keys(value).every(isPattern),
    ["patternProperties"],
  ],
  ["a string", isString, ["$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor"]],
];

const SHAPE_RULES: Readonly<Record<SubschemaKeyword["shape"], KeywordRule>> = {
  one: {
    expected: "a schema (for a list of schemas, draft 2020-12 has prefixItems)",
    isValid: (value) => !Array.isArray(value),
  },
  list: { expected: "a list of schemas", isValid: (value) => Array.isArray(value) && value.length > 0 },
  map: { expected: "an object of schemas", isValid: isObject },
};

const KEYWORD_RULES: ReadonlyMap<string, KeywordRule> = new Map([
  ...Array.from(SUBSCHEMA_KEYWORDS, ([keyword, { shape }]) => [keyword, SHAPE_RULES[shape]] as const),
  ...RULE_GROUPS.flatMap(([expected, isValid, keywords]) =>
    keywords.map((keyword) => [keyword, { expected, isValid }] as const),
  ),
]);

/** Returns what is wrong with the keywords of one schema, without its subschemas. */
export function findKeywordError(schema: JsonObject): string | undefined {
  for (const keyword in schema) {
    const value = schema[keyword];
    const rule = value === undefined ? undefined : KEYWORD_RULES.get(keyword);
    if (rule && !rule.isValid(value)) return `${keyword} must be ${rule.expected}, not ${JSON.stringify(value)}`;
  }
  return undefined;
}

/** Compiles a `pattern`: with the `u` flag where the pattern allows it, else without. */
export function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    toRegExp(value);
    return true;
  } catch {
    return false;
  }
}
