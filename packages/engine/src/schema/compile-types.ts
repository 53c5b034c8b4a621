import { canonicalJson, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { toRegExp } from "./dialects.js";
import type { SchemaNode, Validator } from "./schema-node.js";

/** The checks of a type without further keywords. Each is a single function, so that others can recognize and inline it. */
export const BARE_TYPES: Readonly<Record<string, Validator>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === "string",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Combines checks that must all accept a value. */
export function allOf(checks: readonly Validator[]): Validator {
  const [first, second] = checks;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (checks.length === 2) return (value) => first(value) && second(value);
  return (value) => checks.every((check) => check(value));
}

/** Combines checks of which one must accept a value. */
export function anyOf(checks: readonly Validator[]): Validator {
  const [first, second] = checks as [Validator, Validator | undefined];
  if (second === undefined) return first;
  if (checks.length === 2) return (value) => first(value) || second(value);
  return (value) => checks.some((check) => check(value));
}

/** Compiles `type: number` or `type: integer` with the number keywords. */
export function compileNumber(schema: JsonObject, type: "number" | "integer"): Validator {
  const isOfType = BARE_TYPES[type] as Validator;
  const bounds = schema as Readonly<Record<string, number | undefined>>;
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = bounds;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = bounds;
  const isBounded = minimum !== -Infinity || maximum !== Infinity;
  const isExclusive = exclusiveMinimum !== -Infinity || exclusiveMaximum !== Infinity;
  if (!isExclusive && multipleOf === undefined) {
    if (!isBounded) return isOfType;
    return (value) => isOfType(value) && (value as number) >= minimum && (value as number) <= maximum;
  }
  return (value) =>
    isOfType(value) &&
    (value as number) >= minimum &&
    (value as number) <= maximum &&
    (!isExclusive || ((value as number) > exclusiveMinimum && (value as number) < exclusiveMaximum)) &&
    (multipleOf === undefined || isMultiple(value as number, multipleOf));
}

/** Returns whether a number is a multiple of another, despite the rounding of binary fractions: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, factor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0;
  return Number.isInteger(Number((value / factor).toPrecision(15)));
}

/** Compiles `type: string` with the string keywords. `format` is an annotation and is not validated. */
export function compileString(schema: JsonObject): Validator {
  const { minLength = 0, maxLength = Infinity } = schema as Record<string, number>;
  const pattern = schema["pattern"] === undefined ? undefined : toRegExp(schema["pattern"] as string);
  const isBounded = minLength > 0 || maxLength < Infinity;
  if (pattern === undefined && !isBounded) return BARE_TYPES["string"] as Validator;
  return (value) =>
    typeof value === "string" &&
    (!isBounded || hasLength(value, minLength, maxLength)) &&
    (pattern === undefined || pattern.test(value));
}

/** Compares a string's length in code points with its bounds; counts them only if `length` does not decide. */
function hasLength(value: string, min: number, max: number): boolean {
  const units = value.length;
  // Each code point takes one or two units.
  if (units < min || units > max * 2) return false;
  if (units <= max && units >= min * 2) return true;
  let length = 0;
  for (let index = 0; index < units; length++) index += (value.codePointAt(index) as number) > 0xffff ? 2 : 1;
  return length >= min && length <= max;
}

/** Compiles `enum` or `const`. */
export function compileEnum(allowed: readonly Json[]): Validator {
  if (allowed.some((value) => typeof value === "object" && value !== null)) {
    const texts = new Set(allowed.map(canonicalJson));
    return (value) => texts.has(canonicalJson(value));
  }
  const values = new Set<unknown>(allowed);
  return (value) => values.has(value);
}

/** Compiles `type: array` with the array keywords. */
export function compileArray(node: SchemaNode): Validator {
  const { minItems = 0, maxItems = Infinity, uniqueItems } = node.schema as Record<string, number>;
  const checks: ((value: readonly unknown[]) => boolean)[] = [...compileItems(node), ...compileContains(node)];
  if (minItems > 0 || maxItems < Infinity)
    checks.unshift((value) => value.length >= minItems && value.length <= maxItems);
  if (uniqueItems) checks.push(hasUniqueItems);
  return allOf([BARE_TYPES["array"] as Validator, ...(checks as Validator[])]);
}

function compileItems(node: SchemaNode): ((value: readonly unknown[]) => boolean)[] {
  const prefix = node.subschemas("prefixItems").map((item) => item.validator);
  const rest = node.subschema("items")?.validator;
  if (prefix.length === 0 && rest === undefined) return [];
  const check = (value: readonly unknown[]): boolean => {
    const prefixLength = Math.min(prefix.length, value.length);
    for (let index = 0; index < prefixLength; index++) if (!(prefix[index] as Validator)(value[index])) return false;
    if (rest === undefined) return true;
    for (let index = prefix.length; index < value.length; index++) if (!rest(value[index])) return false;
    return true;
  };
  return [check];
}

function compileContains(node: SchemaNode): ((value: readonly unknown[]) => boolean)[] {
  const check = node.subschema("contains")?.validator;
  if (!check) return [];
  const { minContains = 1, maxContains = Infinity } = node.schema as Record<string, number>;
  const checkCount = (value: readonly unknown[]): boolean => {
    let count = 0;
    for (const item of value) if (check(item) && ++count > maxContains) return false;
    return count >= minContains;
  };
  return [checkCount];
}

/** Returns whether no two items are equal. */
const hasUniqueItems = (value: readonly unknown[]): boolean =>
  new Set(value.map((item) => (typeof item === "number" ? item : canonicalJson(item)))).size === value.length;
