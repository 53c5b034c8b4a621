import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Document } from "./document.js";

/** Says whether a value is valid: the only thing that runs for a valid value. */
export type Check = (value: unknown) => boolean;

/** How many references one value may still be led through: what ends a search that would double at every level. */
export interface Budget {
  left: number;
}

/** The dynamic anchors met so far on the way to a schema; the outermost of each name counts. */
type Scope = ReadonlyMap<string, JsonObject>;

/** One subschema as it is reached from the root: its keywords, its parts, and what was worked out about it. */
export class Node {
  readonly schema: JsonObject;
  /** True for the schema `false`, which no value satisfies. */
  readonly never: boolean;
  /** True where a key that is not among the properties is refused although the schema does not say so. */
  closed = false;
  /** Compiled at first use. */
  check: Check | undefined;
  /** Shared by all nodes of a schema. */
  readonly budget: Budget;
  readonly #graph: Graph;
  readonly #source: Json;
  readonly #scope: Scope;

  constructor(graph: Graph, source: Json, schema: JsonObject, scope: Scope) {
    this.schema = schema;
    this.never = source === false;
    this.budget = graph.budget;
    this.#graph = graph;
    this.#source = source;
    this.#scope = scope;
  }

  /** The node of a subschema found in this one's keywords. */
  child(subschema: Json): Node {
    return this.#graph.node(subschema, this.#scope);
  }

  /** The nodes that `$ref` and `$dynamicRef` lead to. */
  targets(): Node[] {
    return this.#graph.targets(this.#source, this.#scope);
  }

  /** The nodes in a keyword that holds a list of schemas. */
  list(keyword: string): Node[] {
    return ((this.schema[keyword] ?? []) as Json[]).map((subschema) => this.child(subschema));
  }

  /** The nodes in a keyword that holds named schemas. */
  map(keyword: string): [name: string, node: Node][] {
    return Object.entries((this.schema[keyword] ?? {}) as JsonObject)
      .filter(([, subschema]) => subschema !== undefined)
      .map(([name, subschema]) => [name, this.child(subschema)]);
  }

  /** The node in a keyword that holds one schema. */
  one(keyword: string): Node | undefined {
    const subschema = this.schema[keyword];
    return subschema === undefined ? undefined : this.child(subschema);
  }
}

/** All nodes of one document. The way to a schema matters only where `$dynamicRef` is used. */
class Graph {
  readonly budget: Budget = { left: 0 };
  readonly #document: Document;
  readonly #nodes = new Map<Scope, Map<Json, Node>>();
  readonly #scopes = new Map<string, Scope>();

  constructor(document: Document) {
    this.#document = document;
  }

  node(source: Json, outer: Scope): Node {
    const scope = this.#enter(source, outer);
    let nodes = this.#nodes.get(scope);
    if (!nodes) this.#nodes.set(scope, (nodes = new Map()));
    let node = nodes.get(source);
    if (!node) {
      const schema = this.#document.words.get(source as JsonObject) ?? (isObject(source) ? source : {});
      nodes.set(source, (node = new Node(this, source, schema, scope)));
    }
    return node;
  }

  targets(source: Json, scope: Scope): Node[] {
    const found: Node[] = [];
    const target = this.#document.targets.get(source as JsonObject);
    if (target !== undefined) found.push(this.node(target, scope));
    const dynamic = this.#document.dynamicTargets.get(source as JsonObject);
    if (dynamic) {
      const outermost = dynamic.anchor === undefined ? undefined : scope.get(dynamic.anchor);
      found.push(this.node(outermost ?? dynamic.schema, scope));
    }
    return found;
  }

  #enter(source: Json, outer: Scope): Scope {
    const home = this.#document.homes.get(source as JsonObject);
    if (!home || this.#document.dynamicTargets.size === 0) return outer;
    const fresh = [...home.dynamicAnchors].filter(([name]) => !outer.has(name));
    if (fresh.length === 0) return outer;
    const scope = new Map([...outer, ...fresh]);
    const key = [...scope]
      .map(([name, schema]) => `${name} ${this.#document.homes.get(schema)?.base}`)
      .toSorted()
      .join("\n");
    const known = this.#scopes.get(key) ?? scope;
    this.#scopes.set(key, known);
    return known;
  }
}

const NO_SCOPE: Scope = new Map();

/** Gives the root node of a document, from which all others are reached. */
export function rootNode(document: Document): Node {
  return new Graph(document).node(document.root, NO_SCOPE);
}
