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

/** Finds the branch of a choice that a value comes closest to: right kind, right marks, then the fewest faults. */
export function closest(branches: readonly Node[], value: unknown): Node | undefined {
  let best: Node | undefined;
  let least = Infinity;
  for (const branch of branches) {
    const distance = distanceOf(branch, value);
    if (distance < least) [best, least] = [branch, distance];
  }
  return best;
}

const WRONG_KIND = 10_000;
const WRONG_MARK = 100;

function distanceOf(branch: Node, value: unknown): number {
  if (checkOf(branch)(value)) return 0;
  const kind = kindOf(value);
  if (kind === undefined || !kindsOf(branch).has(kind)) return WRONG_KIND;
  const levels = levelsOf(branch, value);
  if (Array.isArray(value)) return 1 + levels.reduce((sum, level) => sum + wrongItems(level, value), 0);
  if (!isObject(value)) return 1;
  const wrongMarks = [...marksOf(branch)].filter(([name, values]) => !values.includes(own(value, name) as string));
  return 1 + wrongMarks.length * WRONG_MARK + levels.reduce((sum, level) => sum + wrongProperties(level, value), 0);
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

/** Lists the keys of a value that a node refuses because it does not know them. */
export function unknownKeys(node: Node, value: JsonObject): string[] {
  if (!node.closed && node.schema["additionalProperties"] !== false) return [];
  const names = new Set(node.map("properties").map(([name]) => name));
  const patterns = node.map("patternProperties").map(([text]) => toPattern(text));
  return Object.keys(value).filter((key) => !names.has(key) && !patterns.some((pattern) => pattern.test(key)));
}

/** Lists the names of all properties that a node and the schemas joined to it speak of. */
export function knownNames(node: Node): string[] {
  const joined = [...node.targets(), ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => node.list(keyword))];
  const conditional = ["then", "else"].map((keyword) => node.one(keyword)).filter((each) => each !== undefined);
  const here = node.map("properties").map(([name]) => name);
  return [...new Set([...here, ...[...joined, ...conditional].flatMap(knownNames)])];
}
