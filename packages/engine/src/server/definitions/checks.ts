import { isObject } from "../../jsonrpc/messages.js";
import { unknownOptionIssue } from "./validation.js";

/** Describes what is wrong with a value, such as `limits.rate must be a number`, or returns undefined. */
export type Check = (value: unknown, path: string) => string | undefined;

/** The options of an object and a check for the value of each. Options without a check are unknown. */
export type Checks<Options> = Readonly<Record<keyof Options, Check>>;

/** Throws `TypeError` for the first unknown or invalid option. */
export function validate(action: string, options: object, checks: Readonly<Record<string, Check>>): void {
  const issue = strictObject(checks)(options ?? null, "");
  if (issue !== undefined) throw new TypeError(`Cannot ${action}: ${issue}`);
}

/** Creates a check for a value that may be left out. */
export const optional =
  (isValid: (value: unknown) => boolean, issue: string): Check =>
  (value, path) =>
    value === undefined || isValid(value) ? undefined : `${path} ${issue}`;

/** Creates a check for a value that may not be left out. */
export const required =
  (isValid: (value: unknown) => boolean, issue: string): Check =>
  (value, path) =>
    isValid(value) ? undefined : `${path} ${issue}`;

/** Creates a check for one of a few strings. */
export function oneOf(...allowed: readonly string[]): Check {
  const isAllowed = (value: unknown): boolean => value === undefined || allowed.includes(value as string);
  return (value, path) =>
    isAllowed(value) ? undefined : `${path} must be one of ${allowed.join(", ")}, not ${String(value)}`;
}

/** Creates a check for an object that has no other members than these. */
export function strictObject(checks: Readonly<Record<string, Check>>): Check {
  const checkMembers = looseObject(checks);
  return (value, path) =>
    value === undefined ? undefined : (unknownOptionIssue(value, checks, path) ?? checkMembers(value, path));
}

/** Creates a check for an object that may have other members than these. */
export function looseObject(checks: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (value === undefined) return undefined;
    if (!isObject(value)) return `${path} must be an object`;
    for (const [name, check] of Object.entries(checks)) {
      const issue = check(value[name], path === "" ? name : `${path}.${name}`);
      if (issue !== undefined) return issue;
    }
    return undefined;
  };
}

/** The same, unless one looks like a misspelled one: for what only an author writes, not for what a handler passes on. */
export function spelledObject(checks: Readonly<Record<string, Check>>): Check {
  const checkMembers = looseObject(checks);
  return (value, path) => {
    const issue = checkMembers(value, path);
    if (issue !== undefined || value === undefined) return issue;
    const unknown = unknownOptionIssue(value, checks, path);
    return unknown?.includes("did you mean") === true ? unknown : undefined;
  };
}

/** Creates a check for an array and each of its items. */
export function arrayOf(checkItem: Check): Check {
  return (value, path) => {
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return `${path} must be an array`;
    for (const [index, item] of value.entries()) {
      // Unlike a member, an item cannot be left out.
      const issue = checkItem(item ?? null, `${path}[${index}]`);
      if (issue !== undefined) return issue;
    }
    return undefined;
  };
}

/** Tells whether a value is an array whose items all pass a test. */
export const isArrayOf = (value: unknown, test: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(test);

/** A list of names. */
export const nameList: Check = optional((value) => isArrayOf(value, isString), "must be an array of names");

/** Tells whether a value is a string. */
export const isString = (value: unknown): value is string => typeof value === "string";

/** Tells whether a value is a string with at least one character. */
export const isNonEmptyString = (value: unknown): value is string => isString(value) && value !== "";

/** Tells whether a value is a function. */
export const isFunction = (value: unknown): boolean => typeof value === "function";

/** Accepts any value: it is validated elsewhere, or by nothing. */
export const anything: Check = () => undefined;
/** Checks an optional string. */
export const string: Check = optional(isString, "must be a string");
/** Checks an optional boolean. */
export const boolean: Check = optional((value) => typeof value === "boolean", "must be true or false");
/** Checks an optional number greater than zero. */
export const positiveNumber: Check = optional(
  (value) => typeof value === "number" && value > 0,
  "must be a positive number",
);
/** Checks an optional whole number greater than zero. */
export const positiveInteger: Check = optional(
  (value) => Number.isInteger(value) && (value as number) > 0,
  "must be a positive whole number",
);
/** Checks a string with at least one character. */
export const requiredString: Check = required(isNonEmptyString, "is missing");
/** Checks a function that may not be left out. */
export const requiredFunction: Check = required(isFunction, "is not a function");
/** Checks the `_meta` of a definition. Clients reject the whole list that contains an invalid one. */
export const meta: Check = optional(
  (value) => isObject(value) && isSerializable(value),
  "must be a JSON-serializable object",
);
/** Checks the icons of a definition. */
export const icons: Check = arrayOf(
  looseObject({
    src: required((src) => isString(src) && /^(https:|data:)/.test(src), "must be an https: or data: URI"),
    sizes: optional((sizes) => isArrayOf(sizes, isString), 'must be an array such as ["48x48"]'),
    mimeType: string,
    theme: optional((theme) => theme === "light" || theme === "dark", "must be light or dark"),
  }),
);

function isSerializable(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
