import { isObject, type Json, type JsonObject } from "../../../jsonrpc/messages.js";
import { createSchema, type SchemaSource, type ValidationResult } from "../../../schema/schema.js";

/** A form for the user: a flat object of simple fields. */
export interface ElicitationForm {
  /** The schema that is sent to the client. */
  readonly requestedSchema: JsonObject;
  /** Validates the content. A nullable field that is missing becomes null. */
  parse(content: JsonObject): ValidationResult | Promise<ValidationResult>;
}

/** Creates a form from a schema. Throws `TypeError` if a field is not supported or asks for a secret. */
export function createForm(source: SchemaSource): ElicitationForm {
  const schema = createSchema(source, { correct: false, unknownProperties: "allow", root: "object" });
  const { properties: sources = {}, required = [] } = schema.jsonSchema;
  const unsupported = ["anyOf", "oneOf", "allOf", "$ref"].find((keyword) => keyword in schema.jsonSchema);
  if (unsupported !== undefined) throw formError(`it must be one flat object, without ${unsupported}`);
  const properties: JsonObject = {};
  const nullable = new Set<string>();
  for (const [name, fieldSource] of Object.entries(sources as JsonObject)) {
    const { field, isNullable } = stripNull(isObject(fieldSource) ? fieldSource : {});
    const fieldSchema = toFieldSchema(field);
    if (fieldSchema === undefined)
      throw formError(`"${name}" must be a string, a number, a boolean or an enum of strings`);
    const issue = formFieldIssue(name, field, fieldSchema);
    if (issue !== undefined) throw formError(issue);
    properties[name] = fieldSchema;
    if (isNullable) nullable.add(name);
  }
  const requiredNames = required as readonly string[];
  const mandatory = requiredNames.filter((name) => !nullable.has(name));
  const nullDefaults = Object.fromEntries(
    requiredNames.filter((name) => nullable.has(name)).map((name) => [name, null]),
  );
  return {
    requestedSchema: { type: "object", properties, ...(mandatory.length > 0 && { required: mandatory }) },
    parse: (content) => schema.validate({ ...nullDefaults, ...content }),
  };
}

const formError = (reason: string): TypeError => new TypeError(`Cannot create the form: ${reason}`);

/** Removes null from a schema: forms do not have it, so the field is omitted instead. */
function stripNull(source: JsonObject): { field: JsonObject; isNullable: boolean } {
  const { type, anyOf, ...rest } = source;
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== "null");
    const options = Array.isArray(rest["enum"]) && { enum: rest["enum"].filter((one) => one !== null) };
    const field = { ...rest, ...options, type: types.length === 1 ? (types[0] as Json) : types };
    return { field, isNullable: types.length < type.length };
  }
  if (!Array.isArray(anyOf)) return { field: source, isNullable: false };
  const others = anyOf.filter((one) => !(isObject(one) && one["type"] === "null"));
  const [only] = others;
  const field = others.length === 1 && isObject(only) ? { ...only, ...rest } : { ...rest, anyOf: others };
  return { field, isNullable: others.length < anyOf.length };
}

/** Converts a JSON Schema to the subset that forms support; undefined if that is not possible. */
function toFieldSchema(field: JsonObject): JsonObject | undefined {
  const schema = toPrimitiveSchema(field);
  if (schema === undefined) return undefined;
  const { default: value } = field;
  const valueType = Array.isArray(value) ? "array" : typeof value;
  const hasDefault = valueType === (schema["type"] === "integer" ? "number" : schema["type"]);
  return { ...schema, ...pick(field, "title", "description"), ...(hasDefault && { default: value as Json }) };
}

const SUPPORTED_FORMATS = new Set<unknown>(["date", "date-time", "email", "uri"]);

/** Constraints that forms cannot express are left out here; the content is validated against all of them. */
function toPrimitiveSchema(field: JsonObject): JsonObject | undefined {
  const { type, format, items, enum: values, enumNames } = field;
  const options = enumOptionsOf(field);
  // The titles of older schemas, which every revision accepts.
  if (options !== undefined && values !== undefined && Array.isArray(enumNames))
    return { type: "string", enum: values, enumNames };
  if (options !== undefined) return toEnumSchema(options, (titled) => ({ type: "string", oneOf: titled }));
  if ("enum" in field) return undefined;
  switch (type) {
    case "string":
      if ("const" in field) return undefined;
      return { type, ...pick(field, "minLength", "maxLength"), ...(SUPPORTED_FORMATS.has(format) && { format }) };
    case "number":
    case "integer":
      return { type, ...numericBounds(field) };
    case "boolean":
      return { type };
    case "array": {
      const choices = isObject(items) ? enumOptionsOf(items) : undefined;
      if (choices === undefined) return undefined;
      const itemSchema = toEnumSchema(choices, (titled) => ({ anyOf: titled }));
      return { type, items: itemSchema, ...pick(field, "minItems", "maxItems") };
    }
    default:
      return undefined;
  }
}

