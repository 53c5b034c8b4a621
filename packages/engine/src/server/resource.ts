import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { Annotations, Icon } from "../protocol/description.js";
import type { CacheHint } from "../protocol/outcome.js";
import { normalizeUri } from "../protocol/uri.js";
import { parseTemplate } from "../protocol/uri-template.js";
import type { InferInput, SchemaSource } from "../schema/schema.js";
import type { Call } from "./call.js";
import { type Completers, completersFault } from "./complete.js";
import { describedFault } from "./described.js";
import { refuseUnknown } from "./known-members.js";

/** One piece of what a resource holds; without a `uri` or `mimeType` of its own it has those of the resource. */
export type ResourcePiece = {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly meta?: JsonObject;
} & ({ readonly text: string } | { readonly blob: Uint8Array | string });

/** What reading a resource may give: text, bytes, pieces of either, or undefined where there is no such resource. */
export type ResourceValue = string | Uint8Array | ResourcePiece | readonly ResourcePiece[] | undefined;

/** What resources and families of them have in common. */
interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /** How long and by whom what was read may be kept; by nobody by default. */
  readonly cache?: CacheHint;
  /** How long reading may take, in milliseconds. */
  readonly timeoutMs?: number;
  /**
   * Called when a client begins to watch it, or one of the family; only when it is done does the client hear that it watches. The
   * place to begin looking for changes that nobody else tells of.
   */
  watched?(): void | Promise<void>;
}

/** One resource: a value, ready to be given to a server. */
export interface Resource extends Described {
  readonly uri: string;
  /** Raw bytes, where they are known. */
  readonly size?: number;
  read(call: Call): ResourceValue | Promise<ResourceValue>;
}

/** A resource of a family, as the list shows it. */
export interface ListedResource extends Omit<Described, "cache" | "timeoutMs" | "watched"> {
  readonly uri: string;
  readonly size?: number;
}

/** Some resources of a family, and what to pass on for the next ones. */
export interface ResourceListing {
  readonly resources: readonly ListedResource[];
  readonly next?: string;
}

/** What `resourceTemplate` takes. */
export interface ResourceTemplateDefinition<Variables extends SchemaSource> extends Described {
  /** An RFC 6570 template, such as `task://{id}` or `file:///{+path}`. */
  readonly uri: string;
  /** What the variables may be; text by default. */
  readonly variables?: Variables;
  /** Suggestions for variables. */
  readonly complete?: Completers;
  /** The resources of the family that `resources/list` shows; none by default. `after` is the `next` of an earlier listing. */
  list?(after: string | undefined, call: Call): ResourceListing | Promise<ResourceListing>;
  /** Reads the resource that these variables name; undefined = there is none. */
  read(variables: InferInput<Variables>, call: Call): ResourceValue | Promise<ResourceValue>;
}

/** A family of resources: a value, ready to be given to a server. */
export interface ResourceTemplate extends Omit<ResourceTemplateDefinition<SchemaSource>, "read"> {
  read(variables: never, call: Call): ResourceValue | Promise<ResourceValue>;
}

const RESOURCE: Readonly<Record<keyof Resource, true>> = {
  uri: true,
  name: true,
  title: true,
  description: true,
  mimeType: true,
  size: true,
  annotations: true,
  icons: true,
  meta: true,
  cache: true,
  timeoutMs: true,
  watched: true,
  read: true,
};

const { size: _, ...COMMON } = RESOURCE;
const TEMPLATE: Readonly<Record<keyof ResourceTemplate, true>> = {
  ...COMMON,
  variables: true,
  complete: true,
  list: true,
};

/** A moment, not a day: the official clients refuse a list with less in it. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

const isDate = (text: string): boolean => ISO_8601.test(text) && !Number.isNaN(Date.parse(text));

const isRole = (one: unknown): boolean => one === "user" || one === "assistant";

/** Tells a family of resources from a single one: only its URI has variables. */
export const isTemplate = (entry: Resource | ResourceTemplate): entry is ResourceTemplate => isTemplateUri(entry.uri);

/** Tells the URI of a family from that of a single resource. */
export const isTemplateUri = (uri: string): boolean => uri.includes("{");

