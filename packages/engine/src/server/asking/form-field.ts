import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";

const FORMATS = new Set<unknown>(["date", "date-time", "email", "uri"]);

/** A field as clients know it. */
export interface Field {
  readonly shown: JsonObject;
  /** Nothing at all is a right answer too; forms have no word for it, so the field is then left out. */
  readonly isNullable: boolean;
}

/** Writes a field with the few words that the protocol's forms have; undefined where they do not suffice. */
export function writeField(source: Json): Field | undefined {
  if (!isObject(source)) return undefined;
  const { bare, isNullable } = withoutNull(source);
  const shown = bare && writeBare(bare);
  return shown && { shown: { ...shown, ...captionsOf({ ...bare, ...source }, shown) }, isNullable };
}

/** The same field without the choice of null, in each of the ways in which schemas offer it. */
function withoutNull(field: JsonObject): { bare: JsonObject | undefined; isNullable: boolean } {
  const { type, anyOf, ...rest } = field;
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== "null");
    const isNullable = types.length < type.length;
    const choices = Array.isArray(rest["enum"]) && { enum: rest["enum"].filter((one) => one !== null) };
    return { bare: types.length === 1 ? { ...rest, ...choices, type: types[0] as Json } : undefined, isNullable };
  }
  if (!Array.isArray(anyOf)) return { bare: field, isNullable: false };
  const others = anyOf.filter((one) => !(isObject(one) && one["type"] === "null"));
  const isNullable = others.length < anyOf.length;
  if (others.length > 1) return { bare: { ...rest, anyOf: others }, isNullable };
  return { bare: isObject(others[0]) ? { ...rest, ...others[0] } : undefined, isNullable };
}

function writeBare(field: JsonObject): JsonObject | undefined {
  const choices = choicesOf(field);
  if (choices !== undefined) return writeChoices(choices, field);
  switch (field["type"]) {
    case "string":
      return "enum" in field || "const" in field
        ? undefined
        : { type: "string", ...pick(field, "minLength", "maxLength"), ...formatOf(field) };
    case "number":
    case "integer":
      return "enum" in field ? undefined : { type: field["type"], ...boundsOf(field) };
    case "boolean":
      return { type: "boolean" };
    case "array":
      return writeSeveral(field);
    default:
      return undefined;
  }
}

interface Choice {
  readonly value: string;
  readonly title: string | undefined;
}

/** The texts to choose from, where a field is a choice of texts. */
function choicesOf(field: JsonObject): Choice[] | undefined {
  const { type, enum: values, const: only, oneOf, anyOf, enumNames } = field;
  if (type !== undefined && type !== "string") return undefined;
  const named = Array.isArray(oneOf) ? oneOf : anyOf;
  const listed: readonly (Json | undefined)[] | undefined = Array.isArray(named)
    ? named.map((one) => (isObject(one) ? one["const"] : undefined))
    : Array.isArray(values)
      ? values
      : only === undefined
        ? undefined
        : [only];
  if (listed === undefined || listed.length === 0) return undefined;
  const titles = Array.isArray(named)
    ? named.map((one) => (isObject(one) ? one["title"] : undefined))
    : Array.isArray(enumNames)
      ? enumNames
      : [];
  const choices = listed.map((value, at) => ({ value, title: titles[at] }));
  return choices.every((choice) => typeof choice.value === "string") ? (choices as Choice[]) : undefined;
}

function writeChoices(choices: readonly Choice[], { enumNames }: JsonObject): JsonObject {
  const values = choices.map(({ value }) => value);
  if (!choices.some(({ title }) => title !== undefined)) return { type: "string", enum: values };
  if (Array.isArray(enumNames)) return { type: "string", enum: values, enumNames };
  return { type: "string", oneOf: titled(choices) };
}

function writeSeveral(field: JsonObject): JsonObject | undefined {
  const { items } = field;
  const choices = isObject(items) ? choicesOf(items) : undefined;
  if (choices === undefined) return undefined;
  const isTitled = choices.some(({ title }) => title !== undefined);
  const written = isTitled ? { anyOf: titled(choices) } : { type: "string", enum: choices.map(({ value }) => value) };
  return { type: "array", items: written, ...pick(field, "minItems", "maxItems") };
}

const titled = (choices: readonly Choice[]): JsonObject[] =>
  choices.map(({ value, title }) => ({ const: value, title: title ?? value }));

/** What a whole number may be is said with the bounds that forms have; what they cannot say is still checked. */
function boundsOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, const: only }: JsonObject): JsonObject {
  const above =
    type === "integer" && typeof exclusiveMinimum === "number" ? Math.floor(exclusiveMinimum) + 1 : undefined;
  const below =
    type === "integer" && typeof exclusiveMaximum === "number" ? Math.ceil(exclusiveMaximum) - 1 : undefined;
  const lowest = [only, minimum, above].filter(isTold);
  const highest = [only, maximum, below].filter(isTold);
  return {
    ...(lowest.length > 0 && { minimum: Math.max(...lowest) }),
    ...(highest.length > 0 && { maximum: Math.min(...highest) }),
  };
}

/** Zod bounds whole numbers by what JavaScript can hold; a person need not be told. */
const isTold = (bound: Json | undefined): bound is number =>
  typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

const formatOf = ({ format }: JsonObject): JsonObject => (FORMATS.has(format) ? { format: format as Json } : {});

/** The words beside a field, and what stands in it at first, where that is a value of its kind. */
function captionsOf(field: JsonObject, { type }: JsonObject): JsonObject {
  const { default: preset } = field;
  const isOfKind =
    type === "array"
      ? Array.isArray(preset)
      : typeof preset === (type === "integer" ? "number" : type) && preset !== undefined;
  return { ...pick(field, "title", "description"), ...(isOfKind && { default: preset as Json }) };
}

function pick(field: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (field[name] === undefined ? [] : [[name, field[name]] as const])));
}
