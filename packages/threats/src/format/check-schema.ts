import type { Json, JsonObject } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { errorAt, type FieldDiagnostic, type FieldPath } from "./diagnostics.js";
import { type FieldSchema, lengthOf } from "./pattern-schema.js";

/** Validates a value against a schema. The published JSON Schema rejects the same values. */
export function checkSchema(value: Json, shape: FieldSchema, path: FieldPath = []): readonly FieldDiagnostic[] {
  if (kindOf(value) !== shape.type) return [wrongType(value, shape, path)];
  if (typeof value === "string") return checkText(value, shape, path);
  if (typeof value === "number") return checkNumber(value, shape, path);
  if (Array.isArray(value)) return checkList(value, shape, path);
  return checkObject(value as JsonObject, shape, path);
}

const kindOf = (value: Json): string => {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

const KINDS: Readonly<Record<string, string>> = {
  nothing: "empty",
  array: "a list",
  object: "an object with fields",
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

function wrongType(value: Json, shape: FieldSchema, path: FieldPath): FieldDiagnostic {
  const found = kindOf(value);
  const wanted = KINDS[shape.type] ?? shape.type;
  const isScalar = typeof value === "number" || typeof value === "boolean";
  const suggestion =
    shape.type === "string" && isScalar
      ? `Put it in quotes${hintOf(shape)}.`
      : found === "nothing"
        ? `Fill it in${hintOf(shape)}, or leave the field out.`
        : `Write ${wanted}${hintOf(shape)}.`;
  return errorAt(
    path,
    found === "nothing" ? "is empty." : `must be ${wanted}, not ${KINDS[found] ?? found}.`,
    suggestion,
  );
}

function checkText(value: string, shape: FieldSchema, path: FieldPath): readonly FieldDiagnostic[] {
  if (shape.enum !== undefined) return shape.enum.includes(value) ? [] : [notAllowed(value, shape.enum, path)];
  if (value.trim() === "") return [errorAt(path, "is empty.", `Fill it in${hintOf(shape)}, or leave the field out.`)];
  if (shape.pattern !== undefined && !new RegExp(shape.pattern, "u").test(value))
    return [errorAt(path, `has an invalid format: ${short(value)}.`, `Write it${hintOf(shape)}.`)];
  if (shape.format === "date" && !isDay(value))
    return [errorAt(path, `is not a valid date: ${value}.`, `Write the year, month and day${hintOf(shape)}.`)];
  if (shape.maxLength !== undefined && lengthOf(value) > shape.maxLength)
    return [errorAt(path, `is longer than ${shape.maxLength} characters.`, "Shorten it, or split it in two.")];
  return [];
}

function notAllowed(value: string, words: readonly string[], path: FieldPath): FieldDiagnostic {
  const meant = nearest(value, words);
  const all = words.join(", ");
  return errorAt(
    path,
    `must be one of ${all}, not ${short(value)}.`,
    meant === undefined ? `Choose one of ${all}.` : `Did you mean ${meant}?`,
  );
}

function checkNumber(value: number, { minimum = 0 }: FieldSchema, path: FieldPath): readonly FieldDiagnostic[] {
  return value >= minimum ? [] : [errorAt(path, `must be at least ${minimum}, not ${value}.`, "Count from 1.")];
}

function checkList(
  value: readonly Json[],
  { items, minItems = 0 }: FieldSchema,
  path: FieldPath,
): readonly FieldDiagnostic[] {
  const few =
    value.length < minItems
      ? [errorAt(path, `has fewer entries than ${minItems}.`, "Add one, each after a dash.")]
      : [];
  return [...few, ...(items === undefined ? [] : value.flatMap((item, at) => checkSchema(item, items, [...path, at])))];
}

function checkObject(value: JsonObject, shape: FieldSchema, path: FieldPath): readonly FieldDiagnostic[] {
  const { properties = {}, required = [], anyOf = [] } = shape;
  const wanted = holds(value, shape) ? [...required, ...(shape.then?.required ?? [])] : required;
  const unknownRelations = new Map<string, string | undefined>();
  for (const name of Object.keys(value))
    if (!Object.hasOwn(properties, name)) unknownRelations.set(name, closestField(name, value, properties));
  const misspelt = new Set(unknownRelations.values());
  const diagnostics: FieldDiagnostic[] = [];
  for (const name of wanted)
    if (!Object.hasOwn(value, name) && !misspelt.has(name)) diagnostics.push(missing(name, properties[name], path));
  if (anyOf.length > 0 && !anyOf.some(({ required: names }) => names.every((name) => Object.hasOwn(value, name)))) {
    const names = anyOf.flatMap(({ required: group }) => group).join(", ");
    diagnostics.push({ ...errorAt(path, `has none of ${names}.`, `Add one of ${names}.`), isOfKey: true });
  }
  for (const [name, meant] of unknownRelations)
    diagnostics.push(unknown([...path, name], meant, Object.keys(properties)));
  for (const [name, known] of Object.entries(properties)) {
    const part = Object.hasOwn(value, name) ? value[name] : undefined;
    if (part !== undefined) diagnostics.push(...checkSchema(part, known, [...path, name]));
  }
  return diagnostics;
}

function holds(value: JsonObject, { if: condition }: FieldSchema): boolean {
  if (condition === undefined) return false;
  return Object.entries(condition.properties).every(([name, { const: wanted }]) => value[name] === wanted);
}

function missing(name: string, shape: FieldSchema | undefined, path: FieldPath): FieldDiagnostic {
  const words = shape?.enum === undefined ? "" : `, one of ${shape.enum.join(", ")}`;
  const about = shape?.description === undefined ? "" : ` ${shape.description}`;
  const suggestion = `Add ${name}${shape === undefined ? "" : words || hintOf(shape)}.${about}`;
  return { ...errorAt([...path, name], "is missing.", suggestion), isOfKey: true };
}

/** The missing field that an unknown one resembles. */
const closestField = (
  name: string,
  value: JsonObject,
  properties: Readonly<Record<string, FieldSchema>>,
): string | undefined =>
  nearest(
    name,
    Object.keys(properties).filter((known) => !Object.hasOwn(value, known)),
  );

function unknown(path: FieldPath, meant: string | undefined, names: readonly string[]): FieldDiagnostic {
  const suggestion = meant === undefined ? `Remove it. CorpusTerms are ${names.join(", ")}.` : `Did you mean ${meant}?`;
  return { ...errorAt(path, "is unknown.", suggestion), isOfKey: true };
}

const hintOf = ({ examples = [] }: FieldSchema): string =>
  examples.length === 0 ? "" : `, such as ${examples.join(" or ")}`;

const short = (value: string): string => JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);

function isDay(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
