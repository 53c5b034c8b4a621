import { canonicalJson, isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { allowedValues, memoizeByNode, possibleTypes } from "./analyze.js";
import { branchesOfSameType, propertySchemas, unknownProperties } from "./applicable-schemas.js";
import { normalizeName } from "./closest-match.js";
import { joinPath, quoteText } from "./describe.js";
import { jsonTypeOf, parseJsonContainer, setOwn } from "./json-value.js";
import type { SchemaNode } from "./schema-node.js";

const MAX_VISITS = 20_000;

/** The corrections so far, and how many more parts of the value may be visited. */
interface CorrectionState {
  readonly corrections: string[];
  readonly budget: { remaining: number };
}

/** Corrects what can only have been meant in one way, with a sentence for each change. The given value is not modified. */
export function correctValue(
  root: SchemaNode,
  value: unknown,
): { readonly value: unknown; readonly corrections: readonly string[] } {
  const state: CorrectionState = { corrections: [], budget: { remaining: MAX_VISITS } };
  return { value: correctInvalid(root, value, "", state), corrections: state.corrections };
}

function correctIfInvalid(node: SchemaNode, value: unknown, path: string, state: CorrectionState): unknown {
  return --state.budget.remaining < 0 || node.accepts(value) ? value : correctInvalid(node, value, path, state);
}

/** Returns the corrected value; the same value if nothing was corrected. */
function correctInvalid(node: SchemaNode, value: unknown, path: string, state: CorrectionState): unknown {
  let result = typeof value === "string" ? correctString(node, value, path, state) : value;
  if (typeof result === "string") return result;
  if (Array.isArray(result)) result = correctItems(node, result, path, state);
  else if (isObject(result)) result = correctObject(node, result, path, state);
  for (const conjunct of node.conjuncts()) result = correctIfInvalid(conjunct, result, path, state);
  for (const branches of node.choices()) result = correctBranches(branches, result, path, state);
  for (const conditional of node.conditionals(result)) result = correctIfInvalid(conditional, result, path, state);
  return result;
}

/** Corrects text where another spelling of it is allowed, or where a string can never be valid. */
function correctString(node: SchemaNode, text: string, path: string, { corrections }: CorrectionState): Json {
  const report = (value: Json, message: string): Json => {
    corrections.push(path === "" ? message : `${path}: ${message}`);
    return value;
  };
  const types = possibleTypes(node);
  if (types.has("string")) {
    const only = allowedSpellings(node).get(normalizeName(text));
    return only === undefined ? text : report(only, `read ${quoteText(text)} as ${quoteText(only)}`);
  }
  if (types.has("number") && String(Number(text)) === text && Number.isFinite(Number(text)))
    return report(Number(text), `read ${quoteText(text)} as the number ${text}`);
  if (types.has("boolean") && (text === "true" || text === "false"))
    return report(text === "true", `read ${quoteText(text)} as ${text}`);
  const parsed = types.has("object") || types.has("array") ? parseJsonContainer(text) : undefined;
  const type = jsonTypeOf(parsed);
  if (parsed === undefined || type === undefined || !types.has(type)) return text;
  return report(parsed, "read the text as JSON");
}

/** The allowed strings of a node by spelling. Cached, because a long `enum` may apply to every item of a long array. */
const allowedSpellings = memoizeByNode((node) =>
  uniqueBySpelling(new Set((allowedValues(node) ?? []).filter((allowed) => typeof allowed === "string"))),
);

/** Returns names by their normalized spelling, except for names that share it. */
function uniqueBySpelling(names: Iterable<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>();
  for (const name of names) found.set(normalizeName(name), found.has(normalizeName(name)) ? undefined : name);
  return new Map([...found].flatMap(([spelling, name]) => (name === undefined ? [] : [[spelling, name]])));
}

function correctItems(node: SchemaNode, value: readonly unknown[], path: string, state: CorrectionState): unknown {
  const itemSchema = node.itemSchemas();
  const items = value.map((item, index) => {
    const schema = itemSchema(index);
    return schema ? correctIfInvalid(schema, item, joinPath(path, index), state) : item;
  });
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function correctObject(node: SchemaNode, value: JsonObject, path: string, state: CorrectionState): JsonObject {
  let result = renameKeys(node, value, path, state);
  for (const [name, property] of propertySchemas(node, result)) {
    const corrected = correctIfInvalid(property, result[name], joinPath(path, name), state);
    if (corrected === result[name]) continue;
    if (result === value) result = { ...value };
    setOwn(result, name, corrected as Json);
  }
  return result;
}

/** Renames the keys that are another spelling of one absent property, unless two keys are spellings of the same one. */
function renameKeys(node: SchemaNode, value: JsonObject, path: string, { corrections }: CorrectionState): JsonObject {
  const names = new Set(node.propertyNames());
  const unknown = new Set(unknownProperties(node, value, names.size + 1));
  // With more unknown keys than names, some would stay unknown.
  if (unknown.size > names.size) return value;
  const spellings = uniqueBySpelling(names);
  const required = new Set(node.required);
  const isRenamed = (key: string): boolean => {
    const name = names.has(key) ? undefined : spellings.get(normalizeName(key));
    // An open object may have a key of that name; the meaning is only certain if the property is required.
    return name !== undefined && !Object.hasOwn(value, name) && (unknown.has(key) || required.has(name));
  };
  const keys = uniqueBySpelling(Object.keys(value).filter(isRenamed));
  if (keys.size === 0) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const spelling = normalizeName(key);
    const name = keys.get(spelling) === key ? (spellings.get(spelling) as string) : key;
    if (name !== key) corrections.push(`${joinPath(path, key)}: read as ${name}`);
    setOwn(result, name, value[key] as Json);
  }
  return result;
}

/** Corrects a choice only if it has one branch of the right type, or if all branches that can be satisfied agree. */
function correctBranches(
  branches: readonly SchemaNode[],
  value: unknown,
  path: string,
  { corrections, budget }: CorrectionState,
): unknown {
  const candidates = branchesOfSameType(branches, value);
  if (candidates.some((branch) => branch.accepts(value))) return value;
  const attempts = candidates.map((branch) => {
    const state: CorrectionState = { corrections: [], budget };
    return { branch, state, result: correctIfInvalid(branch, value, path, state) };
  });
  const [first, ...others] =
    attempts.length === 1 ? attempts : attempts.filter(({ branch, result }) => branch.accepts(result));
  if (!first || !others.every(({ result }) => canonicalJson(result) === canonicalJson(first.result))) return value;
  corrections.push(...first.state.corrections);
  return first.result;
}
