import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { isClosed } from "./compile-object.js";
import { kindsOf, marksOf } from "./kinds.js";
import type { Check, Node } from "./node.js";
import { someNode } from "./parts.js";
import { equal, kindOf, own } from "./value.js";

/**
 * Compiles the search for keys that a schema does not know, for values that a library has already accepted:
 * most libraries drop such keys in silence. Nothing where every object is open.
 */
export function compileKnownKeys(root: Node): Check | undefined {
  return someNode(root, isClosed) ? compileNode(root, new Map()) : undefined;
}

type Known = Map<Node, { check: Check | undefined }>;

/** Compiles one node once; what leads back to it meanwhile gets a check that has its steps by the time it runs. */
function compileNode(node: Node, known: Known): Check | undefined {
  const earlier = known.get(node);
  if (earlier) return earlier.check;
  let steps: Check[] = [];
  const entry: { check: Check | undefined } = { check: (value) => steps.every((step) => step(value)) };
  known.set(node, entry);
  steps = [
    compileObject(node, known),
    compileItems(node, known),
    ...[...node.targets(), ...node.list("allOf")].map((joined) => compileNode(joined, known)),
    ...[...node.list("anyOf"), ...node.list("oneOf")].map((branch) => compileBranch(branch, known)),
  ].filter((step) => step !== undefined);
  if (steps.length < 2) entry.check = steps[0];
  return entry.check;
}

function compileObject(node: Node, known: Known): Check | undefined {
  const properties = node.map("properties").map(([name, property]) => ({ name, check: compileNode(property, known) }));
  const rest = node.one("additionalProperties");
  const checkRest = rest && compileNode(rest, known);
  const closed = isClosed(node);
  const inner = properties.flatMap(({ name, check }) => (check ? [{ name, check }] : []));
  if (!closed && !checkRest && inner.length === 0) return undefined;
  const names = properties.map(({ name }) => name);
  const all = new Set(names);
  return (value) => {
    if (!isObject(value)) return true;
    for (const { name, check } of inner) {
      const item = own(value, name);
      if (item !== undefined && !check(item)) return false;
    }
    if (closed) return hasOnly(value, names, all);
    return checkRest === undefined || Object.keys(value).every((key) => all.has(key) || checkRest(value[key]));
  };
}

/** Keys mostly come in the order of the schema, so that walking along both is three times faster than looking each one up. */
function hasOnly(value: JsonObject, names: readonly string[], all: ReadonlySet<string>): boolean {
  let next = 0;
  for (const key in value) {
    let index = next;
    while (index < names.length && names[index] !== key) index++;
    if (index < names.length) next = index + 1;
    else if (!all.has(key) && Object.hasOwn(value, key)) return false;
  }
  return true;
}

function compileItems(node: Node, known: Known): Check | undefined {
  const first = node.list("prefixItems").map((each) => compileNode(each, known));
  const rest = node.one("items");
  const checkRest = rest && compileNode(rest, known);
  if (!checkRest && first.every((check) => check === undefined)) return undefined;
  return (value) =>
    !Array.isArray(value) ||
    value.every((item: unknown, index) => (index < first.length ? first[index] : checkRest)?.(item) !== false);
}

/** A branch of a choice has a say only where the value is of its kind and has its marks. */
function compileBranch(branch: Node, known: Known): Check | undefined {
  const check = compileNode(branch, known);
  if (!check) return undefined;
  const kinds = kindsOf(branch);
  const marks = [...marksOf(branch)];
  return (value) => {
    const kind = kindOf(value);
    if (kind === undefined || !kinds.has(kind)) return true;
    const meant = marks.every(([name, values]) => values.some((allowed) => equal(allowed, own(value as object, name))));
    return !meant || check(value);
  };
}
