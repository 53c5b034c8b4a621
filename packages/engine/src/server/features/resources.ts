import { invalidParams, resourceNotFound, truncate } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject, type JsonRpcRequest } from "../../jsonrpc/messages.js";
import { isBase64 } from "../../protocol/content.js";
import { NO_CACHE } from "../../protocol/outcome.js";
import type { ResourceDescription } from "../../protocol/types.js";
import { normalizeUri } from "../../protocol/uri.js";
import type { Call } from "../call.js";
import { invalidCursor } from "../catalog.js";
import {
  describeResource,
  type ListedResource,
  listedResourceIssue,
  type RegisteredTemplate,
  type Resource,
  type ResourcePage,
  type ResourceTemplate,
  uriIssue,
} from "../definitions/resource.js";
import { type Method, readCursor } from "../method.js";
import type { RegistryView } from "../registry.js";
import { offeredTo, type RequestContext } from "../request-context.js";
import { invokeHandler } from "./invoke-handler.js";

/** Where a page starts: the template to list, and the cursor that it returned. */
interface ListPosition {
  readonly template: RegisteredTemplate;
  readonly cursor: string | undefined;
}

/** `resources/list`: the registered resources first, then those that each template lists. */
export const listResources: Method = {
  handle(ctx) {
    const { state, revision } = ctx;
    const offered = offeredTo(ctx);
    const { resources } = offered;
    const templates = listingTemplates(offered);
    const cursor = readCursor(ctx.request);
    const start = cursor === undefined ? undefined : decodePosition(cursor, templates);
    const { shown, nextCursor } = start === undefined ? resources.slice(cursor) : { shown: [] };
    const [first] = templates;
    if (first === undefined || nextCursor !== undefined) return resources.page(revision, cursor, state.serverInfoMeta);
    const listed = shown.map(({ resource, uri }) => describeResource(resource, uri));
    return invokeHandler(ctx, {
      kind: "resource",
      name: "resources/list",
      run: (call) => collectResources(ctx, start ?? { template: first, cursor: undefined }, listed, call),
      write: (next) => ({
        kind: "plain",
        body: {
          resources: listed.map((description) => revision.writeResource(description)),
          ...(next !== undefined && { nextCursor: encodePosition(next as ListPosition) }),
        },
        cache: resources.cache,
      }),
    });
  },
};

const listingTemplates = ({ templates }: RegistryView): readonly RegisteredTemplate[] =>
  templates.entries.filter(({ template }) => template.list !== undefined);

/** Fills one page, because many clients read only the first. Returns the start of the next page, or undefined. */
async function collectResources(
  ctx: RequestContext,
  start: ListPosition,
  listed: ResourceDescription[],
  call: Call,
): Promise<ListPosition | undefined> {
  const { settings } = ctx.state;
  const offered = offeredTo(ctx);
  const templates = listingTemplates(offered);
  let position: ListPosition | undefined = start;
  while (position !== undefined && listed.length < settings.limits.pageSize) {
    const { template: entry, cursor }: ListPosition = position;
    const { resources, nextCursor } = validatePage(await entry.template.list?.(cursor, call), entry);
    const countBefore = listed.length;
    for (const resource of resources) {
      const uri = normalizeUri(resource.uri);
      // A resource that is also registered on its own is already listed.
      if (offered.resources.byName.get(uri) === undefined) listed.push(describeResource(resource, uri));
    }
    const nextTemplate = templates[templates.indexOf(entry) + 1];
    if (nextCursor !== undefined) position = { template: entry, cursor: nextCursor };
    else position = nextTemplate && { template: nextTemplate, cursor: undefined };
    // A template that returns only cursors must not keep this loop running; the client decides whether to go on.
    if (listed.length === countBefore && nextCursor !== undefined) break;
  }
  return position;
}

