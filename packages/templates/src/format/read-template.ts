import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { nearest } from "@toolwright/kit/text";
import { valueFault } from "./parameters.js";
import type { Delimiters, ParameterType, TemplateParameter, TemplateSource } from "./template.js";
import { SLUG, type TemplateAddress } from "./template-uri.js";

const KEYS = ["name", "description", "filename", "parameters", "mode", "delimiters", "body"];
const PARAMETER_KEYS: readonly (keyof TemplateParameter)[] = [
  "name",
  "type",
  "description",
  "required",
  "default",
  "enum",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
];
const TYPES: readonly string[] = ["string", "boolean", "integer", "enum", "array"] satisfies ParameterType[];
const DELIMITERS: readonly string[] = ["curly", "angle"] satisfies Delimiters[];
/** What every template is told. */
const RESERVED = new Set(["current_year", "current_date", "current_timestamp"]);

/** A template, or all that is wrong with what should have been one. */
export type ReadSource =
  | { readonly source: TemplateSource; readonly faults: readonly [] }
  | { readonly source?: never; readonly faults: readonly string[] };

/** Checks what an author has written of a template. */
export function readSource(address: TemplateAddress, written: Json, body: string, isTrusted: boolean): ReadSource {
  if (!isObject(written)) return { faults: ["it must be an object with description, filename and parameters"] };
  const faults = [...addressFaults(address), ...unknownKeys(written, KEYS)];
  const { name, description, filename, mode, delimiters = "curly", parameters = [] } = written;
  for (const [key, text] of Object.entries({ description, filename }))
    if (!isText(text)) faults.push(`${key} must be text`);
  if (name !== undefined && !isText(name)) faults.push("name must be text");
  if (!DELIMITERS.includes(delimiters as string)) faults.push(`delimiters must be ${DELIMITERS.join(" or ")}`);
  const bits = mode === undefined ? undefined : readMode(mode);
  if (mode !== undefined && bits === undefined) faults.push('mode must be octal digits such as "755"');
  if (Array.isArray(parameters)) faults.push(...parameters.flatMap(parameterFaults), ...twice(parameters));
  else faults.push("parameters must be a list");
  if (faults.length > 0) return { faults };
  const source = {
    ...address,
    ...(name !== undefined && { name }),
    description,
    filename,
    parameters: (parameters as readonly JsonObject[]).map((one) => (isTrusted ? one : { ...one, isTimed: true })),
    body,
    ...(delimiters !== "curly" && { delimiters }),
    ...(bits !== undefined && { mode: bits }),
  };
  return { source: Object.freeze(source) as unknown as TemplateSource, faults: [] };
}

function addressFaults(address: TemplateAddress): string[] {
  const wrong = Object.values(address).filter((word) => !SLUG.test(word) || word.length > 64);
  return wrong.map((word) => `the folder ${JSON.stringify(word)} is not lower-case letters, digits and single dashes`);
}

function parameterFaults(parameter: Json, at: number): string[] {
  if (!isObject(parameter)) return [`parameters.${at} must be an object`];
  const { name, type, description, required, pattern, enum: choices, default: usual } = parameter;
  const label = isText(name) ? `parameter ${name}` : `parameters.${at}`;
  const faults = unknownKeys(parameter, PARAMETER_KEYS);
  if (!isText(name) || !/^[a-z][a-z0-9_]{0,63}$/.test(name)) faults.push("name must be in snake_case");
  else if (RESERVED.has(name)) faults.push("every template is told that already; take another name");
  if (!TYPES.includes(type as string)) faults.push(`type must be one of ${TYPES.join(", ")}`);
  if (!isText(description)) faults.push("description must be text");
  if (required !== undefined && typeof required !== "boolean") faults.push("required must be true or false");
  if (pattern !== undefined && !(isText(pattern) && isPattern(pattern)))
    faults.push("pattern is no regular expression");
  if (type === "enum" ? !isTexts(choices) : choices !== undefined && !isTexts(choices))
    faults.push("enum must be a list of texts");
  for (const bound of PARAMETER_KEYS.filter((key) => /^(?:min|max)/.test(key)))
    if (parameter[bound] !== undefined && !Number.isSafeInteger(parameter[bound]))
      faults.push(`${bound} must be a whole number`);
  if (faults.length === 0 && usual !== undefined) {
    const fault = valueFault({ ...(parameter as unknown as TemplateParameter), isTimed: true }, usual);
    if (fault !== undefined) faults.push(`default ${fault.message}`);
  }
  return faults.map((fault) => `${label}: ${fault}`);
}

function twice(parameters: readonly Json[]): string[] {
  const names = parameters.map((parameter) => (isObject(parameter) ? parameter["name"] : undefined));
  const again = names.filter((name, at) => names.indexOf(name) !== at).filter(isText);
  return [...new Set(again)].map((name) => `parameter ${name}: is there twice`);
}

function unknownKeys(written: JsonObject, known: readonly string[]): string[] {
  return Object.keys(written)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = nearest(key, known);
      return `${key} is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`;
    });
}

/** YAML reads 0o755 as a number, and "755" as a text of octal digits. */
function readMode(mode: Json): number | undefined {
  const bits = typeof mode === "string" && /^[0-7]{3,4}$/.test(mode) ? Number.parseInt(mode, 8) : mode;
  return typeof bits === "number" && Number.isInteger(bits) && bits > 0 && bits <= 0o777 ? bits : undefined;
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

const isText = (value: Json | undefined): value is string => typeof value === "string" && value.trim() !== "";
const isTexts = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
