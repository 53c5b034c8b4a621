import { isObject, type JsonObject } from "../../jsonrpc/messages.js";
import { UI_EXTENSION } from "../../revisions/meta-keys.js";
import type { Call } from "../call.js";
import * as check from "./checks.js";
import { RESOURCE_CHECKS, type Resource, type ResourceContents, resource } from "./resource.js";
import { atCaller, omitUndefined } from "./validation.js";

/** The MIME type of an app: a page that a host shows with the results of a tool. */
export const APP_MIME_TYPE = "text/html;profile=mcp-app";

/** Origins that the page of an app may access, such as `https://api.example.com`; none by default. */
export interface AppCsp {
  /** For `fetch`, WebSocket and similar requests. */
  readonly connectDomains?: readonly string[];
  /** For scripts, styles, fonts, images and media. */
  readonly resourceDomains?: readonly string[];
  /** For nested frames. */
  readonly frameDomains?: readonly string[];
  /** For the base URI of the document. */
  readonly baseUriDomains?: readonly string[];
}

/** A browser permission that an app may request. */
export type AppPermission = "camera" | "microphone" | "geolocation" | "clipboardWrite";

/** The options of `app`. */
export interface AppDefinition extends Omit<Resource, "mimeType" | "size" | "read"> {
  /** A complete HTML document, or a function that creates one. The host passes the tool result to the page. */
  readonly html: string | ((call: Call) => string | Promise<string>);
  readonly csp?: AppCsp;
  readonly permissions?: readonly AppPermission[];
  /** A dedicated origin for the page, in the format that the host defines. */
  readonly domain?: string;
  /** Whether the host should draw a border around the page. */
  readonly prefersBorder?: boolean;
}

const isAppUri = (uri: unknown): boolean => check.isString(uri) && uri.startsWith("ui://");
const isHtmlDocument = (html: unknown): boolean => check.isString(html) && /^\s*<!doctype html/i.test(html);

const origins = check.optional(Array.isArray, "must be an array of origins");
const CSP_CHECKS: check.Checks<AppCsp> = {
  connectDomains: origins,
  resourceDomains: origins,
  frameDomains: origins,
  baseUriDomains: origins,
};

const PERMISSIONS: readonly unknown[] = ["camera", "microphone", "geolocation", "clipboardWrite"];

const { mimeType: _, size: __, read: ___, ...SHARED_CHECKS } = RESOURCE_CHECKS;
const APP_CHECKS: check.Checks<AppDefinition> = {
  ...SHARED_CHECKS,
  uri: check.required(isAppUri, "must be a ui:// URI"),
  html: check.required((html) => typeof html === "function" || isHtmlDocument(html), "must start with <!doctype html>"),
  csp: check.strictObject(CSP_CHECKS),
  permissions: check.optional(
    (names) => check.isArrayOf(names, (name) => PERMISSIONS.includes(name)),
    `must be an array of ${PERMISSIONS.join(", ")}`,
  ),
  domain: check.string,
  prefersBorder: check.boolean,
};

/**
 * Defines an HTML page that hosts show with the results of the tools whose `ui.resource` names it.
 *
 * @example
 * const chart = app({ uri: "ui://weather/chart", name: "Chart", html: "<!doctype html><title>Chart</title>…" });
 * const weather = tool({ name: "weather", ui: { resource: "ui://weather/chart" }, … });
 */
export function app(definition: AppDefinition): Readonly<Resource> {
  return atCaller(app, () => {
    const { html, csp, permissions, domain, prefersBorder, ...resourceOptions } = definition;
    const { uri } = resourceOptions;
    check.validate(`define app "${uri}"`, definition, APP_CHECKS);
    const ui = omitUndefined({
      csp: csp && ({ ...csp } as JsonObject),
      permissions: permissions && Object.fromEntries(permissions.map((name) => [name, {}])),
      domain,
      prefersBorder,
    });
    const meta = Object.keys(ui).length > 0 ? mergeUiMeta(definition.meta, ui) : definition.meta;
    const read = async (call: Call): Promise<ResourceContents> => {
      const text = typeof html === "function" ? await html(call) : html;
      if (!isHtmlDocument(text)) throw new TypeError(`The html of app "${uri}" must start with <!doctype html>`);
      return { text, ...(meta && { meta }) };
    };
    return resource({ ...resourceOptions, ...(meta && { meta }), mimeType: APP_MIME_TYPE, read });
  });
}

/** Adds the options of the UI extension to the `ui` member of a `_meta`. */
const mergeUiMeta = (meta: JsonObject | undefined, ui: JsonObject): JsonObject => ({
  ...meta,
  ui: { ...(isObject(meta?.["ui"]) && meta["ui"]), ...ui },
});

/** How a host presents a tool to the user. */
export interface ToolUi {
  /** The `ui://` URI of an `app` of the same server, which shows the results. */
  readonly resource?: string;
  /** Who may call the tool: the model, the app, or both (default). */
  readonly visibility?: readonly ("model" | "app")[];
}

const TOOL_UI_CHECKS: check.Checks<ToolUi> = {
  resource: check.optional(isAppUri, "must be a ui:// URI"),
  visibility: check.optional(
    (value) => check.isArrayOf(value, (item) => item === "model" || item === "app") && (value as unknown[]).length > 0,
    'must be an array of "model", "app" or both',
  ),
};

/** Checks the `ui` of a tool. */
export const toolUi: check.Check = (ui, path) => {
  if (isObject(ui) && Object.keys(ui).length === 0) return `${path} is empty; set ${path}.resource`;
  return check.strictObject(TOOL_UI_CHECKS)(ui, path);
};

/** Creates the `_meta` of a tool as clients see it. */
export function createToolMeta(meta: JsonObject | undefined, ui: ToolUi | undefined): JsonObject | undefined {
  if (ui === undefined) return meta;
  const { resource: resourceUri, visibility } = ui;
  return {
    ...mergeUiMeta(meta, omitUndefined({ resourceUri, visibility: visibility && [...visibility] })),
    // The key of drafts of the extension, which some hosts still read.
    ...(resourceUri !== undefined && { "ui/resourceUri": resourceUri }),
  };
}

/** Tells whether a client with these capabilities can show apps. */
export function supportsApps({ extensions }: JsonObject): boolean {
  const declared = isObject(extensions) ? extensions[UI_EXTENSION] : undefined;
  const types = isObject(declared) ? declared["mimeTypes"] : undefined;
  return Array.isArray(types) && types.includes(APP_MIME_TYPE);
}
