import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { forEachSubschema, type SubschemaKeyword, toRegExp } from "./dialects.js";
import type { SchemaDocument } from "./document.js";

/** Returns whether a value is valid. For valid values nothing else runs. */
export type Validator = (value: unknown) => boolean;

/** Compiles the validator of a node. Passed in, because compiling needs nodes and nodes need their validator. */
export type CompileNode = (node: SchemaNode) => Validator;

/** How many references one validation may follow; only choices nested in choices come close. */
export const MAX_REFERENCES = 1_000_000;

/** How many more references one validation may follow: ends validations whose cost doubles at every level. */
export interface ReferenceBudget {
  remaining: number;
}

/** The dynamic anchors in scope; the outermost one of each name wins. */
type DynamicScope = ReadonlyMap<string, JsonObject>;

/** One subschema as reached from the root: its keywords, its subschemas and its validator. */
export class SchemaNode {
  /** The keywords, in 2020-12 form; empty for a boolean schema. */
  readonly schema: JsonObject;
  /** Whether this is the schema `false`, which rejects every value. */
  readonly isFalse: boolean;
  /** Whether unknown properties are rejected although the schema itself allows them. */
  closed = false;
  /** Shared by all nodes of a schema. */
  readonly budget: ReferenceBudget;
  readonly #graph: SchemaGraph;
  readonly #source: Json;
  readonly #scope: DynamicScope;
  #validator: Validator | undefined;

  constructor(graph: SchemaGraph, source: Json, schema: JsonObject, scope: DynamicScope) {
    this.schema = schema;
    this.isFalse = source === false;
    this.budget = graph.budget;
    this.#graph = graph;
    this.#source = source;
    this.#scope = scope;
  }

  /** The compiled check, created on first use. It allocates nothing for a valid value. */
  get validator(): Validator {
    return (this.#validator ??= this.#graph.compile(this));
  }

  /** Returns whether a value is valid for this node. */
  accepts(value: unknown): boolean {
    return this.validator(value);
  }

  /** Returns whether a value is valid, with a new budget of references. */
  acceptsAnew(value: unknown): boolean {
    this.budget.remaining = MAX_REFERENCES;
    return this.validator(value);
  }

  /** Whether only the named properties are allowed. */
  get isClosed(): boolean {
    if (this.schema["patternProperties"] !== undefined) return false;
    return this.closed || this.schema["additionalProperties"] === false;
  }

  /** The names in `required`. */
  get required(): readonly string[] {
    return (this.schema["required"] ?? []) as string[];
  }

  /** The values that `const` or `enum` of this node allows; undefined = it has neither. */
  get ownValues(): readonly Json[] | undefined {
    const { const: value, enum: values } = this.schema;
    return value === undefined ? (values as Json[] | undefined) : [value];
  }

  /** The node of a subschema found in this node's keywords. */
  child(subschema: Json): SchemaNode {
    return this.#graph.node(subschema, this.#scope);
  }

  /** The targets of `$ref` and `$dynamicRef`. */
  refTargets(): SchemaNode[] {
    return this.#graph.refTargets(this.#source, this.#scope);
  }

  /** The nodes of a keyword that holds one schema. */
  subschema(keyword: string): SchemaNode | undefined {
    const subschema = this.schema[keyword];
    return subschema === undefined ? undefined : this.child(subschema);
  }

  /** The nodes of a keyword that holds a list of schemas. */
  subschemas(keyword: string): SchemaNode[] {
    return ((this.schema[keyword] ?? []) as Json[]).map((subschema) => this.child(subschema));
  }

  /** The nodes of a keyword that holds schemas by name. */
  namedSubschemas(keyword: string): [name: string, node: SchemaNode][] {
    return Object.entries((this.schema[keyword] ?? {}) as JsonObject)
      .filter(([, subschema]) => subschema !== undefined)
      .map(([name, subschema]) => [name, this.child(subschema)]);
  }

  /** The names in `properties`. */
  propertyNames(): string[] {
    return this.namedSubschemas("properties").map(([name]) => name);
  }

  /** The compiled patterns of `patternProperties`, each with its node. */
  patternProperties(): [pattern: RegExp, node: SchemaNode][] {
    return this.namedSubschemas("patternProperties").map(([pattern, node]) => [toRegExp(pattern), node]);
  }

  /** A lookup of the schema of an item by its index: `prefixItems` first, then `items`. */
  itemSchemas(): (index: number) => SchemaNode | undefined {
    const prefix = this.subschemas("prefixItems");
    const rest = this.subschema("items");
    return (index) => prefix[index] ?? rest;
  }

  /** The schemas that must all accept the same value: references and `allOf`. */
  conjuncts(): SchemaNode[] {
    return [...this.refTargets(), ...this.subschemas("allOf")];
  }

  /** The branches of `anyOf` and of `oneOf`, a list for each keyword that is present. */
  choices(): SchemaNode[][] {
    return ["anyOf", "oneOf"].map((keyword) => this.subschemas(keyword)).filter((branches) => branches.length > 0);
  }

  /** The `dependentSchemas` that apply to a value. */
  dependents(value: unknown): SchemaNode[] {
    if (!isObject(value)) return [];
    return this.namedSubschemas("dependentSchemas").flatMap(([name, node]) =>
      Object.hasOwn(value, name) ? [node] : [],
    );
  }

  /** The `then` or `else` that applies to a value. */
  conditional(value: unknown): SchemaNode | undefined {
    const condition = this.subschema("if");
    return condition && this.subschema(condition.accepts(value) ? "then" : "else");
  }
}

/** All nodes of one document. Only `$dynamicRef` makes a node depend on the path by which it is reached. */
class SchemaGraph {
  readonly budget: ReferenceBudget = { remaining: 0 };
  readonly compile: CompileNode;
  readonly #document: SchemaDocument;
  readonly #nodes = new Map<DynamicScope, Map<Json, SchemaNode>>();
  readonly #scopes = new Map<string, DynamicScope>();

