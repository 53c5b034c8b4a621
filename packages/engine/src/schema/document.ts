import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { findKeywordError, forEachSubschema, readDialect, upgradeDraft07 } from "./dialects.js";

const MAX_DEPTH = 64;
const MAX_SUBSCHEMAS = 10_000;
const DEFAULT_BASE_URI = "schema:/";

/** A schema resource: a schema with its own base URI, and the anchors declared in it. */
export interface SchemaResource {
  readonly base: string;
  readonly root: Json;
  readonly anchors: Map<string, JsonObject>;
  readonly dynamicAnchors: Map<string, JsonObject>;
}

/** The target of a reference. If a `$dynamicRef` names a dynamic anchor, an outer resource with that anchor overrides it. */
export interface RefTarget {
  readonly schema: Json;
  readonly dynamicAnchor: string | undefined;
}

/** One subschema of a document. */
export interface ParsedSchema {
  /** Its keywords in 2020-12 form. */
  readonly keywords: JsonObject;
  readonly resource: SchemaResource;
  /** The targets of `$ref` and `$dynamicRef`. */
  readonly targets: RefTarget[];
}

/** A parsed schema: every subschema is checked and every reference is resolved. */
export interface SchemaDocument {
  readonly root: JsonObject;
  readonly schemas: ReadonlyMap<JsonObject, ParsedSchema>;
  readonly hasReferences: boolean;
}

interface Reference {
  readonly schema: ParsedSchema;
  readonly keyword: "$ref" | "$dynamicRef";
  readonly path: string;
}

/** Builds the error for a schema that cannot be used. */
export function schemaError(path: string, reason: string): TypeError {
  return new TypeError(`Cannot read the schema${path === "" ? "" : ` at #${path}`}: ${reason}`);
}

/**
 * Parses a JSON Schema. Throws a `TypeError` that names the path and the problem; references that cannot be resolved are left
 * out instead if `skipUnresolved` is set.
 */
export function parseDocument(root: JsonObject, skipUnresolved = false): SchemaDocument {
  const dialect = readDialect(root);
  const resources = new Map<string, SchemaResource>();
  const schemas = new Map<JsonObject, ParsedSchema>();
  const references: Reference[] = [];
  let count = 0;

  function openResource(base: string, schema: Json): SchemaResource {
    const known = resources.get(base);
    if (known) return known;
    const resource = { base, root: schema, anchors: new Map(), dynamicAnchors: new Map() };
    resources.set(base, resource);
    return resource;
  }

  function walk(source: unknown, outer: SchemaResource, path: string, depth: number): void {
    if (++count > MAX_SUBSCHEMAS) throw schemaError("", `it has more than ${MAX_SUBSCHEMAS} subschemas`);
    if (depth > MAX_DEPTH) throw schemaError("", `it is nested more than ${MAX_DEPTH} levels deep`);
    if (typeof source === "boolean") return;
    if (!isObject(source)) throw schemaError(path, "a schema must be an object or a boolean");
    const keywords = upgradeDraft07(source, dialect);
    const problem = findKeywordError(keywords);
    if (problem) throw schemaError(path, problem);
    const resource = registerIdentifiers(source, keywords, outer, path);
    const schema: ParsedSchema = { keywords, resource, targets: [] };
    schemas.set(source, schema);
    if (keywords["$ref"] !== undefined) references.push({ schema, keyword: "$ref", path });
    if (keywords["$dynamicRef"] !== undefined) references.push({ schema, keyword: "$dynamicRef", path });
    forEachSubschema(keywords, (subschema, _, keyword, name) =>
      walk(subschema, resource, `${path}/${keyword}${name === undefined ? "" : `/${name}`}`, depth + 1),
    );
  }

  function registerIdentifiers(
    source: JsonObject,
    keywords: JsonObject,
    outer: SchemaResource,
    path: string,
  ): SchemaResource {
    const { $id, $anchor, $dynamicAnchor } = keywords as Record<string, string | undefined>;
    let resource = outer;
    if ($id !== undefined) {
      const url = toUrl($id, outer.base, path);
      const anchor = dialect === "draft-07" ? url.hash.slice(1) : "";
      url.hash = "";
      if (!$id.startsWith("#")) resource = openResource(url.href, source);
      if (anchor !== "") resource.anchors.set(anchor, source);
    }
    if ($anchor !== undefined) resource.anchors.set($anchor, source);
    if ($dynamicAnchor !== undefined) {
      resource.anchors.set($dynamicAnchor, source);
      resource.dynamicAnchors.set($dynamicAnchor, source);
    }
    return resource;
  }

  function resolve({ schema: { keywords, resource: outer }, keyword, path }: Reference): RefTarget {
    const reference = keywords[keyword] as string;
    const url = toUrl(reference, outer.base, path);
    const fragment = decodeFragment(url.hash.slice(1));
    url.hash = "";
    const resource = resources.get(url.href);
    const name = `${keyword} ${JSON.stringify(reference)}`;
    if (!resource) throw schemaError(path, `${name} is outside this schema; remote schemas are never fetched`);
    let schema: Json | undefined = fragment === "" ? resource.root : resource.anchors.get(fragment);
    if (fragment.startsWith("/")) schema = resolvePointer(resource, fragment, path);
    if (schema === undefined) throw schemaError(path, `${name} points to nothing`);
    const isDynamic = keyword === "$dynamicRef" && resource.dynamicAnchors.has(fragment);
    return { schema, dynamicAnchor: isDynamic ? fragment : undefined };
  }

  function resolvePointer(start: SchemaResource, pointer: string, path: string): Json | undefined {
    let target: unknown = start.root;
    let resource = start;
    for (const token of pointer.slice(1).split("/")) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
      target = (target as Record<string, unknown>)[key];
      if (isObject(target)) resource = schemas.get(target)?.resource ?? resource;
    }
    // A pointer may lead into an unknown keyword; its target has not been parsed yet.
    if (!isObject(target) || !schemas.has(target)) walk(target, resource, path, 1);
    return target as Json;
  }

  walk(root, openResource(DEFAULT_BASE_URI, root), "", 1);
  // Resolving a reference may parse further schemas, which append their own references to the list.
  for (const reference of references) {
    try {
      reference.schema.targets.push(resolve(reference));
    } catch (error) {
      if (!skipUnresolved) throw error;
    }
  }
  return { root, schemas, hasReferences: references.length > 0 };
}

function toUrl(reference: string, base: string, path: string): URL {
  try {
    return new URL(reference, base);
  } catch {
    throw schemaError(path, `${JSON.stringify(reference)} is not a URI reference`);
  }
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
