import { isObject, type JsonObject } from "../../jsonrpc/messages.js";
import { type CacheHint, NO_CACHE } from "../../protocol/outcome.js";
import type { Annotations, Icon, ResourceDescription } from "../../protocol/types.js";
import { normalizeUri } from "../../protocol/uri.js";
import { parseUriTemplate, type UriTemplate } from "../../protocol/uri-template.js";
import type { InferInput, Schema, SchemaSource } from "../../schema/schema.js";
import type { Call } from "../call.js";
import type { CatalogKind } from "../catalog.js";
import * as check from "./checks.js";
import { compileSchema } from "./compile-schema.js";
import { type Completers, completersIssue, enumCompleters } from "./completion.js";
import { atCaller, omitUndefined, requireDefinition } from "./validation.js";

/** One part of the contents of a resource; `uri` and `mimeType` default to those of the resource. */
export type ResourceContents = {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly meta?: JsonObject;
} & ({ readonly text: string } | { readonly blob: Uint8Array | string });

/** What reading a resource returns: text, bytes, contents, or undefined if the resource does not exist. */
export type ResourceValue = string | Uint8Array | ResourceContents | readonly ResourceContents[] | undefined;

/** What resources and resource templates have in common. */
interface ResourceMetadata {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /** The tools that it needs: it is offered only while all of them are available under the tool filter. */
  readonly requires?: readonly string[];
  /** How long and by whom the contents may be cached; not at all by default. */
  readonly cache?: CacheHint;
  /** The timeout for reading, in milliseconds. */
  readonly timeoutMs?: number;
  /**
   * Called when a client subscribes to the resource, or to one of the template. The subscription is confirmed once it has
   * finished, so it can start watching for changes.
   */
  onSubscribe?(): void | Promise<void>;
}

/** A resource that can be passed to a server. */
export interface Resource extends ResourceMetadata {
  readonly uri: string;
  /** The size of the raw contents in bytes, if known. */
  readonly size?: number;
  read(call: Call): ResourceValue | Promise<ResourceValue>;
}

/** A resource that a template lists. */
export interface ListedResource extends Omit<ResourceMetadata, "cache" | "timeoutMs" | "onSubscribe" | "requires"> {
  readonly uri: string;
  readonly size?: number;
}

/** One page of the resources of a template. `nextCursor` is passed to `list` to get the next page. */
export interface ResourcePage {
  readonly resources: readonly ListedResource[];
  readonly nextCursor?: string;
}

/** The options of `resourceTemplate`. */
export interface ResourceTemplateDefinition<Variables extends SchemaSource> extends ResourceMetadata {
  /** An RFC 6570 template, such as `task://{id}` or `file:///{+path}`. */
  readonly uri: string;
  /** The schema of the variables; strings by default. */
  readonly variables?: Variables;
  /** Suggestions for variables. */
  readonly complete?: Completers;
  /** Lists resources for `resources/list`, starting at the `nextCursor` of the previous page. Lists none by default. */
  list?(cursor: string | undefined, call: Call): ResourcePage | Promise<ResourcePage>;
  /** Reads the resource with these variables; undefined: it does not exist. */
  read(variables: InferInput<Variables>, call: Call): ResourceValue | Promise<ResourceValue>;
}

/** A resource template that can be passed to a server. */
export interface ResourceTemplate extends Omit<ResourceTemplateDefinition<SchemaSource>, "read"> {
  read(variables: never, call: Call): ResourceValue | Promise<ResourceValue>;
}

/** A date with a time: the official clients reject a list with a date alone. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

const isIsoDateTime = (text: unknown): boolean =>
  check.isString(text) && ISO_8601.test(text) && !Number.isNaN(Date.parse(text));
const isNonNegativeInteger = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const ANNOTATION_CHECKS: check.Checks<Annotations> = {
  audience: check.optional(
    (value) => check.isArrayOf(value, (role) => role === "user" || role === "assistant"),
    'must be an array of "user" and "assistant"',
  ),
  priority: check.optional(
    (value) => typeof value === "number" && value >= 0 && value <= 1,
    "must be a number from 0 to 1",
  ),
  lastModified: check.optional(isIsoDateTime, "must be an ISO 8601 date and time"),
};

/** Checks the annotations of a resource or of a content block. */
export const annotations: check.Check = check.looseObject(ANNOTATION_CHECKS);

