import { isObject, type Json } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { allowedHere } from "./kinds.js";
import type { Check, Node } from "./node.js";
import { someNode } from "./parts.js";
import { copy, copyObject, own, put } from "./value.js";

/** Gives a valid value with the defaults of absent properties filled in; the same value where nothing is to fill. */
export type Fill = (value: unknown) => unknown;

/** Keywords that may refuse an object because it has one property more; then it stays as it came. */
const MAY_REFUSE_MORE = [
  "maxProperties",
  "propertyNames",
  "patternProperties",
  "unevaluatedProperties",
  "dependentRequired",
  "dependentSchemas",
  "not",
  "if",
  "oneOf",
  "allOf",
  "uniqueItems",
  "maxContains",
];

/** Compiles the defaults that a schema declares; nothing where it declares none, so that most values pass untouched. */
export function compileFill(root: Node): Fill | undefined {
  if (!someNode(root, ({ schema }) => schema["default"] !== undefined)) return undefined;
  const fill = compileNode(root, new Map());
  if (!fill || !someNode(root, mayRefuseMore)) return fill;
  return (value) => {
    const filled = fill(value);
    return filled === value || checkOf(root)(filled) ? filled : value;
  };
}

function mayRefuseMore(node: Node): boolean {
  const compounds = (allowedHere(node) ?? []).some((value) => typeof value === "object" && value !== null);
  return compounds || MAY_REFUSE_MORE.some((keyword) => node.schema[keyword] !== undefined);
}

type Known = Map<Node, { fill: Fill | undefined }>;

/** Compiles one node once; what leads back to it meanwhile gets a fill that has its steps by the time it runs. */
function compileNode(node: Node, known: Known): Fill | undefined {
  const earlier = known.get(node);
  if (earlier) return earlier.fill;
  let steps: Fill[] = [];
  const entry: { fill: Fill | undefined } = {
    fill: (value) => steps.reduce((filled: unknown, step) => step(filled), value),
  };
  known.set(node, entry);
  steps = [
    ...[...node.targets(), ...node.list("allOf")].map((joined) => compileNode(joined, known)),
    ...["anyOf", "oneOf"].map((keyword) => compileChoice(node.list(keyword), known)),
    compileProperties(node, known),
    compileItems(node, known),
    // What holds may depend on what was filled in.
    compileCondition(node, known),
  ].filter((step) => step !== undefined);
  if (steps.length < 2) entry.fill = steps[0];
  return entry.fill;
}

function compileProperties(node: Node, known: Known): Fill | undefined {
  const defaults: [name: string, value: Json][] = [];
  const named = new Map<string, Fill | undefined>();
  for (const [name, property] of node.map("properties")) {
    const value = defaultOf(property);
    if (value !== undefined) defaults.push([name, value]);
    named.set(name, compileNode(property, known));
  }
  const rest = node.one("additionalProperties");
  const fillRest = rest && node.schema["patternProperties"] === undefined ? compileNode(rest, known) : undefined;
  const inner = [...named].filter((entry): entry is [string, Fill] => entry[1] !== undefined);
  if (defaults.length === 0 && inner.length === 0 && !fillRest) return undefined;
  const partsOf = (value: object): typeof inner =>
    fillRest ? [...inner, ...Object.keys(value).flatMap((name) => toRest(name, fillRest))] : inner;
  const toRest = (name: string, fill: Fill): typeof inner => (named.has(name) ? [] : [[name, fill]]);
  return (value) => {
    if (!isObject(value)) return value;
    let filled = value;
    for (const [name, fill] of partsOf(value)) {
      const item = own(value, name);
      const result = item === undefined ? item : fill(item);
      if (result === item) continue;
      if (filled === value) filled = copyObject(value);
      put(filled, name, result as Json);
    }
    for (const [name, item] of defaults) {
      if (own(value, name) !== undefined) continue;
      if (filled === value) filled = copyObject(value);
      put(filled, name, copy((named.get(name)?.(item) ?? item) as Json));
    }
    return filled;
  };
}

function defaultOf(property: Node): Json | undefined {
  const declared = [property, ...property.targets()].map(({ schema }) => schema["default"]);
  const value = declared.find((each) => each !== undefined);
  // JSON Schema lets a default break its own schema; then it is only an annotation.
  return value !== undefined && checkOf(property)(value) ? value : undefined;
}

function compileItems(node: Node, known: Known): Fill | undefined {
  const first = node.list("prefixItems").map((each) => compileNode(each, known));
  const rest = node.one("items");
  const fillRest = rest && compileNode(rest, known);
  if (!fillRest && first.every((fill) => fill === undefined)) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const filled = value.map(
      (item: unknown, index) => (index < first.length ? first[index] : fillRest)?.(item) ?? item,
    );
    return filled.some((item, index) => item !== value[index]) ? filled : value;
  };
}

function compileCondition(node: Node, known: Known): Fill | undefined {
  const condition = node.one("if");
  const [yes, no] = ["then", "else"].map((keyword) => {
    const part = node.one(keyword);
    return part && compileNode(part, known);
  });
  if (!condition || !(yes ?? no)) return undefined;
  return (value) => (checkOf(condition)(value) ? yes : no)?.(value) ?? value;
}

/** The defaults of a choice are those of the first branch that accepts the value. */
function compileChoice(branches: readonly Node[], known: Known): Fill | undefined {
  const choices = branches.map((branch): [Check, Fill | undefined] => [checkOf(branch), compileNode(branch, known)]);
  if (choices.every(([, fill]) => fill === undefined)) return undefined;
  return (value) => choices.find(([check]) => check(value))?.[1]?.(value) ?? value;
}
