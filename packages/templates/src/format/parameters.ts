import type { Json, JsonObject } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { listBounds, textBounds } from "./parameter-schema.js";
import { nameFault } from "./project-path.js";
import type { ParameterValue, TemplateParameter } from "./template.js";
import { matchesInTime } from "./timed-pattern.js";

/** One thing that is wrong with the parameters. */
export interface ParameterFault {
  readonly field: string;
  readonly message: string;
  readonly expected?: string;
  readonly allowed?: readonly string[];
}

/** What became of the parameters that were given. */
export interface CheckedParameters {
  /** What the template is told: what was given, and the defaults. */
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly usedDefaults: Readonly<Record<string, ParameterValue>>;
  /** Every fault, those of missing and of unknown ones among them. */
  readonly faults: readonly ParameterFault[];
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
}

/** Names the folder of the project, so every template can be given it. */
const PROJECT = "project_name";
/** How many items of a list are told of. */
const MOST_ITEM_FAULTS = 5;

/** Checks parameters: all faults at once. */
export function checkParameters(parameters: readonly TemplateParameter[], given: JsonObject): CheckedParameters {
  const names = parameters.map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => name !== PROJECT && !names.includes(name));
  const faults: ParameterFault[] = [];
  // Without a prototype nothing but what is put in can be found.
  const values = Object.create(null) as Record<string, ParameterValue>;
  const usedDefaults: Record<string, ParameterValue> = {};
  const missing: string[] = [];
  for (const parameter of parameters) {
    const { name, required, default: usual } = parameter;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) {
      const fault = valueFault(parameter, value);
      if (fault === undefined) values[name] = value as ParameterValue;
      else faults.push({ field: name, ...fault });
    } else if (usual !== undefined) values[name] = usedDefaults[name] = usual;
    else if (required) {
      missing.push(name);
      faults.push({ field: name, message: `is required: ${parameter.description}`, ...expectationOf(parameter) });
    }
  }
  faults.push(...folderFaults(names.includes(PROJECT) ? values[PROJECT] : given[PROJECT]));
  faults.push(...unknown.map((name) => unknownFault(name, names)));
  return { values, usedDefaults, faults, missing, unknown };
}

function folderFaults(name: Json | ParameterValue | undefined): readonly ParameterFault[] {
  if (name === undefined) return [];
  if (typeof name !== "string") return [{ field: PROJECT, message: "must be text" }];
  const fault = nameFault(name);
  return fault === undefined ? [] : [{ field: PROJECT, message: `cannot be the name of a folder: ${fault}` }];
}

/** Says what is wrong with a value; undefined where nothing is. */
export function valueFault(parameter: TemplateParameter, value: Json): Omit<ParameterFault, "field"> | undefined {
  const message = reasonAgainst(parameter, value);
  return message === undefined ? undefined : { message, ...expectationOf(parameter) };
}

function reasonAgainst(parameter: TemplateParameter, value: Json): string | undefined {
  switch (parameter.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "integer":
      return integerFault(parameter, value);
    case "enum":
      return typeof value === "string" ? choiceFault(parameter.enum ?? [], value) : "must be text";
    case "array":
      return listFault(parameter, value);
    default:
      return textFault(parameter, value);
  }
}

function integerFault({ minimum = -Infinity, maximum = Infinity }: TemplateParameter, value: Json): string | undefined {
  if (!Number.isSafeInteger(value)) return "must be a whole number";
  if (Number(value) < minimum) return `must be at least ${minimum}`;
  return Number(value) > maximum ? `must be at most ${maximum}` : undefined;
}

function listFault(parameter: TemplateParameter, value: Json): string | undefined {
  if (!Array.isArray(value)) return "must be a list of texts";
  const { least, most } = listBounds(parameter);
  if (value.length < least) return `must have at least ${least} items`;
  if (value.length > most) return `must have at most ${most} items`;
  const faults: string[] = [];
  for (const [at, item] of value.entries()) {
    const fault =
      parameter.enum && typeof item === "string" ? choiceFault(parameter.enum, item) : textFault(parameter, item);
    if (fault !== undefined) faults.push(`item ${at + 1} ${fault}`);
    if (faults.length === MOST_ITEM_FAULTS) break;
  }
  return faults.length === 0 ? undefined : faults.join(", ");
}

function textFault(parameter: TemplateParameter, value: Json): string | undefined {
  if (typeof value !== "string") return "must be text";
  const { least, most } = textBounds(parameter);
  const length = Array.from(value).length;
  if (length < least) return least === 1 ? "must not be empty" : `must have at least ${least} characters`;
  if (length > most) return `must have at most ${most} characters`;
  if (/\p{Cs}/u.test(value)) return "has half a character in it (a lone surrogate)";
  return patternFault(parameter, value);
}

function patternFault({ pattern, isTimed = false }: TemplateParameter, value: string): string | undefined {
  if (pattern === undefined) return undefined;
  const isMatch = isTimed ? matchesInTime(pattern, value) : new RegExp(pattern, "u").test(value);
  if (isMatch === undefined) return `cannot be checked: its pattern ${pattern} takes too long; simplify the pattern`;
  return isMatch ? undefined : `must match ${pattern}`;
}

function choiceFault(choices: readonly string[], value: string): string | undefined {
  if (choices.includes(value)) return undefined;
  const meant = nearest(value, choices);
  const shown = JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
  return `cannot be ${shown}${meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`}`;
}

function unknownFault(name: string, names: readonly string[]): ParameterFault {
  const meant = nearest(name, names);
  const message = meant === undefined ? "is no parameter of the template" : `is unknown; did you mean ${meant}?`;
  return { field: name.length > 100 ? `${name.slice(0, 100)}…` : name, message, allowed: names };
}

const KINDS = {
  string: "text",
  boolean: "true or false",
  integer: "a whole number",
  enum: "a choice",
  array: "a list of texts",
};

function expectationOf(parameter: TemplateParameter): Pick<ParameterFault, "expected" | "allowed"> {
  const { type, pattern } = parameter;
  const expected = `${KINDS[type]}${pattern === undefined ? "" : ` that ${type === "array" ? "match" : "matches"} ${pattern}`}`;
  return { expected, ...(parameter.enum && { allowed: parameter.enum }) };
}
