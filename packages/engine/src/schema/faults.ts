import { isObject, type Json } from "../jsonrpc/json.js";
import { checkOf } from "./compile.js";
import { compileNumber, compileString } from "./compile-scalar.js";
import { describe } from "./describe.js";
import { FaultList } from "./fault-list.js";
import { collectArray } from "./faults-array.js";
import { collectObject } from "./faults-object.js";
import { allowedHere, allowedValues, kindsOf, marksOf } from "./kinds.js";
import { closest } from "./levels.js";
import { nearest } from "./nearest.js";
import type { Node } from "./node.js";
import { join, quote, show, showList } from "./show.js";
import { equal, kindOf, own } from "./value.js";

/** Says everything that is wrong with a refused value, one plain line each, for a model to correct itself. */
export function faultsOf(root: Node, value: unknown): string[] {
  return collectFaults(root, value).lines();
}

/** Gathers everything that is wrong with a refused value, for others to add to. */
export function collectFaults(root: Node, value: unknown): FaultList {
  const list = new FaultList();
  collectRefused(root, value, "", list);
  return list;
}

function collect(node: Node, value: unknown, path: string, list: FaultList): void {
  if (list.visit() && !checkOf(node)(value)) collectRefused(node, value, path, list);
}

/** Adds the faults of one part of the value. This second, slower walk runs only after the compiled check has said no. */
function collectRefused(node: Node, value: unknown, path: string, list: FaultList): void {
  const before = list.count;
  if (node.never || allowedHere(node)?.length === 0) list.add(path, "not allowed");
  else if (!collectOwn(node, value, path, list)) collectJoined(node, value, path, list);
  if (list.count === before) list.add(path, () => `expected ${describe(node)}, got ${show(value)}`);
}

/** Adds what the node's own keywords find; true where the value is of a wrong sort altogether, so that more would be noise. */
function collectOwn(node: Node, value: unknown, path: string, list: FaultList): boolean {
  const values = allowedHere(node);
  const misfit =
    (values !== undefined && !values.some((allowed) => equal(allowed, value))) ||
    !hasType(node, value) ||
    (typeof value === "number" && compileNumber(node.schema)?.(value) === false) ||
    (typeof value === "string" && compileString(node.schema)?.(value) === false);
  if (misfit) {
    list.add(path, () => misfitText(node, value));
    return true;
  }
  if (Array.isArray(value)) collectArray(node, value, path, list, collect);
  else if (isObject(value)) collectObject(node, value, path, list, collect);
  return false;
}

function hasType({ schema }: Node, value: unknown): boolean {
  if (schema["type"] === undefined) return kindOf(value) !== undefined;
  const kind = kindOf(value);
  return [schema["type"]]
    .flat()
    .some((type) => type === kind || (type === "integer" && kind === "number" && Number.isInteger(value)));
}

function misfitText(node: Node, value: unknown): string {
  const text = `expected ${describe(node)}, got ${show(value)}`;
  if (typeof value !== "string") return text;
  const words = (allowedValues(node) ?? []).filter((allowed) => typeof allowed === "string");
  const near = words.length > 1 ? nearest(value, words) : undefined;
  return near === undefined ? text : `${text}; did you mean ${quote(near)}?`;
}

function collectJoined(node: Node, value: unknown, path: string, list: FaultList): void {
  for (const joined of [...node.targets(), ...node.list("allOf")]) collect(joined, value, path, list);
  for (const keyword of ["anyOf", "oneOf"] as const) collectChoice(node, keyword, value, path, list);
  const not = node.one("not");
  if (not && checkOf(not)(value)) list.add(path, () => `must not be ${describe(not)}, got ${show(value)}`);
  const condition = node.one("if");
  const chosen = condition && node.one(checkOf(condition)(value) ? "then" : "else");
  if (chosen) collect(chosen, value, path, list);
}

/** Adds the faults of the branch that the value comes closest to: those of all branches would contradict each other. */
function collectChoice(node: Node, keyword: "anyOf" | "oneOf", value: unknown, path: string, list: FaultList): void {
  const branches = node.list(keyword);
  if (branches.length === 0) return;
  const fitting = branches.filter((branch) => checkOf(branch)(value)).length;
  if (fitting > 1 && keyword === "oneOf") {
    list.add(path, `must fit exactly one of ${branches.length} forms, but fits ${fitting}: ${show(value)}`);
  }
  if (fitting > 0) return;
  const kind = kindOf(value);
  const possible = branches.filter((branch) => kind !== undefined && kindsOf(branch).has(kind));
  const whole = allowedValues(node) !== undefined || possible.length === 0;
  if (whole) list.add(path, () => misfitText(node, value));
  else if (!isObject(value) || !collectMark(possible, value, path, list)) {
    const branch = closest(possible, value);
    if (branch) collect(branch, value, path, list);
  }
}

/** Where all branches are told apart by one property and it fits none of them, that property is the fault. */
function collectMark(branches: readonly Node[], value: object, path: string, list: FaultList): boolean {
  const [first, ...others] = branches.map(marksOf);
  if (!first || others.length === 0) return false;
  for (const [name, values] of first) {
    if (!others.every((marks) => marks.has(name))) continue;
    const allowed: Json[] = [...values, ...others.flatMap((marks) => marks.get(name) ?? [])];
    const mark = own(value, name) as Json | undefined;
    if (mark !== undefined && allowed.some((each) => equal(each, mark))) continue;
    list.add(join(path, name), () => markText(allowed, mark));
    return true;
  }
  return false;
}

function markText(allowed: readonly Json[], mark: Json | undefined): string {
  const wanted = `one of ${showList([...new Set(allowed)])}`;
  if (mark === undefined) return `required, but missing (${wanted})`;
  const words = allowed.filter((each) => typeof each === "string");
  const near = typeof mark === "string" ? nearest(mark, words) : undefined;
  return `expected ${wanted}, got ${show(mark)}${near === undefined ? "" : `; did you mean ${quote(near)}?`}`;
}
