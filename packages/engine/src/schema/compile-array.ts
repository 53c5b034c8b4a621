import type { JsonObject } from "../jsonrpc/json.js";
import type { Check, Node } from "./node.js";
import { canonicalText } from "./value.js";

type ArrayCheck = (value: readonly unknown[]) => boolean;

/** Compiles the keywords about arrays; nothing where there are none. */
export function compileArray(node: Node, compile: (node: Node) => Check): ArrayCheck | undefined {
  const checks = [
    compileCount(node.schema),
    compileItems(node, compile),
    node.schema["uniqueItems"] === true ? isUnique : undefined,
    compileContains(node, compile),
  ].filter((check) => check !== undefined);
  if (checks.length < 2) return checks[0];
  return (value) => checks.every((check) => check(value));
}

function compileCount(schema: JsonObject): ArrayCheck | undefined {
  const least = (schema["minItems"] as number | undefined) ?? 0;
  const most = (schema["maxItems"] as number | undefined) ?? Infinity;
  if (least === 0 && most === Infinity) return undefined;
  return (value) => value.length >= least && value.length <= most;
}

function compileItems(node: Node, compile: (node: Node) => Check): ArrayCheck | undefined {
  const first = node.list("prefixItems").map(compile);
  const rest = node.one("items");
  if (first.length === 0 && rest === undefined) return undefined;
  const checkRest = rest && compile(rest);
  return (value) => {
    const named = Math.min(first.length, value.length);
    for (let index = 0; index < named; index++) if (!(first[index] as Check)(value[index])) return false;
    if (checkRest === undefined) return true;
    for (let index = first.length; index < value.length; index++) if (!checkRest(value[index])) return false;
    return true;
  };
}

/** Says whether no two items are equal. */
export function isUnique(value: readonly unknown[]): boolean {
  if (value.length < 2) return true;
  const seen = new Set<unknown>();
  for (const item of value) {
    // The first letter keeps a string apart from the text that stands for an array or object.
    if (typeof item === "string") seen.add(`"${item}`);
    else seen.add(typeof item === "object" && item !== null ? canonicalText(item) : item);
  }
  return seen.size === value.length;
}

function compileContains(node: Node, compile: (node: Node) => Check): ArrayCheck | undefined {
  const wanted = node.one("contains");
  if (!wanted) return undefined;
  const check = compile(wanted);
  const least = (node.schema["minContains"] as number | undefined) ?? 1;
  const most = (node.schema["maxContains"] as number | undefined) ?? Infinity;
  return (value) => {
    let count = 0;
    for (const item of value) if (check(item) && ++count > most) return false;
    return count >= least;
  };
}
