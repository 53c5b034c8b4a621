import { isObject } from "../jsonrpc/json.js";
import type { ResourceDescription, TemplateDescription } from "../protocol/description.js";
import { type CacheHint, NOT_KEPT } from "../protocol/outcome.js";
import { normalizeUri } from "../protocol/uri.js";
import { parseTemplate, type UriTemplate } from "../protocol/uri-template.js";
import { createSchema, type Schema } from "../schema/schema.js";
import type { Kind } from "./catalogue.js";
import { type Completers, choicesOf } from "./complete.js";
import { checkResource, type ListedResource, type Resource, type ResourceTemplate } from "./resource.js";

/** What a server has settled for any resource. */
interface Settled {
  readonly cache: CacheHint;
  /** Its own; undefined = that of the server. */
  readonly timeoutMs: number | undefined;
}

/** A resource as a server holds it. */
export interface RegisteredResource extends Settled {
  readonly resource: Resource;
  /** The form under which it is found. */
  readonly uri: string;
}

/** A family of resources as a server holds it. */
export interface RegisteredTemplate extends Settled {
  readonly template: ResourceTemplate;
  readonly pattern: UriTemplate;
  /** What its variables may be; undefined = text. */
  readonly variables: Schema | undefined;
  readonly completers: Completers;
}

/** Settles a resource for a server. Throws `TypeError` that names it and the fault. */
export function registerResource(resource: Resource, isChecked = false): RegisteredResource {
  if (!isChecked) checkResource(resource);
  return Object.freeze({ resource, uri: normalizeUri(resource.uri), ...settle(resource) });
}

/** What its URI and its schema say of a family. */
type Read = Pick<RegisteredTemplate, "pattern" | "variables" | "completers">;

/**
 * Settles a family of resources for a server. Throws `TypeError` that names it and the fault. One that `isChecked` is read when it
 * is used.
 */
export function registerTemplate(template: ResourceTemplate, isChecked = false): RegisteredTemplate {
  let known: Read | undefined;
  const read = (): Read => (known ??= readTemplate(template));
  if (!isChecked) {
    checkResource(template);
    read();
  }
  return Object.freeze({
    template,
    get pattern() {
      return read().pattern;
    },
    get variables() {
      return read().variables;
    },
    get completers() {
      return read().completers;
    },
    ...settle(template),
  });
}

function readTemplate(template: ResourceTemplate): Read {
  const pattern = parseTemplate(template.uri);
  const variables = readVariables(template, pattern);
  return { pattern, variables, completers: { ...choicesOf(variables?.json ?? {}), ...template.complete } };
}

const settle = ({ cache, timeoutMs }: Resource | ResourceTemplate): Settled => ({
  cache: cache ?? NOT_KEPT,
  timeoutMs,
});

function readVariables({ uri, variables }: ResourceTemplate, pattern: UriTemplate): Schema | undefined {
  if (variables === undefined) return undefined;
  const fault = (reason: string) => new TypeError(`Cannot register resource "${uri}": ${reason}`);
  let schema: Schema;
  let described: readonly string[];
  try {
    // Variables come as text, so numbers and the like are always read from it.
    schema = createSchema(variables, { repair: true, unknownKeys: "refuse", root: "object" });
    described = Object.keys(isObject(schema.json["properties"]) ? schema.json["properties"] : {});
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw fault(error.message.replace(/^Cannot read the schema/, "cannot read the schema of its variables"));
  }
  const odd = described.find((name) => !pattern.variables.includes(name));
  if (odd !== undefined) throw fault(`variables.${odd} is not in its uri`);
  const missing = pattern.variables.find((name) => !described.includes(name));
  if (missing !== undefined) throw fault(`its variables do not say what ${missing} may be`);
  return schema;
}

/** Resources as a catalogue has them. */
export const resourceKind: Kind<RegisteredResource> = {
  word: "resource",
  member: "resources",
  namesOf: ({ uri }) => [uri],
  write: (revision, { resource, uri }) => revision.writeResource(describeResource(resource, uri)),
};

/** Families of resources as a catalogue has them. */
export const templateKind: Kind<RegisteredTemplate> = {
  word: "resource template",
  member: "resourceTemplates",
  namesOf: ({ template }) => [template.uri],
  write: (revision, { template }) => revision.writeResource(describeTemplate(template)),
};

/** A resource as the list shows it: under the one spelling of its URI, with which changes are told too. */
export function describeResource(resource: ListedResource, uri: string): ResourceDescription {
  const { size } = resource;
  return { uri, ...describe(resource), ...(size !== undefined && { size }) };
}

function describeTemplate(template: ResourceTemplate): TemplateDescription {
  return { uriTemplate: template.uri, ...describe(template) };
}

function describe({ name, title, description, mimeType, annotations, icons, meta }: ListedResource | ResourceTemplate) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: meta }),
  };
}
