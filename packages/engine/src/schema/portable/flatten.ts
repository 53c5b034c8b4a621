import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { hasReferences, inlineReferences, resolve } from "./inline.js";
import { findInSchema } from "./map-schema.js";
import { joinChoices, mergeProperties, wordChoices } from "./merge.js";

/** What no vendor takes at the root of an input schema. */
export const REFUSED_AT_ROOT = [
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "enum",
  "const",
  "$ref",
] as const;

const MOST_DEPTH = 16;

/**
 * Writes the root of an input schema with nothing but properties: those of all branches, and as required what all of them
 * require. What is lost is said in the description; arguments are still checked against the schema itself.
 */
export function flattenRoot(root: JsonObject): JsonObject | undefined {
  const isAnchored = hasReferences(root) && findInSchema(root, (one) => leadsElsewhere(one) || undefined) === true;
  const source = isAnchored ? inlineReferences(root) : root;
  return source && { type: "object", properties: {}, ...flatten(source, source, MOST_DEPTH) };
}

/** References into what is about to be merged would lead nowhere. */
const leadsElsewhere = ({ $ref, $dynamicRef }: JsonObject): boolean =>
  $dynamicRef !== undefined || (typeof $ref === "string" && !/^#\/(?:\$defs|definitions)\//.test($ref));

function flatten(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const plain = Object.entries(schema).filter(([keyword]) => !(REFUSED_AT_ROOT as readonly string[]).includes(keyword));
  const own: JsonObject = Object.fromEntries(plain);
  if (depth === 0) return own;
  const open = (branch: Json | undefined): JsonObject[] => {
    if (!isObject(branch)) return [];
    const { type = "object" } = branch;
    return [type].flat().includes("object") ? [flatten(branch, root, depth - 1)] : [];
  };
  const list = (keyword: string): JsonObject[] => (Array.isArray(schema[keyword]) ? schema[keyword].flatMap(open) : []);
  const { $ref } = schema;
  const joined = [...(typeof $ref === "string" ? open(resolve(root, $ref)) : []), ...list("allOf")];
  const choices = [list("anyOf"), list("oneOf")].filter((branches) => branches.length > 0);
  const cases = [...open(schema["then"]), ...open(schema["else"])];
  const parts: JsonObject[] = [
    own,
    ...joined,
    ...choices.map(joinChoices),
    ...cases.map(({ properties = {} }) => ({ properties })),
  ];
  if (parts.length === 1) return own;
  const description = [typeof own["description"] === "string" ? own["description"] : "", ...choices.map(wordChoices)]
    .filter((text) => text !== "")
    .join(" ");
  const required = [...new Set(parts.flatMap((part) => (part["required"] as string[] | undefined) ?? []))];
  const { additionalProperties } = own;
  const isClosed = parts.slice(1).every((part) => part["additionalProperties"] === false);
  const others = additionalProperties ?? (isClosed && own["properties"] === undefined ? false : undefined);
  const merged: JsonObject = Object.assign({}, ...joined, own);
  // One branch that is closed does not close what the others bring.
  delete merged["additionalProperties"];
  return {
    ...merged,
    properties: mergeProperties(parts),
    ...(required.length > 0 && { required }),
    ...(description !== "" && { description }),
    ...(others !== undefined && { additionalProperties: others }),
  };
}
