import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { UI_EXTENSION } from "../revisions/meta-keys.js";
import { refuseUnknown } from "./known-members.js";

/** The type of a page that a host shows with the results of a tool. */
export const APP_TYPE = "text/html;profile=mcp-app";

/** How a host shows a tool to the person in front of it. */
export interface ToolUi {
  /** The page that shows the results: the `ui://` URI of an `app` of the same server. */
  readonly resource?: string;
  /** Who may call it: the model, the page itself, or both, which is the default. */
  readonly visibility?: readonly ("model" | "app")[];
}

/** Says what is wrong with how a tool is shown; undefined where nothing is. Throws `TypeError` for members that nobody knows. */
export function uiFault(name: string, ui: ToolUi | undefined): string | undefined {
  if (ui === undefined) return undefined;
  refuseUnknown(`define the ui of tool "${name}"`, ui, { resource: true, visibility: true });
  const { resource, visibility } = ui;
  if (resource === undefined && visibility === undefined) return "its ui is empty; name a resource";
  if (resource !== undefined && !isPageUri(resource)) return "ui.resource must be a ui:// URI";
  if (visibility === undefined) return undefined;
  const isKnown = Array.isArray(visibility) && visibility.every((word) => word === "model" || word === "app");
  return isKnown && visibility.length > 0 ? undefined : 'ui.visibility must be a list of "model", "app" or both';
}

/** Tells whether a URI is one under which pages are kept. */
export const isPageUri = (uri: unknown): uri is string => typeof uri === "string" && uri.startsWith("ui://");

/** The `_meta` of a tool as clients see it. */
export function toolMeta(meta: JsonObject | undefined, ui: ToolUi | undefined): JsonObject | undefined {
  if (ui === undefined) return meta;
  const { resource, visibility } = ui;
  return {
    ...meta,
    ui: {
      ...(isObject(meta?.["ui"]) && meta["ui"]),
      ...(resource !== undefined && { resourceUri: resource }),
      ...(visibility !== undefined && { visibility: [...visibility] }),
    },
    // Where hosts looked for it before the extension was final.
    ...(resource !== undefined && { "ui/resourceUri": resource }),
  };
}

/** Tells whether a client that declares these capabilities shows pages. */
export function showsPages({ extensions }: JsonObject): boolean {
  const declared = isObject(extensions) ? extensions[UI_EXTENSION] : undefined;
  const types = isObject(declared) ? declared["mimeTypes"] : undefined;
  return Array.isArray(types) && types.includes(APP_TYPE);
}
