import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { nearest } from "@toolwright/kit/text";
import { findValueError } from "./parameters.js";
import {
  type Delimiters,
  type ParameterType,
  SLUG,
  type TemplateAddress,
  type TemplateParameter,
  type TemplateSource,
} from "./template.js";

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
/** Variables that every template has. */
const RESERVED = new Set(["current_year", "current_date", "current_timestamp"]);

/** A template, or everything that is wrong with its files. */
export type ReadTemplate =
  | { readonly source: TemplateSource; readonly errors: readonly [] }
  | { readonly source?: never; readonly errors: readonly string[] };

/** The parts of a template as they were read from its folder. */
export interface TemplateFiles {
  readonly address: TemplateAddress;
  /** The content of template.yaml, with shared parameters resolved. */
  readonly definition: Json;
  /** The body, with includes expanded. */
  readonly body: string;
  readonly isUntrusted: boolean;
}

/** Validates the files of a template. */
export function readTemplate({ address, definition, body, isUntrusted }: TemplateFiles): ReadTemplate {
  if (!isObject(definition)) return { errors: ["template.yaml must have description, filename and parameters"] };
  const errors = [...findAddressErrors(address), ...findUnknownKeys(definition, KEYS)];
  const { name, description, filename, mode, delimiters = "curly", parameters = [] } = definition;
  for (const [key, text] of Object.entries({ description, filename }))
    if (!isText(text)) errors.push(`${key} must be text`);
  if (name !== undefined && !isText(name)) errors.push("name must be text");
  if (!DELIMITERS.includes(delimiters as string)) errors.push(`delimiters must be ${DELIMITERS.join(" or ")}`);
  const bits = mode === undefined ? undefined : parseMode(mode);
  if (mode !== undefined && bits === undefined) errors.push('mode must be octal digits such as "755"');
  if (Array.isArray(parameters)) {
    errors.push(...parameters.flatMap((parameter, index) => findParameterErrors(parameter, index, isUntrusted)));
    errors.push(...findDuplicates(parameters));
  } else errors.push("parameters must be a list");
  if (errors.length > 0) return { errors };
  const source = {
    ...address,
    ...(name !== undefined && { name }),
    description,
    filename,
    parameters,
    body,
    ...(delimiters !== "curly" && { delimiters }),
    ...(bits !== undefined && { mode: bits }),
    ...(isUntrusted && { isUntrusted }),
  };
  return { source: source as unknown as TemplateSource, errors: [] };
}

function findAddressErrors(address: TemplateAddress): string[] {
  const invalid = Object.values(address).filter((word) => !SLUG.test(word) || word.length > 64);
  return invalid.map(
    (word) => `the folder name ${JSON.stringify(word)} may only have lower-case letters, digits and single dashes`,
  );
}

function findParameterErrors(parameter: Json, index: number, isUntrusted: boolean): string[] {
  if (!isObject(parameter)) return [`parameters.${index} must be an object`];
  const { name, type, description, required, pattern, enum: choices, default: fallback } = parameter;
  const label = isText(name) ? `parameter ${name}` : `parameters.${index}`;
  const errors = findUnknownKeys(parameter, PARAMETER_KEYS);
  if (!isText(name) || !/^[a-z][a-z0-9_]{0,63}$/.test(name)) errors.push("name must be in snake_case");
  else if (RESERVED.has(name)) errors.push("the name is reserved: every template has this variable");
  if (!TYPES.includes(type as string)) errors.push(`type must be one of ${TYPES.join(", ")}`);
  if (!isText(description)) errors.push("description must be text");
  if (required !== undefined && typeof required !== "boolean") errors.push("required must be true or false");
  if (pattern !== undefined && !(isText(pattern) && isPattern(pattern)))
    errors.push("pattern is not a regular expression");
  if (type === "enum" ? !isTexts(choices) : choices !== undefined && !isTexts(choices))
    errors.push("enum must be a list of texts");
  for (const bound of PARAMETER_KEYS.filter((key) => /^(?:min|max)/.test(key)))
    if (parameter[bound] !== undefined && !Number.isSafeInteger(parameter[bound]))
      errors.push(`${bound} must be an integer`);
  if (errors.length === 0 && fallback !== undefined) {
    const error = findValueError(parameter as unknown as TemplateParameter, fallback, isUntrusted);
    if (error !== undefined) errors.push(`default ${error.message}`);
  }
  return errors.map((error) => `${label}: ${error}`);
}

function findDuplicates(parameters: readonly Json[]): string[] {
  const names = parameters.map((parameter) => (isObject(parameter) ? parameter["name"] : undefined));
  const duplicates = names.filter((name, index) => names.indexOf(name) !== index).filter(isText);
  return [...new Set(duplicates)].map((name) => `parameter ${name}: duplicate name`);
}

function findUnknownKeys(definition: JsonObject, known: readonly string[]): string[] {
  return Object.keys(definition)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const suggestion = nearest(key, known);
      return `${key} is unknown${suggestion === undefined ? "" : `; did you mean ${suggestion}?`}`;
    });
}

/** YAML reads 0o755 as a number and "755" as text. */
function parseMode(mode: Json): number | undefined {
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