/** Throws `TypeError` that names the template and what is wrong with its page. */
function validatePage(value: unknown, { template }: RegisteredTemplate): ResourcePage {
  const { resources, nextCursor } = (isObject(value) ? value : {}) as Record<string, unknown>;
  const createError = (issue: string) =>
    new TypeError(`The list of resource template "${template.uri}" is invalid: ${issue}`);
  if (!Array.isArray(resources)) throw createError("resources must be an array");
  if (nextCursor !== undefined && typeof nextCursor !== "string") throw createError("nextCursor must be a string");
  for (const resource of resources as ListedResource[]) {
    const issue = isObject(resource) ? listedResourceIssue(resource) : "it is not an object";
    if (issue !== undefined) throw createError(`${JSON.stringify(resource)}: ${issue}`);
  }
  return value as ResourcePage;
}

/** A URI template contains no spaces. The cursor is the template's own; without one the list starts from the beginning. */
const POSITION = /^template (\S+)(?: (.*))?$/s;

function encodePosition({ template: { template }, cursor }: ListPosition): string {
  const suffix = cursor === undefined ? "" : ` ${cursor}`;
  return Buffer.from(`template ${template.uri}${suffix}`).toString("base64url");
}

/** Returns undefined for a cursor of the registered resources. Throws `RpcError` for an unknown template. */
function decodePosition(cursor: string, templates: readonly RegisteredTemplate[]): ListPosition | undefined {
  const match = POSITION.exec(Buffer.from(cursor, "base64url").toString());
  if (match === null) return undefined;
  const template = templates.find((entry) => entry.template.uri === match[1]);
  if (template === undefined) throw invalidCursor();
  return { template, cursor: match[2] };
}

/** `resources/templates/list` */
export const listTemplates: Method = {
  handle(ctx) {
    return offeredTo(ctx).templates.page(ctx.revision, readCursor(ctx.request), ctx.state.serverInfoMeta);
  },
};

/** `resources/read` */
export const readResource: Method = {
  handle(ctx) {
    const found = requireResource(ctx);
    const { uri, requestedUri, definition, timeoutMs } = found;
    const { inputResponses, requestState } = ctx.request.params ?? {};
    // A result that depends on input of one person must not be cached for others.
    const usesInput = inputResponses !== undefined || requestState !== undefined;
    return invokeHandler(ctx, {
      kind: "resource",
      name: uri,
      timeoutMs,
      run: (call) => found.read(call),
      write(value) {
        if (value === undefined) throw resourceNotFound(requestedUri);
        const contents = ctx.revision.writeResourceContents(
          toResourceContents(value, requestedUri, definition.mimeType),
        );
        return { kind: "plain", body: { contents: [...contents] }, cache: usesInput ? NO_CACHE : found.cache };
      },
    });
  },
};

/** A resource that a request names. */
interface FoundResource {
  /** The normalized URI. */
  readonly uri: string;
  readonly definition: Resource | ResourceTemplate;
  readonly cache: RegisteredTemplate["cache"];
  readonly timeoutMs: number | undefined;
  read(call: Call): unknown;
}

/** The resource that a request names, with the URI as the client sent it. Throws `RpcError` if there is none. */
export function requireResource(ctx: RequestContext): FoundResource & { readonly requestedUri: string } {
  const { uri, requestedUri } = readUri(ctx.request);
  const found = findResource(ctx, uri);
  if (found === undefined) throw resourceNotFound(requestedUri);
  return { ...found, requestedUri };
}

/** The URI of a request, normalized and as the client sent it. Throws `RpcError` if it is not a valid URI. */
export function readUri({ params }: JsonRpcRequest): { uri: string; requestedUri: string } {
  const requestedUri = params?.["uri"];
  if (typeof requestedUri !== "string") throw invalidParams('Invalid params: "uri" must be a string');
  try {
    return { uri: normalizeUri(requestedUri), requestedUri };
  } catch (error) {
    throw invalidParams(`Invalid params: invalid uri: ${(error as Error).message}`, { uri: truncate(requestedUri) });
  }
}