/** Checks a resource or a family. Throws `TypeError` that names it and the fault. */
export function checkResource(entry: Resource | ResourceTemplate): void {
  if (typeof entry.uri !== "string" || entry.uri === "")
    throw new TypeError("Cannot define a resource: uri is missing");
  const deed = `define resource "${entry.uri}"`;
  refuseUnknown(deed, entry, isTemplate(entry) ? TEMPLATE : RESOURCE);
  const reason = isTemplate(entry) ? templateFault(entry) : listedFault(entry);
  const fault = reason ?? handlingFault(entry);
  if (fault !== undefined) throw new TypeError(`Cannot ${deed}: ${fault}`);
}

/** Says what is wrong with a resource as the list shows it; undefined where nothing is. */
export function listedFault(entry: ListedResource): string | undefined {
  const { uri, size } = entry;
  if (typeof uri !== "string") return "uri is missing";
  if (size !== undefined && !(Number.isSafeInteger(size) && size >= 0)) return "size must be a whole number of bytes";
  return uriFault(uri) ?? listingFault(entry);
}

function templateFault(entry: ResourceTemplate): string | undefined {
  const { uri, complete } = entry;
  if (entry.list !== undefined && typeof entry.list !== "function") return "list is not a function";
  let variables: readonly string[] = [];
  const reason = reasonOf(() => {
    ({ variables } = parseTemplate(uri));
  });
  return reason ?? completersFault(complete, variables) ?? listingFault(entry);
}

function listingFault(entry: ListedResource | ResourceTemplate): string | undefined {
  if (typeof entry.name !== "string" || entry.name === "") return "name is missing";
  return describedFault(entry) ?? annotationsFault(entry.annotations);
}

function handlingFault(entry: Resource | ResourceTemplate): string | undefined {
  const { cache } = entry;
  if (typeof entry.read !== "function") return "read is not a function";
  if (entry.watched !== undefined && typeof entry.watched !== "function") return "watched is not a function";
  return cacheFault(cache);
}

/** Says what is wrong with annotations; undefined where nothing is. */
export function annotationsFault(annotations: unknown): string | undefined {
  if (annotations === undefined) return undefined;
  if (!isObject(annotations)) return "annotations must be an object";
  const { audience, priority, lastModified }: Annotations = annotations;
  if (audience !== undefined && !(Array.isArray(audience) && audience.every(isRole)))
    return "annotations.audience may hold user and assistant";
  if (priority !== undefined && !(typeof priority === "number" && priority >= 0 && priority <= 1))
    return "annotations.priority must be from 0 to 1";
  if (lastModified !== undefined && !isDate(lastModified))
    return "annotations.lastModified must be a date and time as in ISO 8601";
  return undefined;
}

/** Says what is wrong with a cache hint; undefined where nothing is. */
export function cacheFault(cache: CacheHint | undefined): string | undefined {
  if (cache === undefined) return undefined;
  if (!Number.isSafeInteger(cache.ttlMs) || cache.ttlMs < 0) return "cache.ttlMs must be a whole number from 0 up";
  return cache.scope === "public" || cache.scope === "private" ? undefined : "cache.scope must be public or private";
}

/** Says what is wrong with a URI; undefined where nothing is. */
export const uriFault = (uri: string): string | undefined => reasonOf(() => normalizeUri(uri));

function reasonOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return `its uri is not right: ${(error as Error).message}`;
  }
}

/** Defines one resource. Throws `TypeError` that names it and the fault. */
export function resource(definition: Resource): Readonly<Resource> {
  if (typeof definition.uri === "string" && isTemplate(definition))
    throw new TypeError(`Cannot define resource "${definition.uri}": use resourceTemplate for a uri with {variables}`);
  checkResource(definition);
  return Object.freeze({ ...definition, read: definition.read.bind(definition) });
}

/** Defines a family of resources. Throws `TypeError` that names it and the fault. */
export function resourceTemplate<const Variables extends SchemaSource>(
  definition: ResourceTemplateDefinition<Variables>,
): Readonly<ResourceTemplateDefinition<Variables>> {
  const { uri } = definition;
  if (typeof uri === "string" && !isTemplate(definition))
    throw new TypeError(`Cannot define resource "${uri}": use resource for a uri without {variables}`);
  checkResource(definition);
  // An instance of a class has these on the prototype, which a copy would lose.
  const list = definition.list?.bind(definition);
  return Object.freeze({ ...definition, read: definition.read.bind(definition), ...(list && { list }) });
}