const CACHE_CHECKS: check.Checks<CacheHint> = {
  ttlMs: check.required(isNonNegativeInteger, "must be a non-negative integer"),
  scope: check.required((value) => value === "public" || value === "private", "must be public or private"),
};

/** Checks a cache hint. */
export const cacheHint: check.Check = check.looseObject(CACHE_CHECKS);

const uri: check.Check = (value, path) => (check.isNonEmptyString(value) ? uriIssue(value) : `${path} is missing`);

const LISTED_CHECKS: check.Checks<ListedResource> = {
  uri,
  name: check.requiredString,
  title: check.string,
  description: check.string,
  mimeType: check.string,
  size: check.optional(isNonNegativeInteger, "must be a non-negative integer"),
  annotations,
  icons: check.icons,
  meta: check.meta,
};

/** The options of a resource. */
export const RESOURCE_CHECKS: check.Checks<Resource> = {
  ...LISTED_CHECKS,
  annotations: check.spelledObject(ANNOTATION_CHECKS),
  requires: check.nameList,
  cache: cacheHint,
  timeoutMs: check.positiveNumber,
  onSubscribe: check.optional(check.isFunction, "is not a function"),
  read: check.requiredFunction,
};

const { size: _, ...COMMON_CHECKS } = RESOURCE_CHECKS;
const TEMPLATE_CHECKS: check.Checks<ResourceTemplate> = {
  ...COMMON_CHECKS,
  uri: (template) => captureUriError(() => parseUriTemplate(template as string)),
  variables: check.anything,
  complete: check.anything,
  list: check.optional(check.isFunction, "is not a function"),
};

/** Tells a resource template from a resource: its URI has variables. */
export const isTemplate = (entry: Resource | ResourceTemplate): entry is ResourceTemplate =>
  check.isString(entry?.uri) && isTemplateUri(entry.uri);

/** Tells whether a URI has variables. */
export const isTemplateUri = (text: string): boolean => text.includes("{");

function validateResource(entry: Resource | ResourceTemplate): void {
  requireDefinition("resource", entry);
  if (!check.isNonEmptyString(entry.uri)) throw new TypeError("Cannot define a resource: uri is missing");
  const action = `define resource "${entry.uri}"`;
  if (!isTemplate(entry)) return check.validate(action, entry, RESOURCE_CHECKS);
  check.validate(action, entry, TEMPLATE_CHECKS);
  const issue = completersIssue(entry.complete, parseUriTemplate(entry.uri).variables);
  if (issue !== undefined) throw new TypeError(`Cannot ${action}: ${issue}`);
}

/** Describes what is wrong with a listed resource, or returns undefined. */
export const listedResourceIssue = (entry: ListedResource): string | undefined =>
  check.looseObject(LISTED_CHECKS)(entry, "");

/** Describes what is wrong with a URI, or returns undefined. */
export const uriIssue = (text: string): string | undefined => captureUriError(() => normalizeUri(text));

function captureUriError(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return `invalid uri: ${(error as Error).message}`;
  }
}

/**
 * Defines a resource. Throws `TypeError` that names its URI and the problem.
 *
 * @example
 * const readme = resource({
 *   uri: "file:///readme",
 *   name: "README",
 *   mimeType: "text/markdown",
 *   read: () => readFile("README.md", "utf8"),
 * });
 */
export function resource(definition: Resource): Readonly<Resource> {
  return atCaller(resource, () => {
    if (check.isString(definition?.uri) && isTemplateUri(definition.uri))
      throw new TypeError(
        `Cannot define resource "${definition.uri}": use resourceTemplate for a uri with {variables}`,
      );
    validateResource(definition);
    return Object.freeze({ ...definition, read: definition.read.bind(definition) });
  });
}

/**
 * Defines a resource template. Throws `TypeError` that names its URI and the problem.
 *
 * @example
 * const tasks = resourceTemplate({
 *   uri: "task://{id}",
 *   name: "task",
 *   variables: z.object({ id: z.number() }),
 *   read: ({ id }) => store.getTask(id)?.text,
 * });
 */
