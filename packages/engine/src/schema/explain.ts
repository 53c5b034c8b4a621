import { canonicalJson, isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { allowedValues, discriminators } from "./analyze.js";
import {
  branchesOfSameType,
  closestBranch,
  knownPropertyNames,
  propertySchemas,
  requiredProperties,
  unknownProperties,
} from "./applicable-schemas.js";
import { closestMatch } from "./closest-match.js";
import { compileEnum, compileNumber, compileString } from "./compile-types.js";
import { describe, describeMissing, describeSize, formatList, formatValue, joinPath, quoteText } from "./describe.js";
import { getOwn, jsonTypeOf } from "./json-value.js";
import type { SchemaNode } from "./schema-node.js";

const MAX_ISSUES = 20;
const MAX_VISITS = 20_000;

/** The keys and indexes that lead to a part of a value. */
export type ValuePath = readonly (string | number)[];

/** One thing that is wrong with a value. */
export interface Issue {
  readonly path: ValuePath;
  readonly message: string;
  readonly isUnknownProperty?: boolean;
}

/** Collects the issues of one part of a value and, through its children, of everything in it. The search ends when it is full. */
class IssueScope {
  readonly path: ValuePath;
  /** The issues of the whole value so far. */
  readonly issues: Issue[];
  readonly #visits: { count: number };

  constructor(path: ValuePath = [], issues: Issue[] = [], visits = { count: 0 }) {
    this.path = path;
    this.issues = issues;
    this.#visits = visits;
  }

  /** Whether there are more issues than are shown, or too many parts were visited. */
  get isFull(): boolean {
    return this.issues.length > MAX_ISSUES || this.#visits.count > MAX_VISITS;
  }

  /** How many more issues are worth finding. */
  get capacity(): number {
    return MAX_ISSUES + 1 - this.issues.length;
  }

  /** Adds an issue of this part. */
  add(message: string, isUnknownProperty = false): void {
    if (this.capacity > 0) this.issues.push({ path: this.path, message, isUnknownProperty });
  }

  /** Counts a visit; false = the search is over. */
  tryVisit(): boolean {
    this.#visits.count++;
    return !this.isFull;
  }

  /** The scope of a property or item. */
  child(key: string | number): IssueScope {
    return new IssueScope([...this.path, key], this.issues, this.#visits);
  }
}

/** Finds what is wrong with an invalid value, so that a model can correct itself. */
export function collectIssues(root: SchemaNode, value: unknown): readonly Issue[] {
  const scope = new IssueScope();
  collectInvalid(root, value, scope);
  return scope.issues;
}

/** Formats issues, a line each, the first twenty. */
export function formatIssues(issues: readonly Issue[]): string[] {
  const lines = new Set(
    issues.map(({ path, message }) => (path.length === 0 ? message : `${path.reduce(joinPath, "")}: ${message}`)),
  );
  return lines.size > MAX_ISSUES ? [...[...lines].slice(0, MAX_ISSUES), "and more"] : [...lines];
}

function collectIfInvalid(node: SchemaNode, value: unknown, scope: IssueScope): void {
  if (scope.tryVisit() && !node.accepts(value)) collectInvalid(node, value, scope);
}

/** Collects the issues of one part. This slower walk only runs after the compiled validator has rejected the value. */
function collectInvalid(node: SchemaNode, value: unknown, scope: IssueScope): void {
  const before = scope.issues.length;
  if (node.isFalse || node.ownValues?.length === 0) scope.add("not allowed");
  else if (!hasOwnTypeAndValue(node, value)) addMismatch(node, value, scope);
  else {
    if (Array.isArray(value)) collectArrayIssues(node, value, scope);
    else if (isObject(value)) collectObjectIssues(node, value, scope);
    collectApplicatorIssues(node, value, scope);
  }
  if (scope.issues.length === before) addMismatch(node, value, scope);
}

/** Whether a value matches the node's own type, values and scalar keywords; if not, all other issues would be noise. */
function hasOwnTypeAndValue(node: SchemaNode, value: unknown): boolean {
  const { schema, ownValues } = node;
  if (ownValues && !compileEnum(ownValues)(value)) return false;
  const type = jsonTypeOf(value);
  if (type === undefined) return false;
  const types = schema["type"] === undefined ? [type] : [schema["type"]].flat();
  if (!types.includes(type) && !(types.includes("integer") && Number.isInteger(value))) return false;
  if (typeof value === "number") return compileNumber(schema, "number")(value);
  return typeof value !== "string" || compileString(schema)(value);
}

function addMismatch(node: SchemaNode, value: unknown, scope: IssueScope): void {
  const expected = `expected ${describe(node)}, got ${formatValue(value)}`;
  scope.add(expected + suggestion(value, allowedValues(node) ?? []));
}

function suggestion(value: unknown, allowed: readonly Json[]): string {
  const candidates = allowed.filter((candidate) => typeof candidate === "string");
  const closest = typeof value === "string" && candidates.length > 1 ? closestMatch(value, candidates) : undefined;
  return closest === undefined ? "" : `; did you mean ${quoteText(closest)}?`;
}

function collectApplicatorIssues(node: SchemaNode, value: unknown, scope: IssueScope): void {
  for (const conjunct of node.conjuncts()) collectIfInvalid(conjunct, value, scope);
  for (const keyword of ["anyOf", "oneOf"] as const) collectBranchIssues(node, keyword, value, scope);
  const not = node.subschema("not");
  if (not?.accepts(value)) scope.add(`must not be ${describe(not)}, got ${formatValue(value)}`);
  for (const conditional of node.conditionals(value)) collectIfInvalid(conditional, value, scope);
}

/** Collects the issues of the closest branch only: those of all branches would contradict each other. */
function collectBranchIssues(node: SchemaNode, keyword: "anyOf" | "oneOf", value: unknown, scope: IssueScope): void {
  const branches = node.subschemas(keyword);
  if (branches.length === 0) return;
  const matching = branches.filter((branch) => branch.accepts(value)).length;
  if (matching > 1 && keyword === "oneOf")
    scope.add(`must match exactly one of ${branches.length} schemas, but matches ${matching}: ${formatValue(value)}`);
  if (matching > 0) return;
  const candidates = branchesOfSameType(branches, value);
  if (allowedValues(node) !== undefined || candidates.length === 0) addMismatch(node, value, scope);
  else if (!isObject(value) || !collectDiscriminatorIssue(candidates, value, scope)) {
    const branch = closestBranch(candidates, value);
    if (branch) collectIfInvalid(branch, value, scope);
  }
}

/** If one property distinguishes all branches and matches none of them, that property is the issue. */
function collectDiscriminatorIssue(branches: readonly SchemaNode[], value: object, scope: IssueScope): boolean {
  const [first, ...others] = branches.map(discriminators);
  if (!first || others.length === 0) return false;
  for (const [name, values] of first) {
    if (!others.every((other) => other.has(name))) continue;
    const allowed: Json[] = [...values, ...others.flatMap((other) => other.get(name) ?? [])];
    const actual = getOwn(value, name) as Json | undefined;
    if (actual !== undefined && compileEnum(allowed)(actual)) continue;
    const expected = `one of ${formatList([...new Set(allowed)])}`;
    const message = `expected ${expected}, got ${formatValue(actual)}${suggestion(actual, allowed)}`;
    scope.child(name).add(actual === undefined ? `required, but missing (${expected})` : message);
    return true;
  }
  return false;
}

function collectObjectIssues(node: SchemaNode, value: JsonObject, scope: IssueScope): void {
  collectMissingProperties(node, value, scope);
  for (const key of unknownProperties(node, value, scope.capacity)) addUnknownProperty(node, value, key, scope);
  for (const [key, property] of propertySchemas(node, value)) collectIfInvalid(property, value[key], scope.child(key));
  const keys = Object.keys(value);
  const names = node.subschema("propertyNames");
  const invalidName = names && keys.find((key) => !names.accepts(key));
  if (invalidName !== undefined) scope.child(invalidName).add(`the name must be ${describe(names as SchemaNode)}`);
  const { minProperties = 0, maxProperties = Infinity } = node.schema as Record<string, number>;
  if (keys.length < minProperties || keys.length > maxProperties)
    scope.add(`expected ${describeSize(node.schema, "Properties", "key")}, got ${keys.length}`);
}

function collectMissingProperties(node: SchemaNode, value: JsonObject, scope: IssueScope): void {
  const properties = new Map(node.namedSubschemas("properties"));
  for (const name of requiredProperties(node, value)) {
    if (getOwn(value, name) !== undefined) continue;
    const property = properties.get(name);
    const description = property ? ` (${describeMissing(property)})` : "";
    scope.child(name).add(`required, but missing${description}`);
  }
}

function addUnknownProperty(node: SchemaNode, value: JsonObject, key: string, scope: IssueScope): void {
  const noun = scope.path.length === 0 ? "argument" : "property";
  const names = knownPropertyNames(node);
  const absent = names.filter((name) => !Object.hasOwn(value, name));
  const closest = closestMatch(key, absent);
  const known = names.length === 0 ? "none is expected" : `known: ${formatList(names)}`;
  const hint = closest === undefined ? known : `did you mean ${quoteText(closest)}?`;
  scope.child(key).add(`unknown ${noun}; ${hint}`, true);
}

function collectArrayIssues(node: SchemaNode, value: readonly unknown[], scope: IssueScope): void {
  const { minItems = 0, maxItems = Infinity } = node.schema as Record<string, number>;
  if (value.length < minItems || value.length > maxItems) {
    const expected = describeSize(node.schema, "Items", "item");
    scope.add(`expected ${expected}, got ${value.length}`);
  }
  const itemSchema = node.itemSchemas();
  for (const [index, item] of value.entries()) {
    const schema = itemSchema(index);
    if (schema) collectIfInvalid(schema, item, scope.child(index));
  }
  if (node.schema["uniqueItems"] === true) collectDuplicates(value, scope);
  const { minContains = 1, maxContains = Infinity } = node.schema as Record<string, number>;
  const contains = node.subschema("contains");
  const count = contains ? value.filter((item) => contains.accepts(item)).length : 0;
  if (contains && (count < minContains || count > maxContains)) {
    const expected = describeSize({ minContains, ...node.schema }, "Contains", "item");
    scope.add(`expected ${expected} of the form: ${describe(contains)}; got ${count}`);
  }
}

function collectDuplicates(value: readonly unknown[], scope: IssueScope): void {
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    if (scope.isFull) return;
    const text = canonicalJson(item);
    if (seen.has(text))
      scope.child(index).add(`repeats an earlier item, but all must be different: ${formatValue(item)}`);
    seen.add(text);
  }
}
