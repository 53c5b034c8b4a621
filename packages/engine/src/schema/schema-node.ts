import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { forEachSubschema, type SubschemaKeyword, toRegExp } from "./dialects.js";
import type { ParsedSchema, RefTarget, SchemaDocument, SchemaResource } from "./document.js";

/** Returns whether a value is valid. For valid values nothing else runs. */
export type Validator = (value: unknown) => boolean;

/** Compiles the validator of a node. Passed in, because compiling needs nodes and nodes need their validator. */
export type CompileNode = (node: SchemaNode) => Validator;

/** How many references one validation may follow; only choices nested in choices come close. */
export const MAX_REFERENCES = 1_000_000;

/** One subschema as reached from the root: its keywords, its subschemas and its validator. */
export class SchemaNode {
  /** The keywords, in 2020-12 form; empty for a boolean schema. */
  readonly schema: JsonObject;
  /** Whether this is the schema `false`, which rejects every value. */
  readonly isFalse: boolean;
  /** Whether unknown properties are rejected although the schema itself allows them. */
  closed = false;
  /** How many more references the current validation may follow; shared by all nodes of a schema. */
  readonly budget: { remaining: number };
  readonly #graph: SchemaGraph;
  readonly #targets: readonly RefTarget[];
  readonly #scope: DynamicScope;
  #validator: Validator | undefined;

  constructor(graph: SchemaGraph, source: Json, parsed: ParsedSchema | undefined, scope: DynamicScope) {
    this.schema = parsed?.keywords ?? {};
    this.isFalse = source === false;
    this.budget = graph.budget;
    this.#graph = graph;
    this.#targets = parsed?.targets ?? [];
    this.#scope = scope;
  }

  /** The compiled check, created on first use. It allocates nothing for a valid value. */
  get validator(): Validator {
    return (this.#validator ??= this.#graph.compile(this));
  }

  accepts(value: unknown): boolean {
    return this.validator(value);
  }

  /** Whether only the named properties are allowed. */
  get isClosed(): boolean {
    if (this.schema["patternProperties"] !== undefined) return false;
    return this.closed || this.schema["additionalProperties"] === false;
  }

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
    return this.#targets.map(({ schema, dynamicAnchor = "" }) =>
      this.child(this.#scope.anchors.get(dynamicAnchor) ?? schema),
    );
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

  /** The schemas that apply because of what the value is: `then` or `else`, and `dependentSchemas`. */
  conditionals(value: unknown): SchemaNode[] {
    const condition = this.subschema("if");
    const consequence = condition && this.subschema(condition.accepts(value) ? "then" : "else");
    const dependents = isObject(value) ? this.namedSubschemas("dependentSchemas") : [];
    const applying = dependents.filter(([name]) => Object.hasOwn(value as JsonObject, name)).map(([, node]) => node);
    return consequence ? [consequence, ...applying] : applying;
  }
}

/** The dynamic anchors in scope, of which the outermost one of each name wins, and the nodes reached in that scope. */
interface DynamicScope {
  readonly anchors: ReadonlyMap<string, JsonObject>;
  readonly nodes: Map<Json, SchemaNode>;
}

/** All nodes of one document. Only `$dynamicRef` makes a node depend on the path by which it is reached. */
class SchemaGraph {
  readonly budget = { remaining: 0 };
  readonly compile: CompileNode;
  readonly #document: SchemaDocument;
  readonly #scopes: DynamicScope[] = [];

  constructor(document: SchemaDocument, compile: CompileNode) {
    this.#document = document;
    this.compile = compile;
  }

  node(source: Json, outer: DynamicScope): SchemaNode {
    const parsed = this.#document.schemas.get(source as JsonObject);
    const scope = parsed ? this.#enterResource(parsed.resource, outer) : outer;
    let node = scope.nodes.get(source);
    if (!node) scope.nodes.set(source, (node = new SchemaNode(this, source, parsed, scope)));
    return node;
  }

  #enterResource({ dynamicAnchors }: SchemaResource, outer: DynamicScope): DynamicScope {
    if ([...dynamicAnchors.keys()].every((name) => outer.anchors.has(name))) return outer;
    const anchors = new Map([...dynamicAnchors, ...outer.anchors]);
    const isSame = ({ anchors: known }: DynamicScope): boolean =>
      known.size === anchors.size && [...anchors].every(([name, schema]) => known.get(name) === schema);
    let scope = this.#scopes.find(isSame);
    if (!scope) this.#scopes.push((scope = { anchors, nodes: new Map() }));
    return scope;
  }
}

/** Returns the root node of a document, from which all others are reached. */
export function createRootNode(document: SchemaDocument, compile: CompileNode): SchemaNode {
  return new SchemaGraph(document, compile).node(document.root, { anchors: new Map(), nodes: new Map() });
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
