import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { POSITIONS } from "./dialect.js";

const TYPES = new Set(["null", "boolean", "integer", "number", "string", "array", "object"]);

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText);
const isType = (value: unknown) => isText(value) && TYPES.has(value);

type Rule = readonly [wanted: string, holds: (value: unknown) => boolean];

const NUMBER: Rule = ["a number", isNumber];
const COUNT: Rule = ["a whole number from 0 on", isCount];
const TEXT: Rule = ["a string", isText];

const RULES: Readonly<Record<string, Rule>> = {
  type: [
    'the name of a JSON type ("object", "string", "integer" …) or a list of them',
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  ],
  enum: ["a list of values", Array.isArray],
  multipleOf: ["a number above 0", (value) => isNumber(value) && (value as number) > 0],
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minContains: COUNT,
  maxContains: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  uniqueItems: ["true or false", isFlag],
  required: ["a list of names", isNames],
  dependentRequired: ["an object of lists of names", (value) => isObject(value) && Object.values(value).every(isNames)],
  pattern: ["a regular expression", isPattern],
  patternProperties: [
    "an object whose keys are regular expressions",
    (value) => isObject(value) && Object.keys(value).every(isPattern),
  ],
  $ref: TEXT,
  $dynamicRef: TEXT,
  $id: TEXT,
  $anchor: TEXT,
  $dynamicAnchor: TEXT,
};

const SHAPES: Readonly<Record<string, Rule>> = {
  one: ["a schema (for a list of schemas, draft 2020-12 says prefixItems)", (value) => !Array.isArray(value)],
  list: ["a list of schemas", (value) => Array.isArray(value) && value.length > 0],
  map: ["an object of schemas", isObject],
};

/** Says what is wrong with the keywords of one schema, or nothing: authors hear of it when the server starts. */
export function keywordFault(schema: JsonObject): string | undefined {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (value === undefined) continue;
    const position = POSITIONS.get(keyword);
    const [wanted, holds] = (position && SHAPES[position.holds]) ?? [];
    if (holds?.(value) === false) return `${keyword} must be ${wanted}`;
    const [expected, fits] = (Object.hasOwn(RULES, keyword) && RULES[keyword]) || [];
    if (fits?.(value) === false) return `${keyword} must be ${expected}, not ${JSON.stringify(value)}`;
  }
  return undefined;
}

/** Builds the regular expression of a `pattern`: with Unicode rules where it allows them, else by the older ones. */
export function toPattern(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    return new RegExp(text);
  }
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    toPattern(value);
    return true;
  } catch {
    return false;
  }
}
