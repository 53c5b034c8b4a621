import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { POSITIONS, type Position } from "./dialect.js";

const TYPES = new Set(["null", "boolean", "integer", "number", "string", "array", "object"]);

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText);
const isType = (value: unknown) => isText(value) && TYPES.has(value);

interface Rule {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
}

const rule = (wanted: string, holds: Rule["holds"]): Rule => ({ wanted, holds });

const NUMBER = rule("a number", isNumber);
const COUNT = rule("a whole number from 0 on", isCount);
const TEXT = rule("a string", isText);

const RULES: Readonly<Record<string, Rule>> = {
  type: rule(
    'the name of a JSON type ("object", "string", "integer" …) or a list of them',
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  ),
  enum: rule("a list of values", Array.isArray),
  multipleOf: rule("a number above 0", (value) => isNumber(value) && (value as number) > 0),
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
  uniqueItems: rule("true or false", isFlag),
  required: rule("a list of names", isNames),
  dependentRequired: rule(
    "an object of lists of names",
    (value) => isObject(value) && Object.values(value).every(isNames),
  ),
  pattern: rule("a regular expression", isPattern),
  patternProperties: rule(
    "an object whose keys are regular expressions",
    (value) => isObject(value) && Object.keys(value).every(isPattern),
  ),
  $ref: TEXT,
  $dynamicRef: TEXT,
  $id: TEXT,
  $anchor: TEXT,
  $dynamicAnchor: TEXT,
};

const SHAPES: Readonly<Record<Position["holds"], Rule>> = {
  one: rule("a schema (for a list of schemas, draft 2020-12 says prefixItems)", (value) => !Array.isArray(value)),
  list: rule("a list of schemas", (value) => Array.isArray(value) && value.length > 0),
  map: rule("an object of schemas", isObject),
};

/**
 * Says what is wrong with the keywords of one schema, or nothing: authors hear of it when the server starts. It runs for
 * every schema before V8 has compiled it, where each iterator and each list taken apart would leave objects behind.
 */
export function keywordFault(schema: JsonObject): string | undefined {
  for (const keyword in schema) {
    const value = schema[keyword];
    if (value === undefined) continue;
    const position = POSITIONS.get(keyword);
    const shape = position && SHAPES[position.holds];
    if (shape && !shape.holds(value)) return `${keyword} must be ${shape.wanted}`;
    const content = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
    if (content && !content.holds(value)) return `${keyword} must be ${content.wanted}, not ${JSON.stringify(value)}`;
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
