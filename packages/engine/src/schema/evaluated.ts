import type { JsonObject } from "../jsonrpc/json.js";
import { toPattern } from "./keywords.js";
import type { Check, Node } from "./node.js";

/** Says whether a schema, having accepted a value, has looked at the part of it under a key or an index. */
type Coverage<Whole, Part> = (value: Whole, part: Part) => boolean;

/** Compiles `unevaluatedProperties` and `unevaluatedItems`, which judge what no other keyword has looked at. */
export function compileUnevaluated(node: Node, compile: (node: Node) => Check): Check[] {
  const checks: Check[] = [];
  const [properties, items] = [node.one("unevaluatedProperties"), node.one("unevaluatedItems")];
  if (properties) {
    const check = compile(properties);
    const covers = coverKeys(node, compile, true);
    checks.push((value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
      const object = value as JsonObject;
      return Object.keys(object).every((key) => covers(object, key) || check(object[key]));
    });
  }
  if (items) {
    const check = compile(items);
    const covers = coverItems(node, compile, true);
    checks.push((value) => !Array.isArray(value) || value.every((item, index) => covers(value, index) || check(item)));
  }
  return checks;
}

/** Compiles which keys of an object a node looks at; as the outermost one, without its own `unevaluatedProperties`. */
export function coverKeys(node: Node, compile: (node: Node) => Check, outermost = false): Coverage<JsonObject, string> {
  const { schema } = node;
  const everything = schema["additionalProperties"] ?? (outermost ? undefined : schema["unevaluatedProperties"]);
  if (everything !== undefined) return () => true;
  const names = new Set(node.map("properties").map(([name]) => name));
  const patterns = node.map("patternProperties").map(([text]) => toPattern(text));
  const dependents = node.map("dependentSchemas").map(([name, each]) => [name, coverKeys(each, compile)] as const);
  const inner = coverInPlace<JsonObject, string>(node, compile, (each) => coverKeys(each, compile));
  return (value, key) =>
    names.has(key) ||
    patterns.some((pattern) => pattern.test(key)) ||
    dependents.some(([name, covers]) => Object.hasOwn(value, name) && covers(value, key)) ||
    inner.some((covers) => covers(value, key));
}

/** Compiles which items of an array a node looks at; as the outermost one, without its own `unevaluatedItems`. */
export function coverItems(
  node: Node,
  compile: (node: Node) => Check,
  outermost = false,
): Coverage<readonly unknown[], number> {
  const { schema } = node;
  const everything = schema["items"] ?? (outermost ? undefined : schema["unevaluatedItems"]);
  if (everything !== undefined) return () => true;
  const named = node.list("prefixItems").length;
  const contains = node.one("contains");
  const inner = coverInPlace<readonly unknown[], number>(node, compile, (each) => coverItems(each, compile));
  return (value, index) =>
    index < named ||
    (contains !== undefined && compile(contains)(value[index])) ||
    inner.some((covers) => covers(value, index));
}

/**
 * What the schemas joined to this one cover: those behind a choice only where they accept the value.
 * This follows references at once, so checks are compiled when a value gets there: they may lead back here.
 */
function coverInPlace<Whole, Part>(
  node: Node,
  compile: (node: Node) => Check,
  cover: (node: Node) => Coverage<Whole, Part>,
): Coverage<Whole, Part>[] {
  const certain = [...node.targets(), ...node.list("allOf")].map(cover);
  const chosen = [...node.list("anyOf"), ...node.list("oneOf")].map((branch): Coverage<Whole, Part> => {
    const covers = cover(branch);
    return (value, part) => compile(branch)(value) && covers(value, part);
  });
  const condition = node.one("if");
  if (!condition) return [...certain, ...chosen];
  const [yes, no] = [node.one("then"), node.one("else")];
  const covers = cover(condition);
  const [coversYes, coversNo] = [yes && cover(yes), no && cover(no)];
  const conditional: Coverage<Whole, Part> = (value, part) =>
    compile(condition)(value)
      ? covers(value, part) || coversYes?.(value, part) === true
      : coversNo?.(value, part) === true;
  return [...certain, ...chosen, conditional];
}
