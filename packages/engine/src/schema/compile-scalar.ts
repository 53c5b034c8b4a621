import type { Json, JsonObject } from "../jsonrpc/json.js";
import { toPattern } from "./keywords.js";
import type { Check } from "./node.js";
import { equal } from "./value.js";

/** The checks of a bare type, each one function so that they can be recognised and done without a call. */
export const BARE = {
  string: (value: unknown) => typeof value === "string",
  number: (value: unknown) => typeof value === "number",
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === "boolean",
};

/** Compiles the keywords about numbers; nothing where there are none. */
export function compileNumber(schema: JsonObject): ((value: number) => boolean) | undefined {
  const bound = (keyword: string, otherwise: number) => (schema[keyword] as number | undefined) ?? otherwise;
  const least = bound("minimum", -Infinity);
  const most = bound("maximum", Infinity);
  const above = bound("exclusiveMinimum", -Infinity);
  const below = bound("exclusiveMaximum", Infinity);
  const factor = schema["multipleOf"] as number | undefined;
  const exclusive = above !== -Infinity || below !== Infinity;
  if (!exclusive && factor === undefined) {
    return least === -Infinity && most === Infinity ? undefined : (value) => value >= least && value <= most;
  }
  return (value) =>
    value >= least &&
    value <= most &&
    (!exclusive || (value > above && value < below)) &&
    (factor === undefined || isMultiple(value, factor));
}

/** Says whether a number is a multiple of another, counted in decimals: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, factor: number): boolean {
  if (value % factor === 0) return true;
  if (!Number.isFinite(value) || (Number.isInteger(value) && Number.isInteger(factor))) return false;
  const [digits, exponent] = toDecimal(value);
  const [factorDigits, factorExponent] = toDecimal(factor);
  const common = Math.min(exponent, factorExponent);
  const scaled = digits * 10n ** BigInt(exponent - common);
  return scaled % (factorDigits * 10n ** BigInt(factorExponent - common)) === 0n;
}

function toDecimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** Compiles the keywords about strings; nothing where there are none. `format` is an annotation and is not checked. */
export function compileString(schema: JsonObject): ((value: string) => boolean) | undefined {
  const least = (schema["minLength"] as number | undefined) ?? 0;
  const most = (schema["maxLength"] as number | undefined) ?? Infinity;
  const pattern = schema["pattern"] === undefined ? undefined : toPattern(schema["pattern"] as string);
  const measured = least > 0 || most < Infinity;
  if (pattern === undefined) return measured ? (value) => hasLength(value, least, most) : undefined;
  return (value) => (!measured || hasLength(value, least, most)) && pattern.test(value);
}

/** Compares a string's length in characters (code points) with its bounds, counting only where `length` does not decide. */
function hasLength(value: string, least: number, most: number): boolean {
  const units = value.length;
  // Each character takes one or two units.
  if (units < least || units > most * 2) return false;
  if (units <= most && units >= least * 2) return true;
  const length = countCharacters(value);
  return length >= least && length <= most;
}

/** Counts the characters (code points) of a string, which is how JSON Schema measures it. */
function countCharacters(value: string): number {
  let count = value.length;
  for (let index = 0; index < value.length - 1; index++) {
    if ((value.charCodeAt(index) & 0xfc00) === 0xd800 && (value.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
}

const MANY = 8;

/** Compiles a list of allowed values. */
export function compileEnum(allowed: readonly Json[]): Check {
  const [only] = allowed;
  if (allowed.some((value) => typeof value === "object" && value !== null)) {
    return (value) => allowed.some((candidate) => equal(candidate, value));
  }
  if (allowed.length === 1) return (value) => value === only;
  if (allowed.length <= MANY) {
    return (value) => {
      for (let index = 0; index < allowed.length; index++) if (allowed[index] === value) return true;
      return false;
    };
  }
  const values = new Set<unknown>(allowed);
  return (value) => values.has(value);
}
