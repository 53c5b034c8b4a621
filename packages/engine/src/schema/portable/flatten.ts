import { isObject, type Json, type JsonObject, omit } from "../../jsonrpc/messages.js";
import { inlineReferences } from "./rewrite.js";

/** Keywords that no vendor accepts at the root of an input schema. */
export const UNSUPPORTED_AT_ROOT: readonly string[] =
  "oneOf anyOf allOf not if then else enum const $ref $dynamicRef".split(" ");

const MAX_HINT_LENGTH = 400;

/**
 * Rewrites the root of an input schema to plain properties: those of all branches, of which only the ones that every branch
 * requires are required. The description says what is lost; arguments are still validated against the original schema.
 */
export function flattenRoot(root: JsonObject): JsonObject | undefined {
  const source = inlineReferences(root);
  return source && { type: "object", properties: {}, ...flatten(source) };
}

function flatten(schema: JsonObject): JsonObject {
  const own = omit(schema, ...UNSUPPORTED_AT_ROOT);
  const conjuncts = flattenObjects(schema["allOf"]);
  const choices = ["anyOf", "oneOf"]
    .map((keyword) => flattenObjects(schema[keyword]))
    .filter(({ length }) => length > 0);
  const conditionals = flattenObjects([schema["then"], schema["else"]]).map(({ properties = {} }) => ({ properties }));
  const added: JsonObject[] = [...conjuncts, ...choices.map(mergeBranches), ...conditionals];
  if (added.length === 0) return own;
  const parts = [own, ...added];
  const required = [...new Set(parts.flatMap(requiredOf))];
  const ownDescription = typeof own["description"] === "string" ? own["description"] : "";
  const description = [ownDescription, ...choices.map(describeBranches)].filter((text) => text !== "").join(" ");
  // One closed branch does not close what the others add.
  const isClosed = own["properties"] === undefined && added.every((part) => part["additionalProperties"] === false);
  const additionalProperties = own["additionalProperties"] ?? (isClosed ? false : undefined);
  return {
    ...omit(Object.assign({}, ...conjuncts, own) as JsonObject, "additionalProperties"),
    properties: mergeProperties(parts, (schemas) => Object.assign({}, ...schemas.filter(isObject).toReversed())),
    ...(required.length > 0 && { required }),
    ...(description !== "" && { description }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}

/** Flattens those of some schemas that an object can match. */
function flattenObjects(schemas: unknown): JsonObject[] {
  const objects = (Array.isArray(schemas) ? schemas : []).filter((schema) => isObject(schema));
  return objects.filter(({ type = "object" }) => [type].flat().includes("object")).map(flatten);
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});
const requiredOf = ({ required }: JsonObject): string[] => (Array.isArray(required) ? (required as string[]) : []);

/** The properties of several schemas; `merge` combines different schemas of one property. */
function mergeProperties(parts: readonly JsonObject[], merge: (schemas: readonly Json[]) => Json): JsonObject {
  const found = new Map<string, Map<string, Json>>();
  for (const [name, schema] of parts.flatMap((part) => Object.entries(propertiesOf(part))))
    found.set(name, (found.get(name) ?? new Map<string, Json>()).set(JSON.stringify(schema), schema));
  return Object.fromEntries(
    Array.from(found, ([name, distinct]) => {
      const [first = {}, ...others] = distinct.values();
      return [name, others.length === 0 ? first : merge([first, ...others])];
    }),
  );
}

/** One schema for a choice: the properties of all branches, and what all of them require. */
function mergeBranches(branches: readonly JsonObject[]): JsonObject {
  const isClosed = branches.every((branch) => branch["additionalProperties"] === false);
  return {
    properties: mergeProperties(branches, (schemas) => {
      const values = schemas.map(allowedStrings);
      return values.every((list) => list !== undefined)
        ? { ...omit(schemas[0] as JsonObject, "const"), enum: [...new Set(values.flat())] }
        : { anyOf: [...schemas] };
    }),
    required: commonRequired(branches),
    ...(isClosed && { additionalProperties: false }),
  };
}

function commonRequired([first = {}, ...others]: readonly JsonObject[]): string[] {
  return requiredOf(first).filter((name) => others.every((branch) => requiredOf(branch).includes(name)));
}

/** The strings that a schema allows; undefined = it allows other values too. */
function allowedStrings(schema: Json): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const values = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  return Array.isArray(values) && values.every((value) => typeof value === "string") ? values : undefined;
}

/** Describes which arguments belong together, as the branches did. */
function describeBranches(branches: readonly JsonObject[]): string {
  const common = commonRequired(branches);
  const alternatives = branches.map((branch) => {
    const needed = requiredOf(branch).flatMap((name) => {
      const schema = propertiesOf(branch)[name];
      if (isObject(schema) && schema["const"] !== undefined) return [`${name}=${JSON.stringify(schema["const"])}`];
      return common.includes(name) ? [] : [name];
    });
    return needed.join(" + ");
  });
  const distinct = [...new Set(alternatives.filter((text) => text !== ""))];
  const hint = `Give ${distinct.join(", or ")}.`;
  return distinct.length < 2 || hint.length > MAX_HINT_LENGTH ? "" : hint;
}
