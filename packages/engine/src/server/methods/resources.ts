import { invalidParams, limitExceeded, type RpcError, resourceNotFound, shortened } from "../../jsonrpc/errors.js";
import type { Json } from "../../jsonrpc/json.js";
import type { Request } from "../../jsonrpc/messages.js";
import { NOT_KEPT, type Outcome } from "../../protocol/outcome.js";
import { normalizeUri } from "../../protocol/uri.js";
import type { Call } from "../call.js";
import type { Core } from "../core.js";
import type { Exchange } from "../exchange.js";
import { HandlerWork } from "../handler-work.js";
import { legacyError } from "../legacy-codes.js";
import type { RegisteredTemplate } from "../register-resource.js";
import { writePieces } from "../resource-contents.js";
import { listAll } from "../resource-list.js";
import { type Method, readCursor } from "./method.js";

/** `resources/list`: the resources themselves, then those that families list. */
export const listResources: Method = {
  run(exchange) {
    const { core, revision, request } = exchange;
    const cursor = readCursor(request);
    const { resources, templates } = core.registry;
    const [first, ...rest] = templates.entries.filter(({ template }) => template.list !== undefined);
    if (first === undefined) return resources.page(revision, cursor, core.identity);
    return listAll(exchange, [first, ...rest], cursor);
  },
};

/** `resources/templates/list` */
export const listTemplates: Method = {
  run({ core, revision, request }) {
    return core.registry.templates.page(revision, readCursor(request), core.identity);
  },
};

/** `resources/read` */
export const readResource: Method = {
  run(exchange) {
    const { uri, given } = readUri(exchange.request);
    const found = find(exchange.core, uri);
    if (found === undefined) throw absence(exchange, given);
    const { cache, timeoutMs, mimeType } = found;
    exchange.begin(
      new HandlerWork(exchange, {
        kind: "resource",
        name: uri,
        timeoutMs: timeoutMs ?? exchange.core.settings.limits.callTimeoutMs,
        run: (call) => found.read(call),
        write: (value) => {
          if (value === undefined) throw absence(exchange, given);
          const contents = writePieces(value, given, mimeType);
          const { inputResponses, requestState } = exchange.request.params ?? {};
          // What answers of one person went into is nobody else's, also answers of an earlier round.
          const isAnswered = inputResponses !== undefined || requestState !== undefined;
          return {
            kind: "plain",
            body: { contents: [...exchange.revision.writeContents(contents)] },
            cache: isAnswered ? NOT_KEPT : cache,
          };
        },
      }),
    );
    return undefined;
  },
};

const SUBSCRIBED: Outcome = { kind: "text", body: "{}" };

/** `resources/subscribe`: the session hears of changes from now on. */
export const subscribe: Method = {
  run(exchange) {
    const { core, request, link } = exchange;
    const { uri, given } = readUri(request);
    const { watchedResources: most } = core.settings.limits;
    const found = find(core, uri);
    if (found === undefined) throw absence(exchange, given);
    if (link.session.watched >= most && !link.session.isWatching(uri))
      throw limitExceeded("watchedResources", `${most} resources are watched; unsubscribe from one first`);
    const isNew = !link.session.isWatching(uri);
    const begun = found.watched();
    link.session.watch(uri);
    if (begun === undefined) return SUBSCRIBED;
    return begun.then(
      () => SUBSCRIBED,
      (error: unknown) => {
        if (isNew) link.session.unwatch(uri);
        throw error;
      },
    );
  },
};

/** `resources/unsubscribe`: harmless where nothing was watched. */
export const unsubscribe: Method = {
  run({ request, link }) {
    link.session.unwatch(readUri(request).uri);
    return { kind: "text", body: "{}" };
  },
};

/** There is no such resource, with the number that the client knows. */
function absence({ core, revision }: Exchange, given: string): RpcError {
  const usual = resourceNotFound(given);
  const { legacyCodes } = core.settings;
  return (revision.handshake && legacyError(legacyCodes, "UNKNOWN_RESOURCE", usual.message)) || usual;
}

/** The family that a request names, by its template or by a URI that fits it. Throws `RpcError` where there is none. */
export function findTemplate({ registry }: Core, uri: string): RegisteredTemplate {
  const named = registry.templates.find(uri);
  if (named !== undefined) return named;
  const normal = normalOrNone(uri);
  const fitting = normal === undefined ? undefined : matchTemplate(registry.templates.entries, normal)?.family;
  if (fitting === undefined) throw invalidParams(`Unknown resource template: ${shortened(uri)}`);
  return fitting;
}

/** What was asked for, in the form under which resources are found. Throws `RpcError` for what is no URI. */
function readUri({ params }: Request): { uri: string; given: string } {
  const given: Json | undefined = params?.["uri"];
  if (typeof given !== "string") throw invalidParams('Invalid params: "uri" must be a string');
  try {
    return { uri: normalizeUri(given), given };
  } catch (error) {
    throw invalidParams(`Invalid params: the uri is not right: ${(error as Error).message}`, { uri: shortened(given) });
  }
}

interface Found {
  readonly cache: RegisteredTemplate["cache"];
  readonly timeoutMs: number | undefined;
  readonly mimeType: string | undefined;
  read(call: Call): unknown;
  /** A promise only where it is not done at once. */
  readonly watched: () => Promise<void> | undefined;
}

function find({ registry }: Core, uri: string): Found | undefined {
  const entry = registry.resources.find(uri);
  if (entry !== undefined) {
    const { resource, cache, timeoutMs } = entry;
    return {
      cache,
      timeoutMs,
      mimeType: resource.mimeType,
      read: (call) => resource.read(call),
      watched: () => resource.watched?.() ?? undefined,
    };
  }
  const matched = matchTemplate(registry.templates.entries, uri);
  if (matched === undefined) return undefined;
  const { family, values } = matched;
  const { template, cache, timeoutMs } = family;
  return {
    cache,
    timeoutMs,
    mimeType: template.mimeType,
    read: (call) => readFamily(family, values, uri, call),
    watched: () => template.watched?.() ?? undefined,
  };
}

async function readFamily({ template, variables }: RegisteredTemplate, values: object, uri: string, call: Call) {
  if (variables === undefined) return template.read(values as never, call);
  const reading = await variables.read(values);
  if (!reading.ok)
    throw invalidParams(`Invalid params: the uri is not right: ${reading.faults.join("; ")}`, { uri: shortened(uri) });
  return template.read(reading.value as never, call);
}

function matchTemplate(families: readonly RegisteredTemplate[], uri: string) {
  for (const family of families) {
    const values = family.pattern.match(uri);
    if (values !== undefined) return { family, values };
  }
  return undefined;
}

/** The form under which a resource is found, and what to call before it is watched; undefined where there is none. */
export function findResource(core: Core, given: string): (Pick<Found, "watched"> & { uri: string }) | undefined {
  const uri = normalOrNone(given);
  const found = uri === undefined ? undefined : find(core, uri);
  return uri === undefined || found === undefined ? undefined : { uri, watched: found.watched };
}

function normalOrNone(given: string): string | undefined {
  try {
    return normalizeUri(given);
  } catch {
    return undefined;
  }
}
