import type { JsonObject } from "../jsonrpc/json.js";
import { BARE } from "./compile-scalar.js";
import { toPattern } from "./keywords.js";
import type { Check, Node } from "./node.js";
import { own } from "./value.js";

type ObjectCheck = (value: JsonObject) => boolean;

/** Compiles the keywords about objects; nothing where there are none. */
export function compileObject(node: Node, compile: (node: Node) => Check): ObjectCheck | undefined {
  const checks = [
    compileProperties(node, compile),
    compileOthers(node, compile),
    compileNames(node, compile),
    compileCount(node.schema),
    compileDependents(node, compile),
  ].filter((check) => check !== undefined);
  if (checks.length < 2) return checks[0];
  return (value) => checks.every((check) => check(value));
}

/** Says whether a node lets no key but its named properties through. */
export function isClosed(node: Node): boolean {
  if (node.schema["patternProperties"] !== undefined) return false;
  return node.closed || node.schema["additionalProperties"] === false;
}

/** Named properties, required ones, and the refusal of all others: one loop, for this is what nearly every schema says. */
function compileProperties(node: Node, compile: (node: Node) => Check): ObjectCheck | undefined {
  const properties = new Map(node.map("properties"));
  const required = new Set((node.schema["required"] ?? []) as string[]);
  const closed = isClosed(node);
  const names = [...required, ...[...properties.keys()].filter((name) => !required.has(name))];
  const requiredCount = required.size;
  const count = names.length;
  if (count === 0 && !closed) return undefined;
  const checks = names.map((name) => {
    const property = properties.get(name);
    return property ? compile(property) : always;
  });
  const bare = checks.map((check) => Object.entries(BARE).find(([, each]) => each === check)?.[0]);
  const known = new Set(properties.keys());
  // `toString` and its like would be found in every object unless asked for with care.
  const inherited = names.some((name) => name in Object.prototype);
  return (value) => {
    let present = 0;
    for (let index = 0; index < count; index++) {
      const name = names[index] as string;
      const item = inherited ? own(value, name) : value[name];
      if (item === undefined) {
        if (index < requiredCount) return false;
        continue;
      }
      present++;
      // Half of all properties have a bare type, and a test in place takes half the time of a call.
      switch (bare[index]) {
        case "string":
          if (typeof item !== "string") return false;
          break;
        case "number":
          if (typeof item !== "number") return false;
          break;
        case "integer":
          if (!Number.isInteger(item)) return false;
          break;
        case "boolean":
          if (typeof item !== "boolean") return false;
          break;
        default:
          if (!(checks[index] as Check)(item)) return false;
      }
    }
    if (!closed) return true;
    // Counting is cheaper than looking every key up; where the counts differ, the keys decide.
    let keys = 0;
    for (const key in value) if (++keys > count && !known.has(key) && Object.hasOwn(value, key)) return false;
    return keys === present && known.size === count ? true : hasOnly(value, known);
  };
}

const always: Check = () => true;

function hasOnly(value: JsonObject, known: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => known.has(key));
}

/** Properties by pattern, and all that are neither named nor matched. */
function compileOthers(node: Node, compile: (node: Node) => Check): ObjectCheck | undefined {
  const patterns = node
    .map("patternProperties")
    .map(([text, each]) => ({ pattern: toPattern(text), check: compile(each) }));
  const rest = node.one("additionalProperties");
  if (patterns.length === 0 && (rest === undefined || isClosed(node))) return undefined;
  const named = new Set(node.map("properties").map(([name]) => name));
  const checkRest = rest === undefined ? always : compile(rest);
  return (value) => {
    for (const key of Object.keys(value)) {
      let matched = named.has(key);
      for (const { pattern, check } of patterns) {
        if (!pattern.test(key)) continue;
        if (!check(value[key])) return false;
        matched = true;
      }
      if (!matched && !checkRest(value[key])) return false;
    }
    return true;
  };
}

function compileNames(node: Node, compile: (node: Node) => Check): ObjectCheck | undefined {
  const names = node.one("propertyNames");
  if (!names) return undefined;
  const check = compile(names);
  return (value) => Object.keys(value).every(check);
}

function compileCount(schema: JsonObject): ObjectCheck | undefined {
  const least = (schema["minProperties"] as number | undefined) ?? 0;
  const most = (schema["maxProperties"] as number | undefined) ?? Infinity;
  if (least === 0 && most === Infinity) return undefined;
  return (value) => {
    const count = Object.keys(value).length;
    return count >= least && count <= most;
  };
}

function compileDependents(node: Node, compile: (node: Node) => Check): ObjectCheck | undefined {
  const required = Object.entries((node.schema["dependentRequired"] ?? {}) as Record<string, string[]>);
  const schemas = node.map("dependentSchemas").map(([name, each]) => [name, compile(each)] as const);
  if (required.length === 0 && schemas.length === 0) return undefined;
  return (value) =>
    required.every(
      ([name, needed]) => !Object.hasOwn(value, name) || needed.every((key) => Object.hasOwn(value, key)),
    ) && schemas.every(([name, check]) => !Object.hasOwn(value, name) || check(value));
}
