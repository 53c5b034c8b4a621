import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { ResourceDescription } from "../protocol/description.js";
import type { Outcome } from "../protocol/outcome.js";
import { normalizeUri } from "../protocol/uri.js";
import type { Call } from "./call.js";
import { unknownCursor } from "./catalogue.js";
import type { Core } from "./core.js";
import type { Exchange } from "./exchange.js";
import { HandlerWork } from "./handler-work.js";
import { describeResource, type RegisteredTemplate } from "./register-resource.js";
import { type ListedResource, listedFault, type ResourceListing } from "./resource.js";

/** Where a walk through the families stands: which one is next, and what it gave to go on with. */
interface Place {
  readonly family: RegisteredTemplate;
  readonly after: string | undefined;
}

const PREFIX = "family:";

/** One page of a list to which families add: the resources themselves come first, then what each family lists. */
export function listAll(
  exchange: Exchange,
  families: readonly [RegisteredTemplate, ...RegisteredTemplate[]],
  cursor: string | undefined,
): Outcome | undefined {
  const { core, revision } = exchange;
  const { resources } = core.registry;
  const { limits } = core.settings;
  const place = cursor === undefined ? undefined : readPlace(cursor, families);
  const { shown, nextCursor } = place === undefined ? resources.slice(cursor) : { shown: [] };
  if (nextCursor !== undefined) return resources.page(revision, cursor, core.identity);
  const listed = shown.map(({ resource, uri }) => describeResource(resource, uri));
  exchange.begin(
    new HandlerWork(exchange, {
      kind: "resource",
      name: "resources/list",
      timeoutMs: limits.callTimeoutMs,
      run: (call) => gather(families, place ?? { family: families[0], after: undefined }, core, listed, call),
      write: (rest) => ({
        kind: "plain",
        body: {
          resources: listed.map((one) => revision.writeResource(one)),
          ...(rest !== undefined && { nextCursor: writePlace(rest as Place) }),
        },
        cache: resources.cache,
      }),
    }),
  );
  return undefined;
}

/** Fills a page: many clients look at the first one only. Gives where the next page begins; undefined = this was the last. */
async function gather(
  families: readonly RegisteredTemplate[],
  from: Place,
  { registry, settings }: Core,
  listed: ResourceDescription[],
  call: Call,
): Promise<Place | undefined> {
  let place: Place | undefined = from;
  while (place !== undefined && listed.length < settings.limits.pageSize) {
    const { family, after }: Place = place;
    const { resources, next } = readListing(await family.template.list?.(after, call), family);
    const before = listed.length;
    for (const one of resources) {
      const uri = normalizeUri(one.uri);
      // One that is offered by itself as well has been listed before.
      if (registry.resources.find(uri) === undefined) listed.push(describeResource(one, uri));
    }
    const following = families[families.indexOf(family) + 1];
    if (next !== undefined) place = { family, after: next };
    else place = following && { family: following, after: undefined };
    // A family that gives nothing new but a place to go on could keep this loop going for ever; the client decides.
    if (listed.length === before && next !== undefined) break;
  }
  return place;
}

/** Throws `TypeError` that names the family and what is wrong with its list. */
function readListing(value: unknown, { template }: RegisteredTemplate): ResourceListing {
  const { resources, next } = (isObject(value) ? value : {}) as Record<string, unknown>;
  const fault = (reason: string) => new TypeError(`The list of resource "${template.uri}" is not right: ${reason}`);
  if (!Array.isArray(resources)) throw fault("resources must be a list");
  if (next !== undefined && typeof next !== "string") throw fault("next must be a string");
  for (const one of resources as ListedResource[]) {
    const reason = isObject(one) ? listedFault(one) : "it is no object";
    if (reason !== undefined) throw fault(`${JSON.stringify(one)}: ${reason}`);
  }
  return { resources: resources as ListedResource[], ...(next !== undefined && { next }) };
}

function writePlace({ family, after }: Place): string {
  return Buffer.from(PREFIX + JSON.stringify([family.template.uri, after ?? null])).toString("base64url");
}

/** Undefined for a cursor of the resources themselves. Throws `RpcError` for one that was never given out. */
function readPlace(cursor: string, families: readonly RegisteredTemplate[]): Place | undefined {
  const text = Buffer.from(cursor, "base64url").toString();
  if (!text.startsWith(PREFIX)) return undefined;
  const [uri, after] = readPair(text.slice(PREFIX.length));
  const family = families.find(({ template }) => template.uri === uri);
  if (family === undefined || (after !== null && typeof after !== "string")) throw unknownCursor();
  return { family, after: after ?? undefined };
}

function readPair(text: string): readonly JsonObject[string][] {
  try {
    const pair: unknown = JSON.parse(text);
    return Array.isArray(pair) ? pair : [];
  } catch {
    return [];
  }
}
