import { isObject, type JsonObject, omit } from "../../jsonrpc/messages.js";
import { flattenRoot, UNSUPPORTED_AT_ROOT } from "./flatten.js";
import { findInSchema, hasReferences, inlineReferences, mapSchema } from "./rewrite.js";

/** Keywords that some APIs do not know; they reject the whole request. */
const UNSUPPORTED_KEYWORDS: readonly string[] = [
  ..."$schema $id $comment $anchor $dynamicAnchor const not if then else".split(" "),
  ..."exclusiveMinimum exclusiveMaximum multipleOf contentEncoding contentMediaType contentSchema".split(" "),
  ..."contains minContains maxContains uniqueItems unevaluatedItems".split(" "),
  ..."patternProperties propertyNames unevaluatedProperties dependentRequired dependentSchemas".split(" "),
];

const unsupportedKeywordIn = (schema: JsonObject): string | undefined =>
  UNSUPPORTED_KEYWORDS.find((keyword) => schema[keyword] !== undefined);

/** Replaces unsupported keywords where others can express them; the rest is left to the validation of the arguments. */
function removeUnsupportedKeywords(schema: JsonObject): JsonObject {
  if (unsupportedKeywordIn(schema) === undefined) return schema;
  const { const: value, exclusiveMinimum: above, exclusiveMaximum: below, type } = schema;
  const kept = omit(schema, ...UNSUPPORTED_KEYWORDS);
  const step = type === "integer" ? 1 : 0;
  return {
    ...kept,
    ...(typeof value === "string" && { enum: [value] }),
    ...(typeof above === "number" && kept["minimum"] === undefined && { minimum: above + step }),
    ...(typeof below === "number" && kept["maximum"] === undefined && { maximum: below - step }),
  };
}

/** Whose API receives the schemas of tools. VS Code and Cursor pass them on to models of any vendor. */
export type Vendor = "Anthropic" | "OpenAI" | "Google" | "VS Code" | "Cursor";

/** One problem that makes vendors reject an input schema. */
export interface VendorRule {
  readonly vendors: readonly Vendor[];
  /** Returns what is wrong with a schema, as the end of a sentence about the tool. */
  readonly find: (schema: JsonObject) => string | undefined;
  readonly advice: string;
  /** Returns the schema without the problem; undefined = not possible. Absent if the problem can never be fixed. */
  readonly fix?: (schema: JsonObject) => JsonObject | undefined;
}

const ALL_VENDORS: readonly Vendor[] = ["Anthropic", "OpenAI", "Google", "VS Code", "Cursor"];
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

const isArrayWithoutItems = ({ type, items }: JsonObject): boolean =>
  items === undefined && [type].flat().includes("array");

/** The problems, in the order in which they are fixed. */
export const VENDOR_RULES: readonly VendorRule[] = [
  {
    // APIs reject the whole request with all its tools; Claude Code drops the tool silently.
    vendors: ALL_VENDORS,
    find(schema) {
      const keyword = UNSUPPORTED_AT_ROOT.find((name) => schema[name] !== undefined);
      if (keyword !== undefined) return `has ${keyword} at the root of its input schema`;
      return schema["type"] === "object" ? undefined : 'has an input schema whose root is not of type "object"';
    },
    advice: "Put all properties at the root, and say in the description which of them belong together.",
    fix: flattenRoot,
  },
  {
    // Google accepts no siblings of a reference and drops $defs; others pass the schema on to Google.
    vendors: ["Google", "VS Code", "Cursor"],
    find: (schema) => (hasReferences(schema) ? "has references ($ref) in its input schema" : undefined),
    advice: "Replace the reference with the schema it refers to.",
    fix: inlineReferences,
  },
  {
    // "array schema missing items", "array type must have items", "items: missing field".
    vendors: ["OpenAI", "Google", "VS Code", "Cursor"],
    find: (schema) =>
      findInSchema(schema, (array) => (isArrayWithoutItems(array) ? "has an array without items" : undefined)),
    advice: "Describe the items of the array with items.",
    fix: (schema) => mapSchema(schema, (array) => (isArrayWithoutItems(array) ? { ...array, items: {} } : array)),
  },
  {
    // "object schema missing properties".
    vendors: ["OpenAI"],
    find: ({ properties }) => (properties === undefined ? "has no properties in its input schema" : undefined),
    advice: "Write properties: {} for a tool without arguments.",
    fix: (schema) => ({ ...schema, properties: {} }),
  },
  {
    // "Unknown name …: Cannot find field."
    vendors: ["Google"],
    find(schema) {
      const keyword = findInSchema(schema, unsupportedKeywordIn);
      return keyword && `has ${keyword} in its input schema`;
    },
    advice: "Use basic keywords only, and validate the rest in the tool.",
    fix: (schema) => mapSchema(schema, removeUnsupportedKeywords),
  },
  {
    // "Property keys should match pattern …". There is no fix: renaming would change the arguments of the tool.
    vendors: ["Anthropic"],
    find({ properties }) {
      const wrong = isObject(properties)
        ? Object.keys(properties).find((name) => !PROPERTY_NAME.test(name))
        : undefined;
      return wrong === undefined ? undefined : `has the property ${JSON.stringify(wrong.slice(0, 80))}`;
    },
    advice: "Name properties with 1 to 64 characters of A-Z a-z 0-9 _ . -",
  },
];

/** A schema that a vendor accepts, the same object if nothing was wrong; or the problem that cannot be fixed. */
export type VendorSchema =
  | { readonly schema: JsonObject; readonly problem?: undefined }
  | { readonly schema?: undefined; readonly problem: string; readonly advice: string };

/** Rewrites an input schema so that a vendor accepts it. */
export function adaptSchema(source: JsonObject, vendor: Vendor): VendorSchema {
  let schema = source;
  for (const { vendors, find, fix, advice } of VENDOR_RULES) {
    const problem = vendors.includes(vendor) ? find(schema) : undefined;
    if (problem === undefined) continue;
    const fixed = fix?.(schema);
    if (fixed === undefined) return { problem, advice };
    schema = fixed;
  }
  return { schema };
}
