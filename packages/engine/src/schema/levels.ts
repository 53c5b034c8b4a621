import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { toPattern } from "./keywords.js";
import { kindsOf, marksOf } from "./kinds.js";
import type { Node } from "./node.js";
import { kindOf, own } from "./value.js";

/** Lists the nodes that judge a value together: this one, what it refers to or joins, and the closest of each choice. */
export function levelsOf(node: Node, value: unknown): Node[] {
  const joined = [...node.targets(), ...node.list("allOf")];
  for (const keyword of ["anyOf", "oneOf"]) {
    const branch = closest(node.list(keyword), value);
    if (branch) joined.push(branch);
  }
  const condition = node.one("if");
  const chosen = condition && node.one(checkOf(condition)(value) ? "then" : "else");
  if (chosen) joined.push(chosen);
  if (isObject(value)) {
    for (const [name, dependent] of node.map("dependentSchemas"))
      if (Object.hasOwn(value, name)) joined.push(dependent);
  }
  return [node, ...joined.flatMap((each) => levelsOf(each, value))];
}

/** Finds the branch of a choice that a value comes closest to: right kind, right marks, most keys known, fewest faults. */
export function closest(branches: readonly Node[], value: unknown): Node | undefined {
  const fitting = branches.find((branch) => checkOf(branch)(value));
  if (fitting || branches.length < 2) return fitting ?? branches[0];
  const kind = kindOf(value);
  const possible = branches.filter((branch) => kind !== undefined && kindsOf(branch).has(kind));
  let best: Node | undefined;
  let least: readonly number[] = [];
  for (const branch of possible) {
    const distance = distanceOf(branch, value, possible);
    if (best === undefined || isLess(distance, least)) [best, least] = [branch, distance];
  }
  return best ?? branches[0];
}

/** Says how far a value is from a branch, what weighs most first. */
function distanceOf(branch: Node, value: unknown, branches: readonly Node[]): readonly number[] {
  const levels = levelsOf(branch, value);
  if (Array.isArray(value)) return [levels.reduce((sum, level) => sum + wrongItems(level, value), 0)];
  if (!isObject(value)) return [];
  // A property that only one branch is marked by does not tell it from the others; there it is a property like any.
  const marks = [...marksOf(branch)].filter(([name]) =>
    branches.some((each) => each !== branch && marksOf(each).has(name)),
  );
  const wrongMarks = marks.filter(([name, values]) => !values.includes(own(value, name) as string)).length;
  const wrong = levels.reduce((sum, level) => sum + wrongProperties(level, value), 0);
  return [wrongMarks, foreignKeys(levels, value), wrong];
}

function isLess(left: readonly number[], right: readonly number[]): boolean {
  const index = left.findIndex((number, place) => number !== right[place]);
  return index >= 0 && (left[index] as number) < (right[index] as number);
}

/** Counts the keys of a value that the nodes which judge it together do not speak of. */
function foreignKeys(levels: readonly Node[], value: JsonObject): number {
  // An open object lets every key through, but only one that says what the others are like was made for them.
  if (
    levels.some(
      ({ schema }) =>
        isObject(schema["additionalProperties"]) && Object.keys(schema["additionalProperties"]).length > 0,
    )
  )
    return 0;
  const names = new Set(levels.flatMap((level) => level.map("properties").map(([name]) => name)));
  const patterns = levels.flatMap((level) => level.map("patternProperties").map(([text]) => toPattern(text)));
  return Object.keys(value).filter((key) => !names.has(key) && !patterns.some((pattern) => pattern.test(key))).length;
}

function wrongItems(node: Node, value: readonly unknown[]): number {
  const items = node.one("items");
  return items ? value.filter((item) => !checkOf(items)(item)).length : 0;
}

function wrongProperties(node: Node, value: JsonObject): number {
  const properties = node.map("properties");
  const wrong = properties.filter(([name, each]) => Object.hasOwn(value, name) && !checkOf(each)(value[name])).length;
  const missing = ((node.schema["required"] ?? []) as string[]).filter((name) => !Object.hasOwn(value, name)).length;
  return wrong + missing + unknownKeys(node, value).length;
}

/** Lists the keys of a value that a node refuses because it does not know them; the first of them where not all are needed. */
export function unknownKeys(node: Node, value: JsonObject, most = Infinity): string[] {
  if (!node.closed && node.schema["additionalProperties"] !== false) return [];
  const names = new Set(node.map("properties").map(([name]) => name));
  const patterns = node.map("patternProperties").map(([text]) => toPattern(text));
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    if (unknown.length >= most) break;
    if (!names.has(key) && !patterns.some((pattern) => pattern.test(key))) unknown.push(key);
  }
  return unknown;
}

/** Goes through what a node says of the keys of a value: named properties first, then patterns, then what all others must be. */
export function* partsOf(node: Node, value: JsonObject): Generator<readonly [key: string, part: Node]> {
  const named = new Map(node.map("properties"));
  for (const entry of named) if (Object.hasOwn(value, entry[0])) yield entry;
  const patterns = node.map("patternProperties").map(([text, each]) => [toPattern(text), each] as const);
  const rest = node.one("additionalProperties");
  for (const key of patterns.length > 0 || rest ? Object.keys(value) : []) {
    const matching = patterns.filter(([pattern]) => pattern.test(key));
    for (const [, each] of matching) yield [key, each];
    if (rest && !rest.never && matching.length === 0 && !named.has(key)) yield [key, rest];
  }
}

/** Lists the names of all properties that a node and the schemas joined to it speak of. */
export function knownNames(node: Node): string[] {
  const joined = [...node.targets(), ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => node.list(keyword))];
  const conditional = ["then", "else"].map((keyword) => node.one(keyword)).filter((each) => each !== undefined);
  const here = node.map("properties").map(([name]) => name);
  return [...new Set([...here, ...[...joined, ...conditional].flatMap(knownNames)])];
}
