import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import { flattenRoot, REFUSED_AT_ROOT } from "./flatten.js";
import { hasReferences, inlineReferences } from "./inline.js";
import { findInSchema, mapSchema } from "./map-schema.js";
import { findUnplain, inPlainWords } from "./plain-words.js";

/** Whose interface takes the schemas of tools, in the end. VS Code and Cursor pass them on to models of any maker. */
export type Vendor = "Anthropic" | "OpenAI" | "Google" | "VS Code" | "Cursor";

/** One thing that vendors refuse in an input schema. */
export interface SchemaRule {
  readonly vendors: readonly Vendor[];
  /** What is wrong with a schema, as the end of a sentence about the tool. */
  readonly find: (schema: JsonObject) => string | undefined;
  readonly advice: string;
  /** The schema without the fault; undefined = it cannot be had. Without this, nothing can be done about it. */
  readonly mend?: (schema: JsonObject) => JsonObject | undefined;
}

const EVERYONE: readonly Vendor[] = ["Anthropic", "OpenAI", "Google", "VS Code", "Cursor"];
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

const isBareArray = ({ type, items }: JsonObject): boolean => items === undefined && [type].flat().includes("array");

/** What is refused, in the order in which it is mended. */
export const SCHEMA_RULES: readonly SchemaRule[] = [
  {
    // The whole request is refused, with all other tools in it; Claude Code leaves the one tool out and says nothing.
    vendors: EVERYONE,
    find(schema) {
      const keyword = REFUSED_AT_ROOT.find((one) => schema[one] !== undefined);
      if (keyword !== undefined) return `has ${keyword} at the root of its input schema`;
      return schema["type"] === "object" ? undefined : 'has an input schema whose root is not of type "object"';
    },
    advice: "Put all properties at the root, and say in the description which of them go together.",
    mend: flattenRoot,
  },
  {
    // Google takes nothing beside a reference and loses those into $defs; others pass them on to it.
    vendors: ["Google", "VS Code", "Cursor"],
    find: (schema) => (hasReferences(schema) ? "has references ($ref) in its input schema" : undefined),
    advice: "Write the schema out where it is referred to.",
    mend: inlineReferences,
  },
  {
    // "array schema missing items", "array type must have items", "items: missing field".
    vendors: ["OpenAI", "Google", "VS Code", "Cursor"],
    find: (schema) => findInSchema(schema, (one) => (isBareArray(one) ? "has an array without items" : undefined)),
    advice: "Say with items what the array holds.",
    mend: (schema) => mapSchema(schema, (one) => (isBareArray(one) ? { ...one, items: {} } : one)),
  },
  {
    // "object schema missing properties".
    vendors: ["OpenAI"],
    find: ({ properties }) => (properties === undefined ? "has no properties in its input schema" : undefined),
    advice: "Write properties: {} for a tool without arguments.",
    mend: (schema) => ({ ...schema, properties: {} }),
  },
  {
    // "Unknown name …: Cannot find field."
    vendors: ["Google"],
    find(schema) {
      const keyword = findUnplain(schema);
      return keyword && `has ${keyword} in its input schema`;
    },
    advice: "Use plain keywords, and check the rest when the tool runs.",
    mend: inPlainWords,
  },
  {
    // "Property keys should match pattern …": arguments cannot be called otherwise than the tool calls them.
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