interface EnumOption extends JsonObject {
  readonly const: string;
  readonly title?: string;
}

/** The options of a field that is an enum of strings; undefined for other fields. */
function enumOptionsOf(field: JsonObject): EnumOption[] | undefined {
  const { type, enum: values, enumNames, const: only, anyOf, oneOf = anyOf } = field;
  if (type !== undefined && type !== "string") return undefined;
  const names = Array.isArray(enumNames) ? enumNames : [];
  let options: readonly Json[] = [];
  if (Array.isArray(oneOf)) options = oneOf;
  else if (Array.isArray(values))
    options = values.map((value, index) => ({ const: value, title: names[index] as Json }));
  else if (only !== undefined) options = [{ const: only }];
  return options.length > 0 && options.every(isEnumOption) ? (options as EnumOption[]) : undefined;
}

const isEnumOption = (option: Json): option is EnumOption => isObject(option) && typeof option["const"] === "string";

function toEnumSchema(options: readonly EnumOption[], toTitled: (options: JsonObject[]) => JsonObject): JsonObject {
  if (options.some(({ title }) => title !== undefined))
    return toTitled(options.map(({ const: value, title = value }) => ({ const: value, title })));
  return { type: "string", enum: options.map(({ const: value }) => value) };
}

/** Forms have no exclusive bounds; for integers they become inclusive ones. */
function numericBounds({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): JsonObject {
  const isInteger = type === "integer";
  const bounds = {
    minimum: isInteger && typeof exclusiveMinimum === "number" ? Math.floor(exclusiveMinimum) + 1 : minimum,
    maximum: isInteger && typeof exclusiveMaximum === "number" ? Math.ceil(exclusiveMaximum) - 1 : maximum,
  };
  // Zod limits integers to the safe range; users need not see that.
  const shown = Object.entries(bounds).filter(
    ([, bound]) => typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(shown) as JsonObject;
}

function pick(field: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (field[name] === undefined ? [] : [[name, field[name]] as const])));
}

const SECRET_NAME =
  /\b(?:password|passwd|passphrase|passcode|pwd|secret|token|credentials?|pin|otp|cv[vc]|api ?key|(?:access|private|secret) key|card number|(?:credit|debit) card|(?:recovery|security|verification) code)\b/;

/** Whether a name refers to a secret, such as `apiKey`, `card-number` or `PASSWORD`. */
export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/[^A-Za-z0-9]+/g, " ");
  return SECRET_NAME.test(words.toLowerCase());
}

const TYPED_INPUTS = new Set<unknown>(["string", "number", "integer"]);

/**
 * Why a field is not allowed in a form, or undefined. Forms must not ask for secrets: the content passes through the client,
 * and often through a model. `field` is the schema that is sent to the client.
 */
export function formFieldIssue(name: string, source: JsonObject, field: JsonObject): string | undefined {
  const { type, title } = field;
  const isTyped = TYPED_INPUTS.has(type) && !("enum" in field || "oneOf" in field);
  const isMarked = source["format"] === "password" || source["writeOnly"] === true;
  if (isTyped && (isMarked || isSecretName(name) || (typeof title === "string" && isSecretName(title))))
    return `"${name}" asks for a secret, which would pass through the client; let the user enter it on your own page with call.elicitUrl`;
  if (visibleTexts(field).some((text) => typeof text === "string" && /\b[a-z][a-z0-9+.-]*:\/\//i.test(text)))
    return `"${name}" shows a URL that the user might open unwarned; use call.elicitUrl`;
  return undefined;
}

/** The texts of a field that the user sees. */
function visibleTexts({ title, description, oneOf, items }: JsonObject): unknown[] {
  const options = [oneOf, isObject(items) ? items["anyOf"] : undefined].flat() as (EnumOption | undefined)[];
  return [title, description, ...options.map((option) => option?.title)];
}
