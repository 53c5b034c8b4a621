import type { Json, JsonObject } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { TimedScript } from "@toolwright/kit/time";
import { arrayBounds, textBounds } from "./parameter-schema.js";
import { findNameError, PROJECT_NAME } from "./project-path.js";
import type { ParameterValue, TemplateParameter, TemplateSource } from "./template.js";

/** An error in the parameters. `message` completes the sentence that begins with the name of the field. */
export interface ParameterError {
  readonly field: string;
  readonly message: string;
  readonly expected?: string;
  readonly allowed?: readonly string[];
}

/** Validated parameters. */
export interface CheckedParameters {
  /** The values for the template, with defaults. */
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly usedDefaults: Readonly<Record<string, ParameterValue>>;
  /** All errors, including those for missing and unknown parameters. */
  readonly errors: readonly ParameterError[];
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
}

/** How many invalid items of an array one error names. */
const MAX_ITEM_ERRORS = 5;
/** A pattern of a user may take this long. Legitimate ones take a fraction, on a busy machine as well. */
const PATTERN_MS = 200;

/** Validates parameters and applies the defaults. Finds all errors at once. */
export function checkParameters(
  { parameters, isUntrusted = false }: Pick<TemplateSource, "parameters" | "isUntrusted">,
  input: JsonObject,
): CheckedParameters {
  const names = parameters.map(({ name }) => name);
  const unknown = Object.keys(input).filter((name) => name !== PROJECT_NAME && !names.includes(name));
  const errors: ParameterError[] = [];
  // No prototype: a template must not find inherited members.
  const values = Object.create(null) as Record<string, ParameterValue>;
  const usedDefaults: Record<string, ParameterValue> = {};
  const missing: string[] = [];
  for (const parameter of parameters) {
    const { name, required, default: fallback } = parameter;
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value !== undefined) {
      const error = findValueError(parameter, value, isUntrusted);
      if (error === undefined) values[name] = value as ParameterValue;
      else errors.push({ field: name, ...error });
    } else if (fallback !== undefined) values[name] = usedDefaults[name] = fallback;
    else if (required) {
      missing.push(name);
      errors.push({ field: name, message: `is required: ${parameter.description}`, ...expectationOf(parameter) });
    }
  }
  errors.push(...findFolderErrors(names.includes(PROJECT_NAME) ? values[PROJECT_NAME] : input[PROJECT_NAME]));
  errors.push(...unknown.map((name) => unknownParameter(name, names)));
  return { values, usedDefaults, errors, missing, unknown };
}

function findFolderErrors(name: Json | ParameterValue | undefined): readonly ParameterError[] {
  if (name === undefined) return [];
  if (typeof name !== "string") return [{ field: PROJECT_NAME, message: "must be a string" }];
  const error = findNameError(name);
  return error === undefined ? [] : [{ field: PROJECT_NAME, message: `cannot be the name of a folder: ${error}` }];
}

/** Returns the error of a value, or undefined if it is valid. */
export function findValueError(
  parameter: TemplateParameter,
  value: Json,
  isUntrusted = false,
): Omit<ParameterError, "field"> | undefined {
  const message = messageFor(parameter, value, isUntrusted);
  return message === undefined ? undefined : { message, ...expectationOf(parameter) };
}

function messageFor(parameter: TemplateParameter, value: Json, isUntrusted: boolean): string | undefined {
  switch (parameter.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "integer":
      return checkInteger(parameter, value);
    case "enum":
      return typeof value === "string" ? checkChoice(parameter.enum ?? [], value) : "must be a string";
    case "array":
      return checkArray(parameter, value, isUntrusted);
    default:
      return checkText(parameter, value, isUntrusted);
  }
}

function checkInteger({ minimum = -Infinity, maximum = Infinity }: TemplateParameter, value: Json): string | undefined {
  if (!Number.isSafeInteger(value)) return "must be an integer";
  if (Number(value) < minimum) return `must be at least ${minimum}`;
  return Number(value) > maximum ? `must be at most ${maximum}` : undefined;
}

function checkArray(parameter: TemplateParameter, value: Json, isUntrusted: boolean): string | undefined {
  if (!Array.isArray(value)) return "must be an array of strings";
  const { min, max } = arrayBounds(parameter);
  if (value.length < min) return `must have at least ${min} items`;
  if (value.length > max) return `must have at most ${max} items`;
  const messages: string[] = [];
  for (const [index, item] of value.entries()) {
    const message =
      parameter.enum && typeof item === "string"
        ? checkChoice(parameter.enum, item)
        : checkText(parameter, item, isUntrusted);
    if (message !== undefined) messages.push(`item ${index + 1} ${message}`);
    if (messages.length === MAX_ITEM_ERRORS) break;
  }
  return messages.length === 0 ? undefined : messages.join(", ");
}

function checkText(parameter: TemplateParameter, value: Json, isUntrusted: boolean): string | undefined {
  if (typeof value !== "string") return "must be a string";
  const { min, max } = textBounds(parameter);
  const length = Array.from(value).length;
  if (length < min) return min === 1 ? "must not be empty" : `must have at least ${min} characters`;
  if (length > max) return `must have at most ${max} characters`;
  if (/\p{Cs}/u.test(value)) return "has a lone surrogate";
  const { pattern } = parameter;
  if (pattern === undefined) return undefined;
  const isMatch = isUntrusted ? matchesInTime(pattern, value) : new RegExp(pattern, "u").test(value);
  if (isMatch === undefined) return `cannot be checked: its pattern ${pattern} takes too long; simplify the pattern`;
  return isMatch ? undefined : `must match ${pattern}`;
}

const matcher = new TimedScript('new RegExp(pattern, "u").test(value)');

/** Whether a text matches a pattern; undefined if that takes too long. A pattern such as ^(a+)+$ can take years. */
const matchesInTime = (pattern: string, value: string): boolean | undefined =>
  matcher.run({ pattern, value }, PATTERN_MS) as boolean | undefined;

function checkChoice(choices: readonly string[], value: string): string | undefined {
  if (choices.includes(value)) return undefined;
  const suggestion = nearest(value, choices);
  const shown = JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
  return `cannot be ${shown}${suggestion === undefined ? "" : `; did you mean ${JSON.stringify(suggestion)}?`}`;
}

function unknownParameter(name: string, names: readonly string[]): ParameterError {
  const suggestion = nearest(name, names);
  const message =
    suggestion === undefined ? "is not a parameter of the template" : `is unknown; did you mean ${suggestion}?`;
  return { field: name.length > 100 ? `${name.slice(0, 100)}…` : name, message, allowed: names };
}

const TYPE_NAMES = {
  string: "a string",
  boolean: "true or false",
  integer: "an integer",
  enum: "one of the allowed values",
  array: "an array of strings",
};

function expectationOf(parameter: TemplateParameter): Pick<ParameterError, "expected" | "allowed"> {
  const { type, pattern } = parameter;
  const expected = `${TYPE_NAMES[type]}${pattern === undefined ? "" : ` that ${type === "array" ? "match" : "matches"} ${pattern}`}`;
  return { expected, ...(parameter.enum && { allowed: parameter.enum }) };
}