  constructor(document: SchemaDocument, compile: CompileNode) {
    this.#document = document;
    this.compile = compile;
  }

  node(source: Json, outer: DynamicScope): SchemaNode {
    const scope = this.#enterScope(source, outer);
    let nodes = this.#nodes.get(scope);
    if (!nodes) this.#nodes.set(scope, (nodes = new Map()));
    let node = nodes.get(source);
    if (!node) {
      const schema = this.#document.upgraded.get(source as JsonObject) ?? (isObject(source) ? source : {});
      nodes.set(source, (node = new SchemaNode(this, source, schema, scope)));
    }
    return node;
  }

  refTargets(source: Json, scope: DynamicScope): SchemaNode[] {
    const targets: SchemaNode[] = [];
    const target = this.#document.refTargets.get(source as JsonObject);
    if (target !== undefined) targets.push(this.node(target, scope));
    const dynamic = this.#document.dynamicRefTargets.get(source as JsonObject);
    if (dynamic) {
      const outermost = dynamic.anchor === undefined ? undefined : scope.get(dynamic.anchor);
      targets.push(this.node(outermost ?? dynamic.schema, scope));
    }
    return targets;
  }

  #enterScope(source: Json, outer: DynamicScope): DynamicScope {
    const resource = this.#document.resources.get(source as JsonObject);
    if (!resource || this.#document.dynamicRefTargets.size === 0) return outer;
    const added = [...resource.dynamicAnchors].filter(([name]) => !outer.has(name));
    if (added.length === 0) return outer;
    const scope = new Map([...outer, ...added]);
    const key = [...scope]
      .map(([name, schema]) => `${name} ${this.#document.resources.get(schema)?.base}`)
      .toSorted()
      .join("\n");
    const known = this.#scopes.get(key) ?? scope;
    this.#scopes.set(key, known);
    return known;
  }
}

/** Returns the root node of a document, from which all others are reached. */
export function createRootNode(document: SchemaDocument, compile: CompileNode): SchemaNode {
  return new SchemaGraph(document, compile).node(document.root, new Map());
}

/** Returns the nodes that apply to the same value as a node: its references, and `allOf`, `anyOf`, `not` and so on. */
export function inPlaceSubschemas(node: SchemaNode): SchemaNode[] {
  return [...node.refTargets(), ...subschemasApplyingTo(node, "same value")];
}

/** Returns the nodes that apply to the properties and items of a node's value. */
export function childSubschemas(node: SchemaNode): SchemaNode[] {
  return subschemasApplyingTo(node, "part");
}

/** Returns whether the predicate is true for a node or any node that it leads to. */
export function someDescendant(root: SchemaNode, predicate: (node: SchemaNode) => boolean): boolean {
  const nodes = new Set([root]);
  for (const node of nodes) {
    if (predicate(node)) return true;
    for (const subschema of [...inPlaceSubschemas(node), ...childSubschemas(node)]) nodes.add(subschema);
  }
  return false;
}

function subschemasApplyingTo(node: SchemaNode, wanted: SubschemaKeyword["appliesTo"]): SchemaNode[] {
  const found: SchemaNode[] = [];
  forEachSubschema(node.schema, (subschema, appliesTo) => {
    if (appliesTo === wanted) found.push(node.child(subschema));
  });
  return found;
}