export function resourceTemplate<const Variables extends SchemaSource>(
  definition: ResourceTemplateDefinition<Variables>,
): Readonly<ResourceTemplateDefinition<Variables>> {
  return atCaller(resourceTemplate, () => {
    if (check.isString(definition?.uri) && !isTemplateUri(definition.uri))
      throw new TypeError(`Cannot define resource "${definition.uri}": use resource for a uri without {variables}`);
    validateResource(definition);
    // A class instance has its methods on the prototype, which a plain copy would lose.
    const list = definition.list?.bind(definition);
    return Object.freeze({ ...definition, read: definition.read.bind(definition), ...(list && { list }) });
  });
}

/** A resource of a server. */
export interface RegisteredResource {
  readonly resource: Resource;
  /** The normalized URI, by which it is found. */
  readonly uri: string;
  readonly cache: CacheHint;
  /** Undefined: the timeout of the server applies. */
  readonly timeoutMs: number | undefined;
}

/** A resource template of a server. */
export interface RegisteredTemplate extends Omit<RegisteredResource, "resource" | "uri"> {
  readonly template: ResourceTemplate;
  readonly pattern: UriTemplate;
  /** The schema of its variables; undefined: any strings. */
  readonly variables: Schema | undefined;
  readonly completers: Completers;
}

/** Registers a resource with a server. Throws `TypeError` that names the resource and the problem. */
export function registerResource(definition: Resource, isPrevalidated = false): RegisteredResource {
  if (!isPrevalidated) validateResource(definition);
  const { cache = NO_CACHE, timeoutMs } = definition;
  return Object.freeze({ resource: definition, uri: normalizeUri(definition.uri), cache, timeoutMs });
}

/**
 * Registers a resource template with a server. Throws `TypeError` that names the template and the problem. The schema of a
 * prevalidated template is compiled on first use.
 */
export function registerTemplate(template: ResourceTemplate, isPrevalidated = false): RegisteredTemplate {
  if (!isPrevalidated) validateResource(template);
  const pattern = parseUriTemplate(template.uri);
  const action = `register resource "${template.uri}"`;
  const variables =
    template.variables &&
    compileSchema(
      template.variables,
      // The variables of a URI are strings, so numbers and booleans are always parsed.
      { correct: true, unknownProperties: "reject", root: "object", isTrusted: isPrevalidated },
      { action, label: "the schema of its variables" },
    );
  const issue = isPrevalidated ? undefined : variables && variablesIssue(variables, pattern);
  if (issue !== undefined) throw new TypeError(`Cannot ${action}: ${issue}`);
  const { cache = NO_CACHE, timeoutMs } = template;
  return Object.freeze({
    template,
    pattern,
    variables,
    get completers() {
      return { ...enumCompleters(variables?.jsonSchema ?? {}), ...template.complete };
    },
    cache,
    timeoutMs,
  });
}

/** Describes a difference between the variables of a schema and those of the URI template, or returns undefined. */
function variablesIssue({ jsonSchema: { properties } }: Schema, pattern: UriTemplate): string | undefined {
  const described = Object.keys(isObject(properties) ? properties : {});
  const unknown = described.find((name) => !pattern.variables.includes(name));
  if (unknown !== undefined) return `variables.${unknown} is not in its uri`;
  const missing = pattern.variables.find((name) => !described.includes(name));
  return missing && `variables.${missing} is missing`;
}

/** How a catalog lists and finds resources. */
export const resourceKind: CatalogKind<RegisteredResource> = {
  label: "resource",
  member: "resources",
  namesOf: (entry) => [entry.uri],
  write: (revision, entry) => revision.writeResource(describeResource(entry.resource, entry.uri)),
};

/** How a catalog lists and finds resource templates. */
export const templateKind: CatalogKind<RegisteredTemplate> = {
  label: "resource template",
  member: "resourceTemplates",
  namesOf: ({ template }) => [template.uri],
  write: (revision, { template }) =>
    revision.writeResource(omitUndefined({ uriTemplate: template.uri, ...describeMetadata(template) })),
};

/** Describes a resource for a list, by its normalized URI, which change notifications use too. */
export function describeResource(entry: ListedResource, normalizedUri: string): ResourceDescription {
  return omitUndefined({ uri: normalizedUri, ...describeMetadata(entry), size: entry.size });
}

function describeMetadata(entry: ListedResource | ResourceTemplate) {
  const { name, title, description, mimeType, annotations: hints, icons, meta } = entry;
  return { name, title, description, mimeType, annotations: hints, icons, _meta: meta };
}
