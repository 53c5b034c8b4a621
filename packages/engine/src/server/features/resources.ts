import { invalidParams, type RpcError, resourceNotFound, truncate } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject, type JsonRpcRequest } from "../../jsonrpc/messages.js";
import { isBase64 } from "../../protocol/content.js";
import { NO_CACHE } from "../../protocol/outcome.js";
import { normalizeUri } from "../../protocol/uri.js";
import type { Call } from "../call.js";
import { compatError } from "../compat/error-codes.js";
import { type RegisteredTemplate, type Resource, type ResourceTemplate, uriIssue } from "../definitions/resource.js";
import { type Method, readCursor } from "../method.js";
import type { RequestContext } from "../request-context.js";
import type { ServerState } from "../state.js";
import { invokeHandler } from "./invoke-handler.js";

/** `resources/templates/list` */
export const listTemplates: Method = {
  handle({ state, revision, request }) {
    return state.registry.templates.page(revision, readCursor(request), state.serverInfoMeta);
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
        if (value === undefined) throw notFound(ctx, requestedUri);
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
  const found = findResource(ctx.state, uri);
  if (found === undefined) throw notFound(ctx, requestedUri);
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

function notFound({ state, revision }: RequestContext, requestedUri: string): RpcError {
  const error = resourceNotFound(requestedUri);
  const { errorCodes } = state.settings;
  return (revision.handshake && compatError(errorCodes, "UNKNOWN_RESOURCE", error.message)) || error;
}

/** The resource with this normalized URI, registered or of a template; undefined if there is none. */
export function findResource({ registry }: ServerState, uri: string): FoundResource | undefined {
  const entry = registry.resources.byName.get(uri);
  if (entry !== undefined) {
    const { resource: definition, cache, timeoutMs } = entry;
    return { uri, definition, cache, timeoutMs, read: (call) => definition.read(call) };
  }
  const match = matchTemplate(registry.templates.entries, uri);
  if (match === undefined) return undefined;
  const { template: definition, cache, timeoutMs } = match.entry;
  return { uri, definition, cache, timeoutMs, read: (call) => readTemplate(match, uri, call) };
}

/** The resource template that a request names, by its URI template or by a matching URI. Throws `RpcError` if there is none. */
export function findTemplate({ registry }: ServerState, uri: string): RegisteredTemplate {
  const named = registry.templates.byName.get(uri);
  if (named !== undefined) return named;
  const normalized = tryNormalizeUri(uri);
  const match = normalized === undefined ? undefined : matchTemplate(registry.templates.entries, normalized);
  if (match === undefined) throw invalidParams(`Unknown resource template: ${truncate(uri)}`);
  return match.entry;
}

/** A template that matches a URI, and the values of its variables. */
interface TemplateMatch {
  readonly entry: RegisteredTemplate;
  readonly values: object;
}

function matchTemplate(entries: readonly RegisteredTemplate[], uri: string): TemplateMatch | undefined {
  for (const entry of entries) {
    const values = entry.pattern.match(uri);
    if (values !== undefined) return { entry, values };
  }
  return undefined;
}

async function readTemplate({ entry, values }: TemplateMatch, uri: string, call: Call): Promise<unknown> {
  const { template, variables } = entry;
  if (variables === undefined) return template.read(values as never, call);
  const validated = await variables.validate(values);
  if (validated.ok) return template.read(validated.value as never, call);
  throw invalidParams(`Invalid params: invalid uri: ${validated.issues.join("; ")}`, { uri: truncate(uri) });
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
