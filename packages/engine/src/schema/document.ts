import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { findKeywordError, forEachSubschema, readDialect, upgradeDraft07 } from "./dialects.js";

const MAX_DEPTH = 64;
const MAX_SUBSCHEMAS = 10_000;
const DEFAULT_BASE_URI = "schema:/";

/** A schema resource: a schema with its own base URI, and the anchors declared in it. */
interface SchemaResource {
  readonly base: string;
  readonly root: Json;
  readonly anchors: Map<string, JsonObject>;
  readonly dynamicAnchors: Map<string, JsonObject>;
}

/** The initial target of a `$dynamicRef`; an outer resource with the same dynamic anchor overrides it. */
interface DynamicRefTarget {
  readonly schema: Json;
  readonly anchor: string | undefined;
}

/** A parsed schema: every subschema is checked and every reference is resolved. */
export interface SchemaDocument {
  readonly root: JsonObject;
  /** The 2020-12 form of each subschema that is written in draft-07. */
  readonly upgraded: ReadonlyMap<JsonObject, JsonObject>;
  readonly resources: ReadonlyMap<JsonObject, SchemaResource>;
  readonly refTargets: ReadonlyMap<JsonObject, Json>;
  readonly dynamicRefTargets: ReadonlyMap<JsonObject, DynamicRefTarget>;
}

interface Reference {
  readonly schema: JsonObject;
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
  const resourcesByUri = new Map<string, SchemaResource>();
  const resources = new Map<JsonObject, SchemaResource>();
  const upgraded = new Map<JsonObject, JsonObject>();
  const refTargets = new Map<JsonObject, Json>();
  const dynamicRefTargets = new Map<JsonObject, DynamicRefTarget>();
  const references: Reference[] = [];
  let count = 0;

  function openResource(base: string, schema: Json): SchemaResource {
    const known = resourcesByUri.get(base);
    if (known) return known;
    const resource = { base, root: schema, anchors: new Map(), dynamicAnchors: new Map() };
    resourcesByUri.set(base, resource);
    return resource;
  }

  function walk(schema: unknown, outer: SchemaResource, path: string, depth: number): void {
    if (++count > MAX_SUBSCHEMAS) throw schemaError("", `it has more than ${MAX_SUBSCHEMAS} subschemas`);
    if (depth > MAX_DEPTH) throw schemaError("", `it is nested more than ${MAX_DEPTH} levels deep`);
    if (typeof schema === "boolean") return;
    if (!isObject(schema)) throw schemaError(path, "a schema must be an object or a boolean");
    const current = upgradeDraft07(schema, dialect);
    const problem = findKeywordError(current);
    if (problem) throw schemaError(path, problem);
    const resource = registerIdentifiers(schema, current, outer, path);
    resources.set(schema, resource);
    if (current !== schema) upgraded.set(schema, current);
    if (current["$ref"] !== undefined) references.push({ schema, keyword: "$ref", path });
    if (current["$dynamicRef"] !== undefined) references.push({ schema, keyword: "$dynamicRef", path });
    forEachSubschema(current, (subschema, _, keyword, name) =>
      walk(subschema, resource, `${path}/${keyword}${name === undefined ? "" : `/${name}`}`, depth + 1),
    );
  }

  function registerIdentifiers(
    schema: JsonObject,
    current: JsonObject,
    outer: SchemaResource,
    path: string,
  ): SchemaResource {
    const { $id, $anchor, $dynamicAnchor } = current as Record<string, string | undefined>;
    let resource = outer;
    if ($id !== undefined) {
      const url = toUrl($id, outer.base, path);
      const anchor = dialect === "draft-07" ? url.hash.slice(1) : "";
      url.hash = "";
      if (!$id.startsWith("#")) resource = openResource(url.href, schema);
      if (anchor !== "") resource.anchors.set(anchor, schema);
    }
    if ($anchor !== undefined) resource.anchors.set($anchor, schema);
    if ($dynamicAnchor !== undefined) {
      resource.anchors.set($dynamicAnchor, schema);
      resource.dynamicAnchors.set($dynamicAnchor, schema);
    }
    return resource;
  }

  function tryResolve(reference: Reference): DynamicRefTarget | undefined {
    try {
      return resolve(reference);
    } catch (error) {
      if (skipUnresolved) return undefined;
      throw error;
    }
  }

  function resolve({ schema, keyword, path }: Reference): DynamicRefTarget {
    const reference = schema[keyword] as string;
    const url = toUrl(reference, (resources.get(schema) as SchemaResource).base, path);
    const fragment = decodeFragment(url.hash.slice(1));
    url.hash = "";
    const resource = resourcesByUri.get(url.href);
    const name = `${keyword} ${JSON.stringify(reference)}`;
    if (!resource) throw schemaError(path, `${name} is outside this schema; remote schemas are never fetched`);
    const target = fragment.startsWith("/")
      ? resolvePointer(resource, fragment, path)
      : fragment === ""
        ? resource.root
        : resource.anchors.get(fragment);
    if (target === undefined) throw schemaError(path, `${name} points to nothing`);
    return { schema: target, anchor: resource.dynamicAnchors.has(fragment) ? fragment : undefined };
  }

  function resolvePointer(start: SchemaResource, pointer: string, path: string): Json | undefined {
    let target: unknown = start.root;
    let resource = start;
    for (const token of pointer.slice(1).split("/")) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
      target = (target as Record<string, unknown>)[key];
      if (isObject(target)) resource = resources.get(target) ?? resource;
    }
    // A pointer may lead into an unknown keyword; its target has not been parsed yet.
    if (!isObject(target) || !resources.has(target)) walk(target, resource, path, 1);
    return target as Json;
  }

  walk(root, openResource(DEFAULT_BASE_URI, root), "", 1);
  // Resolving a reference may parse further schemas, which append their own references to the list.
  for (const reference of references) {
    const target = tryResolve(reference);
    if (target === undefined) continue;
    if (reference.keyword === "$ref") refTargets.set(reference.schema, target.schema);
    else dynamicRefTargets.set(reference.schema, target);
  }
  return { root, upgraded, resources, refTargets, dynamicRefTargets };
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
