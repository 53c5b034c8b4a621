import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { parseCompound } from "./json-text.js";
import { allowedValues, kindsOf, remember } from "./kinds.js";
import { knownNames, partsOf, unknownKeys } from "./levels.js";
import { fold } from "./nearest.js";
import type { Node } from "./node.js";
import { join, quote } from "./show.js";
import { equal, kindOf, put } from "./value.js";

const MAX_STEPS = 20_000;

/** What was changed, last thing first: attempts share what came before them, and adding to it copies nothing. */
type Receipts = { readonly sentence: string; readonly before: Receipts } | undefined;

/** What a repair has done so far, and how much it may still look at. */
interface Work {
  readonly receipts: Receipts;
  readonly steps: { left: number };
}

interface Repaired {
  readonly value: unknown;
  readonly receipts: Receipts;
}

/** Puts right what can only have been meant in one way in a refused value, a sentence for each change; the value given stays as it was. */
export function repair(root: Node, value: unknown): { readonly value: unknown; readonly receipts: readonly string[] } {
  const repaired = repairRefused(root, value, "", { receipts: undefined, steps: { left: MAX_STEPS } });
  const receipts: string[] = [];
  for (let last = repaired.receipts; last; last = last.before) receipts.push(last.sentence);
  return { value: repaired.value, receipts: receipts.toReversed() };
}

function repairPart(node: Node, value: unknown, path: string, work: Work): Repaired {
  if (--work.steps.left < 0 || checkOf(node)(value)) return { value, receipts: work.receipts };
  return repairRefused(node, value, path, work);
}

function repairRefused(node: Node, value: unknown, path: string, { receipts, steps }: Work): Repaired {
  let result: Repaired = { value, receipts };
  const work = (): Work => ({ receipts: result.receipts, steps });
  if (typeof value === "string") {
    result = repairText(node, value, path, receipts);
    if (typeof result.value === "string") return result;
  }
  if (Array.isArray(result.value)) result = repairItems(node, result.value, path, work());
  else if (isObject(result.value)) result = repairObject(node, result.value, path, work());
  for (const joined of [...node.targets(), ...node.list("allOf")])
    result = repairPart(joined, result.value, path, work());
  for (const keyword of ["anyOf", "oneOf"]) result = repairChoice(node.list(keyword), result.value, path, work());
  const condition = node.one("if");
  const chosen = condition && node.one(checkOf(condition)(result.value) ? "then" : "else");
  return chosen ? repairPart(chosen, result.value, path, work()) : result;
}

/** Text in the place of something else: only where a string can never be right there, or another spelling of it is. */
function repairText(node: Node, text: string, path: string, receipts: Receipts): Repaired {
  const say = (value: Json, sentence: string): Repaired => ({
    value,
    receipts: { sentence: path === "" ? sentence : `${path}: ${sentence}`, before: receipts },
  });
  const kinds = kindsOf(node);
  if (kinds.has("string")) {
    const [only, another] = spellingsOf(node).get(fold(text)) ?? [];
    if (only === undefined || another !== undefined) return { value: text, receipts };
    return say(only, `read ${quote(text)} as ${quote(only)}`);
  }
  if (kinds.has("number") && String(Number(text)) === text && Number.isFinite(Number(text))) {
    return say(Number(text), `read ${quote(text)} as the number ${text}`);
  }
  if (kinds.has("boolean") && (text === "true" || text === "false"))
    return say(text === "true", `read ${quote(text)} as ${text}`);
  const parsed = kinds.has("object") || kinds.has("array") ? parseCompound(text) : undefined;
  const kind = kindOf(parsed);
  if (parsed === undefined || kind === undefined || !kinds.has(kind)) return { value: text, receipts };
  return say(parsed, "read the text as JSON");
}

/** The words that a node allows, by spelling: a long list of words is met with every item of a long array. */
const spellingsOf = remember((node) =>
  bySpelling(new Set((allowedValues(node) ?? []).filter((allowed) => typeof allowed === "string"))),
);

function bySpelling(names: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map<string, string[]>();
  for (const name of names) {
    const folded = fold(name);
    const same = spellings.get(folded);
    if (same) same.push(name);
    else spellings.set(folded, [name]);
  }
  return spellings;
}

function repairItems(node: Node, value: readonly unknown[], path: string, { receipts, steps }: Work): Repaired {
  const first = node.list("prefixItems");
  const rest = node.one("items");
  let said = receipts;
  const items = value.map((item, index) => {
    const each = first[index] ?? rest;
    if (!each) return item;
    const repaired = repairPart(each, item, join(path, index), { receipts: said, steps });
    said = repaired.receipts;
    return repaired.value;
  });
  return said === receipts ? { value, receipts } : { value: items, receipts: said };
}

function repairObject(node: Node, value: JsonObject, path: string, { receipts, steps }: Work): Repaired {
  const names = renames(node, value);
  let said = receipts;
  let changed: JsonObject = value;
  if (names.size > 0) {
    changed = {};
    for (const key of Object.keys(value)) put(changed, names.get(key) ?? key, value[key] as Json);
    for (const [key, name] of names) said = { sentence: `${join(path, key)}: read as ${name}`, before: said };
  }
  for (const [name, part] of partsOf(node, changed)) {
    const repaired = repairPart(part, changed[name], join(path, name), { receipts: said, steps });
    if (repaired.receipts === said) continue;
    if (changed === value) changed = { ...value };
    put(changed, name, repaired.value as Json);
    said = repaired.receipts;
  }
  return changed === value ? { value, receipts } : { value: changed, receipts: said };
}

/** Finds the keys that are another spelling of one absent property, and of which no other key is one too. */
function renames(node: Node, value: JsonObject): ReadonlyMap<string, string> {
  const sealed = node.schema["unevaluatedProperties"] === false;
  const names = new Set(sealed ? knownNames(node) : node.map("properties").map(([name]) => name));
  const refused = new Set(unknownKeys(node, value, names.size + 1));
  // With more keys to rename than there are names, some would stay unknown.
  if (refused.size > names.size) return new Map();
  const spellings = bySpelling(names);
  const required = new Set(node.schema["required"] as string[] | undefined);
  const found = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const key of Object.keys(value)) {
    if (names.has(key)) continue;
    const [only, another] = spellings.get(fold(key)) ?? [];
    if (only === undefined || another !== undefined || Object.hasOwn(value, only)) continue;
    // An open object may well have a key of such a name; it is certain only where the property must be there.
    if (!refused.has(key) && !sealed && !required.has(only)) continue;
    found.set(key, only);
    taken.set(only, (taken.get(only) ?? 0) + 1);
  }
  return new Map([...found].filter(([, name]) => taken.get(name) === 1));
}

/** A choice is repaired only where all branches that can be satisfied agree on the result, or just one is of the right kind. */
function repairChoice(branches: readonly Node[], value: unknown, path: string, work: Work): Repaired {
  const kind = kindOf(value);
  const possible = branches.filter((branch) => kind !== undefined && kindsOf(branch).has(kind));
  if (possible.some((branch) => checkOf(branch)(value))) return { value, receipts: work.receipts };
  const attempts = possible.map((branch) => ({ branch, repaired: repairPart(branch, value, path, work) }));
  const [only] = attempts;
  if (only && attempts.length === 1) return only.repaired;
  const valid = attempts.filter(({ branch, repaired }) => checkOf(branch)(repaired.value));
  const [first, ...others] = valid;
  const agreed = first && others.every(({ repaired }) => equal(repaired.value, first.repaired.value));
  return agreed ? first.repaired : { value, receipts: work.receipts };
}