/** The normalized URI; undefined if it is not a valid URI. */
export function tryNormalizeUri(requestedUri: string): string | undefined {
  try {
    return normalizeUri(requestedUri);
  } catch {
    return undefined;
  }
}

/** The resource with this normalized URI, registered or of a template; undefined if there is none. */
export function findResource(ctx: RequestContext, uri: string): FoundResource | undefined {
  const offered = offeredTo(ctx);
  const entry = offered.resources.byName.get(uri);
  if (entry !== undefined) {
    const { resource: definition, cache, timeoutMs } = entry;
    return { uri, definition, cache, timeoutMs, read: (call) => definition.read(call) };
  }
  const match = matchTemplate(offered, uri);
  if (match === undefined) return undefined;
  const { template: definition, variables, cache, timeoutMs } = match.entry;
  const read = async (call: Call): Promise<unknown> => {
    if (variables === undefined) return definition.read(match.values as never, call);
    const validated = await variables.validate(match.values);
    if (validated.ok) return definition.read(validated.value as never, call);
    throw invalidParams(`Invalid params: invalid uri: ${validated.issues.join("; ")}`, { uri: truncate(uri) });
  };
  return { uri, definition, cache, timeoutMs, read };
}

/** The resource template that a request names, by its URI template or by a matching URI. Throws `RpcError` if there is none. */
export function findTemplate(ctx: RequestContext, uri: string): RegisteredTemplate {
  const offered = offeredTo(ctx);
  const named = offered.templates.byName.get(uri);
  if (named !== undefined) return named;
  const normalized = tryNormalizeUri(uri);
  const match = normalized === undefined ? undefined : matchTemplate(offered, normalized);
  if (match === undefined) throw invalidParams(`Unknown resource template: ${truncate(uri)}`);
  return match.entry;
}

/** The first template that matches a URI, and the values of its variables. */
function matchTemplate({ templates }: RegistryView, uri: string) {
  for (const entry of templates.entries) {
    const values: object | undefined = entry.pattern.match(uri);
    if (values !== undefined) return { entry, values };
  }
  return undefined;
}

/** Converts what a handler returned to the contents of the newest revision. Throws `TypeError` for anything else. */
function toResourceContents(value: unknown, uri: string, mimeType: string | undefined): JsonObject[] {
  if (typeof value === "string") return [toContents({ text: value }, uri, mimeType)];
  if (value instanceof Uint8Array) return [toContents({ blob: value }, uri, mimeType)];
  // Copied, because `map` skips the holes of a sparse array.
  const parts: readonly unknown[] = Array.isArray(value) ? [...value] : [value];
  if (parts.length === 0)
    throw new TypeError("A resource returned an empty array; return undefined if the resource does not exist");
  return parts.map((part) => toContents(part, uri, mimeType));
}

function toContents(contents: unknown, uri: string, mimeType: string | undefined): JsonObject {
  const { text, blob, meta, ...own } = (isObject(contents) ? contents : {}) as Record<string, unknown>;
  const type = own["mimeType"] ?? mimeType;
  const issue = typeof own["uri"] === "string" ? uriIssue(own["uri"]) : undefined;
  if (issue !== undefined) throw new TypeError(`A resource returned contents with an ${issue}`);
  return {
    uri: typeof own["uri"] === "string" ? own["uri"] : uri,
    ...(typeof type === "string" && { mimeType: type }),
    ...(typeof text === "string" ? { text } : { blob: toBase64(blob) }),
    ...(isObject(meta) && { _meta: meta }),
  };
}

function toBase64(blob: unknown): string {
  if (blob instanceof Uint8Array) return Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength).toString("base64");
  if (typeof blob !== "string") throw new TypeError("A resource returned neither text nor bytes");
  if (!isBase64(blob)) throw new TypeError("A resource returned a blob that is a string, but not base64");
  return blob;
}
