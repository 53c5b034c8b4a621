import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { eachSubschema, readDialect, toCurrentWords } from "./dialect.js";
import { keywordFault } from "./keywords.js";

const MAX_DEPTH = 64;
const MAX_SUBSCHEMAS = 10_000;
const NAMELESS = "schema:/";

/** A schema with a URI of its own, and the names given inside it. */
interface Resource {
  readonly base: string;
  readonly root: Json;
  readonly anchors: Map<string, JsonObject>;
  readonly dynamicAnchors: Map<string, JsonObject>;
}

/** Where a `$dynamicRef` leads unless an outer resource has the same dynamic anchor. */
interface DynamicTarget {
  readonly schema: Json;
  readonly anchor: string | undefined;
}

/** A whole schema, read once: every subschema checked, every reference led to its target. */
export interface Document {
  readonly root: JsonObject;
  /** The keywords of a subschema in the words of 2020-12, where its own are others. */
  readonly words: ReadonlyMap<JsonObject, JsonObject>;
  readonly homes: ReadonlyMap<JsonObject, Resource>;
  readonly targets: ReadonlyMap<JsonObject, Json>;
  readonly dynamicTargets: ReadonlyMap<JsonObject, DynamicTarget>;
}

interface Reference {
  readonly schema: JsonObject;
  readonly keyword: "$ref" | "$dynamicRef";
  readonly where: string;
}

/** Builds the error an author gets for a schema that cannot be used. */
export function definitionFault(where: string, reason: string): TypeError {
  return new TypeError(`Cannot read the schema${where === "" ? "" : ` at #${where}`}: ${reason}`);
}

/** Reads a JSON Schema; throws a TypeError that names the place and the fault. */
export function readDocument(root: JsonObject): Document {
  const dialect = readDialect(root);
  const resources = new Map<string, Resource>();
  const homes = new Map<JsonObject, Resource>();
  const words = new Map<JsonObject, JsonObject>();
  const targets = new Map<JsonObject, Json>();
  const dynamicTargets = new Map<JsonObject, DynamicTarget>();
  const references: Reference[] = [];
  let count = 0;

  function open(base: string, schema: Json): Resource {
    const known = resources.get(base);
    if (known) return known;
    const resource = { base, root: schema, anchors: new Map(), dynamicAnchors: new Map() };
    resources.set(base, resource);
    return resource;
  }

  function walk(schema: unknown, outer: Resource, where: string, depth: number): void {
    if (++count > MAX_SUBSCHEMAS) throw definitionFault("", `it has more than ${MAX_SUBSCHEMAS} subschemas`);
    if (depth > MAX_DEPTH) throw definitionFault("", `it is nested more than ${MAX_DEPTH} levels deep`);
    if (typeof schema === "boolean") return;
    if (!isObject(schema)) throw definitionFault(where, "a schema must be an object or a boolean");
    const current = toCurrentWords(schema, dialect);
    const fault = keywordFault(current);
    if (fault) throw definitionFault(where, fault);
    const home = nameSchema(schema, current, outer, where);
    homes.set(schema, home);
    if (current !== schema) words.set(schema, current);
    if (current["$ref"] !== undefined) references.push({ schema, keyword: "$ref", where });
    if (current["$dynamicRef"] !== undefined) references.push({ schema, keyword: "$dynamicRef", where });
    eachSubschema(current, (subschema, _, keyword, name) =>
      walk(subschema, home, `${where}/${keyword}${name === undefined ? "" : `/${name}`}`, depth + 1),
    );
  }

  function nameSchema(schema: JsonObject, current: JsonObject, outer: Resource, where: string): Resource {
    const { $id, $anchor, $dynamicAnchor } = current as Record<string, string | undefined>;
    let home = outer;
    if ($id !== undefined) {
      const url = toUrl($id, outer.base, where);
      const anchor = dialect === "draft-07" ? url.hash.slice(1) : "";
      url.hash = "";
      if (!$id.startsWith("#")) home = open(url.href, schema);
      if (anchor !== "") home.anchors.set(anchor, schema);
    }
    if ($anchor !== undefined) home.anchors.set($anchor, schema);
    if ($dynamicAnchor !== undefined) {
      home.anchors.set($dynamicAnchor, schema);
      home.dynamicAnchors.set($dynamicAnchor, schema);
    }
    return home;
  }

  function resolve({ schema, keyword, where }: Reference): DynamicTarget {
    const text = schema[keyword] as string;
    const url = toUrl(text, (homes.get(schema) as Resource).base, where);
    const fragment = decodeFragment(url.hash.slice(1));
    url.hash = "";
    const resource = resources.get(url.href);
    if (!resource) {
      throw definitionFault(
        where,
        `${keyword} ${JSON.stringify(text)} is not in this schema, and none is ever fetched`,
      );
    }
    const target = fragment.startsWith("/") ? follow(resource, fragment, where) : findAnchor(resource, fragment);
    if (target === undefined) throw definitionFault(where, `${keyword} ${JSON.stringify(text)} points at nothing`);
    return { schema: target, anchor: resource.dynamicAnchors.has(fragment) ? fragment : undefined };
  }

  function follow(resource: Resource, pointer: string, where: string): Json | undefined {
    let place: unknown = resource.root;
    let home = resource;
    for (const token of pointer.slice(1).split("/")) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
      place = (place as Record<string, unknown>)[key];
      if (isObject(place)) home = homes.get(place) ?? home;
    }
    // A reference may lead into a keyword nobody knows: what it finds is a schema all the same.
    if (!isObject(place) || !homes.has(place)) walk(place, home, where, 1);
    return place as Json;
  }

  walk(root, open(NAMELESS, root), "", 1);
  // Following a reference may read further schemas, whose references then join the list.
  for (const reference of references) {
    const target = resolve(reference);
    if (reference.keyword === "$ref") targets.set(reference.schema, target.schema);
    else dynamicTargets.set(reference.schema, target);
  }
  return { root, words, homes, targets, dynamicTargets };
}

function findAnchor(resource: Resource, fragment: string): Json | undefined {
  return fragment === "" ? resource.root : resource.anchors.get(fragment);
}

function toUrl(text: string, base: string, where: string): URL {
  try {
    return new URL(text, base);
  } catch {
    throw definitionFault(where, `${JSON.stringify(text)} is not a URI reference`);
  }
}

function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
