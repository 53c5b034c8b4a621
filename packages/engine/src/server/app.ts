import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { normalizeUri } from "../protocol/uri.js";
import type { Call } from "./call.js";
import { refuseUnknown } from "./known-members.js";
import type { Registry } from "./registry.js";
import { type Resource, type ResourcePiece, resource } from "./resource.js";
import { APP_TYPE, isPageUri } from "./tool-ui.js";

/** Origins that a page may reach, such as `https://api.example.com`; none by default. */
export interface AppCsp {
  /** For requests. */
  readonly connectDomains?: readonly string[];
  /** For scripts, styles, fonts, pictures and sound. */
  readonly resourceDomains?: readonly string[];
  /** For frames inside the page. */
  readonly frameDomains?: readonly string[];
  /** For the base of its relative links. */
  readonly baseUriDomains?: readonly string[];
}

/** What a page may need of the browser that shows it. */
export type AppPermission = "camera" | "microphone" | "geolocation" | "clipboardWrite";

/** What `app` takes. */
export interface AppDefinition extends Omit<Resource, "mimeType" | "size" | "read"> {
  /** A whole HTML document, or what makes one. What a tool found out comes to it from the host, with the result. */
  readonly html: string | ((call: Call) => string | Promise<string>);
  readonly csp?: AppCsp;
  readonly permissions?: readonly AppPermission[];
  /** An origin of its own, in the form that the host gives out. */
  readonly domain?: string;
  /** Whether the host should draw a border around it. */
  readonly prefersBorder?: boolean;
}

const CSP: Readonly<Record<keyof AppCsp, true>> = {
  connectDomains: true,
  resourceDomains: true,
  frameDomains: true,
  baseUriDomains: true,
};
const PERMISSIONS: readonly AppPermission[] = ["camera", "microphone", "geolocation", "clipboardWrite"];

/** Defines a page that hosts show with the results of a tool whose `ui` names it. */
export function app(definition: AppDefinition): Readonly<Resource> {
  const { html, csp, permissions, domain, prefersBorder, ...described } = definition;
  const { uri, meta } = described;
  const fault = (reason: string) => new TypeError(`Cannot define app "${uri}": ${reason}`);
  if (!isPageUri(uri)) throw fault("its uri must be a ui:// URI");
  if (csp !== undefined) refuseUnknown(`define the csp of app "${uri}"`, csp, CSP);
  if (Object.values(csp ?? {}).some((domains) => !Array.isArray(domains))) throw fault("csp holds lists of origins");
  const unknown = permissions?.find((permission) => !PERMISSIONS.includes(permission));
  if (unknown !== undefined)
    throw fault(`the permission ${JSON.stringify(unknown)} is unknown; there are ${PERMISSIONS.join(", ")}`);
  if (typeof html !== "function" && !isDocument(html)) throw fault("html must begin with <!doctype html>");

  const ui: JsonObject = {
    ...(isObject(meta?.["ui"]) && meta["ui"]),
    ...(csp !== undefined && { csp: { ...csp } as JsonObject }),
    ...(permissions !== undefined && { permissions: Object.fromEntries(permissions.map((name) => [name, {}])) }),
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
  const told = Object.keys(ui).length > 0 ? { meta: { ...meta, ui } } : meta && { meta };
  const read = async (call: Call): Promise<ResourcePiece> => {
    const text = typeof html === "function" ? await html(call) : html;
    if (!isDocument(text)) throw new TypeError(`The html of app "${uri}" does not begin with <!doctype html>`);
    return { text, ...told };
  };
  return resource({ ...described, ...told, mimeType: APP_TYPE, read });
}

/** Refuses tools that are shown with a page which is not there. Throws `TypeError` that names the tool and the page. */
export function checkApps({ tools, resources, templates }: Registry): void {
  for (const { tool } of tools.entries) {
    const { resource: given } = tool.ui ?? {};
    if (given === undefined) continue;
    const fault = (reason: string) => new TypeError(`Cannot offer tool "${tool.name}": its ui "${given}" ${reason}`);
    const uri = normalizeUri(given);
    const family = () => templates.entries.find(({ pattern }) => pattern.match(uri) !== undefined)?.template;
    const page = resources.find(uri)?.resource ?? family();
    if (page === undefined) throw fault("is no resource of this server; add an app with this uri");
    if (page.mimeType !== APP_TYPE)
      throw fault(`is ${page.mimeType ?? "of no type"}, not ${APP_TYPE}; define it with app`);
  }
}

const isDocument = (html: unknown): html is string => typeof html === "string" && /^\s*<!doctype html/i.test(html);
