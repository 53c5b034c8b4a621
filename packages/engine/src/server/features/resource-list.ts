import { isObject } from "../../jsonrpc/messages.js";
import type { ResourceDescription } from "../../protocol/types.js";
import { normalizeUri } from "../../protocol/uri.js";
import type { Call } from "../call.js";
import { invalidCursor } from "../catalog.js";
import {
  describeResource,
  type ListedResource,
  listedResourceIssue,
  type RegisteredTemplate,
  type ResourcePage,
} from "../definitions/resource.js";
import { type Method, readCursor } from "../method.js";
import type { ServerState } from "../state.js";
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
    const { resources } = state.registry;
    const templates = listingTemplates(state);
    const cursor = readCursor(ctx.request);
    const start = cursor === undefined ? undefined : decodePosition(cursor, templates);
    const { shown, nextCursor } = start === undefined ? resources.slice(cursor) : { shown: [] };
    const [first] = templates;
    if (first === undefined || nextCursor !== undefined) return resources.page(revision, cursor, state.serverInfoMeta);
    const listed = shown.map(({ resource, uri }) => describeResource(resource, uri));
    return invokeHandler(ctx, {
      kind: "resource",
      name: "resources/list",
      run: (call) => collectResources(state, start ?? { template: first, cursor: undefined }, listed, call),
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

const listingTemplates = ({ registry }: ServerState): readonly RegisteredTemplate[] =>
  registry.templates.entries.filter(({ template }) => template.list !== undefined);

/** Fills one page, because many clients read only the first. Returns the start of the next page, or undefined. */
async function collectResources(
  state: ServerState,
  start: ListPosition,
  listed: ResourceDescription[],
  call: Call,
): Promise<ListPosition | undefined> {
  const { registry, settings } = state;
  const templates = listingTemplates(state);
  let position: ListPosition | undefined = start;
  while (position !== undefined && listed.length < settings.limits.pageSize) {
    const { template: entry, cursor }: ListPosition = position;
    const { resources, nextCursor } = validatePage(await entry.template.list?.(cursor, call), entry);
    const countBefore = listed.length;
    for (const resource of resources) {
      const uri = normalizeUri(resource.uri);
      // A resource that is also registered on its own is already listed.
      if (registry.resources.byName.get(uri) === undefined) listed.push(describeResource(resource, uri));
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
