import { NO_CACHE } from "../protocol/outcome.js";
import { normalizeUri } from "../protocol/uri.js";
import { Catalog, type CatalogOptions, duplicateName } from "./catalog.js";
import { APP_MIME_TYPE } from "./definitions/app.js";
import * as check from "./definitions/checks.js";
import type { Definitions } from "./definitions/pack.js";
import { promptKind, type RegisteredPrompt, registerPrompt } from "./definitions/prompt.js";
import {
  isTemplate,
  isTemplateUri,
  type RegisteredResource,
  type RegisteredTemplate,
  type Resource,
  type ResourceTemplate,
  registerResource,
  registerTemplate,
  resourceKind,
  templateKind,
  uriIssue,
} from "./definitions/resource.js";
import { type RegisteredTool, registerTool, type ToolOrigin, toolKind } from "./definitions/tool.js";
import {
  filterTools,
  listedTools,
  rejectUnknownNames,
  TOOL_FILTER_CHECKS,
  type ToolDiscovery,
  type ToolFilter,
  toolDiscovery,
} from "./features/tool-filter.js";
import type { ToolSearch } from "./features/tool-search.js";
import type { ServerSettings } from "./options.js";
import type { McpServer } from "./server.js";

/** The tools of a server as a client sees them. */
export interface ToolView {
  /** The tools that can be called. */
  readonly tools: Catalog<RegisteredTool>;
  /** The tools that are listed. */
  readonly listed: Catalog<RegisteredTool>;
}

/** Everything that a server offers at one moment; immutable. */
export interface RegistrySnapshot extends ToolView {
  /** All tools, whether the filter leaves them or not. */
  readonly all: Catalog<RegisteredTool>;
  /** Undefined: all tools are available. */
  readonly toolFilter: ToolFilter | undefined;
  /** Undefined: every tool is listed. */
  readonly toolSearch: ToolSearch | undefined;
  readonly prompts: Catalog<RegisteredPrompt>;
  readonly resources: Catalog<RegisteredResource>;
  readonly templates: Catalog<RegisteredTemplate>;
}

/** Definitions and where they come from. */
export interface Source extends ToolOrigin {
  readonly definitions: Definitions;
}

/** Replaces `server.registry` when definitions are added or removed, and notifies clients. */
export class Registry {
  readonly #definitions: Definitions;
  readonly #settings: ServerSettings;
  readonly #server: McpServer;
  /** The declared capabilities; none is ever withdrawn. */
  readonly declared = new Set<keyof Definitions>();
  #discovery: ToolDiscovery;
  /** The packs are open, so definitions that refer to each other are complete. */
  #isOpen = false;

  constructor(definitions: Definitions, server: McpServer) {
    const { settings } = server;
    this.#definitions = definitions;
    this.#settings = settings;
    this.#server = server;
    this.#discovery = settings.discovery;
    this.#server.registry = addSources(server.registry, [{ definitions }], settings);
    this.#updateDeclared();
  }

  /** Adds the definitions of all packs. Throws `TypeError` that names the problem. */
  async open(sources: readonly Source[]): Promise<void> {
    const toolSearch = this.#discovery === "full" ? undefined : await this.#createToolSearch();
    const extended = addSources(this.#server.registry, sources, this.#settings);
    validateToolApps(extended);
    const { all, toolFilter } = extended;
    if (toolFilter !== undefined) rejectUnknownNames("start the server", all, toolFilter);
    this.#server.registry = toolSearch === undefined ? extended : applyToolFilter(extended, toolFilter, toolSearch);
    this.#updateDeclared();
    this.#isOpen = true;
  }

  /** Adds a definition and notifies clients. */
  add(kind: keyof Definitions, name: string, definitions: Definitions): void {
    // An invalid definition that is added alone is an error for the caller, never skipped.
    const settings: ServerSettings = { ...this.#settings, onInvalidTool: "throw" };
    this.#update(kind, `add "${name}" to the ${kind}`, (snapshot) => addSources(snapshot, [{ definitions }], settings));
  }

  /** Removes a definition and notifies clients. */
  remove(kind: keyof Definitions, name: string): void {
    this.#update(kind, `remove "${name}" from the ${kind}`, (snapshot) => {
      const { all, prompts, resources, templates, toolFilter, toolSearch } = snapshot;
      if (kind === "tools") return applyToolFilter({ ...snapshot, all: all.remove(name) }, toolFilter, toolSearch);
      if (kind === "prompts") return { ...snapshot, prompts: prompts.remove(name) };
      if (isTemplateUri(name)) return { ...snapshot, templates: templates.remove(name) };
      return { ...snapshot, resources: resources.remove(parseUri("remove", name)) };
    });
  }

  /** Changes the available tools, and how clients find them, and notifies clients. */
  async setToolFilter(filter: ToolFilter, discovery: ToolDiscovery | undefined): Promise<void> {
    const action = "select tools";
    check.validate(action, { ...filter, discovery }, { ...TOOL_FILTER_CHECKS, discovery: toolDiscovery });
    // Awaited for every change, so that concurrent changes apply in the order of the calls.
    const created = await this.#createToolSearch();
    const nextDiscovery = discovery ?? this.#discovery;
    const toolSearch = nextDiscovery === "full" ? undefined : created;
    this.#update("tools", action, (snapshot) => {
      if (this.#isOpen) rejectUnknownNames(action, snapshot.all, filter);
      return applyToolFilter(snapshot, filter, toolSearch);
    });
    this.#discovery = nextDiscovery;
  }

  /** Notifies clients that have subscribed to a resource, or to a parent of it, of a change. */
  notifyResourceUpdated(uri: string): void {
    this.#server.changes.publish({ kind: "resource", uri: parseUri("notify clients of a change of", uri) });
  }

  /** Notifies clients that resource templates list other resources than before. */
  notifyResourceListChanged(): void {
    this.#update("resources", "change the list of resources", (snapshot) => snapshot);
  }

  async #createToolSearch(): Promise<ToolSearch> {
    const { ToolSearch } = await import("./features/tool-search.js");
    return new ToolSearch(this.#settings);
  }

  #update(kind: keyof Definitions, action: string, change: (snapshot: RegistrySnapshot) => RegistrySnapshot): void {
    if (!this.#settings.dynamic) throw new TypeError(`Cannot ${action}: create the server with dynamic: true`);
    if (!this.declared.has(kind))
      throw new TypeError(`Cannot ${action}: create the server with ${kind}: [], so that clients know of them`);
    const changed = change(this.#server.registry);
    if (this.#isOpen) validateToolApps(changed);
    this.#server.registry = changed;
    this.#server.changes.publish({ kind });
  }

  /** Capabilities are negotiated once, so a dynamic server declares what it may add later: lists that are passed empty. */
  #updateDeclared(): void {
    const { all, prompts, resources, templates } = this.#server.registry;
    const { dynamic } = this.#settings;
    if (dynamic || all.entries.length > 0) this.declared.add("tools");
    if ((dynamic && this.#definitions.prompts) || prompts.entries.length > 0) this.declared.add("prompts");
    if ((dynamic && this.#definitions.resources) || resources.entries.length + templates.entries.length > 0)
      this.declared.add("resources");
  }
}

function parseUri(action: string, uri: string): string {
  const issue = uriIssue(uri);
  if (issue !== undefined) throw new TypeError(`Cannot ${action} "${uri}": ${issue}`);
  return normalizeUri(uri);
}

/** A snapshot without any definitions. */
export function createEmptySnapshot({ limits, listCache, toolFilter }: ServerSettings): RegistrySnapshot {
  const { pageSize } = limits;
  const listOptions = (cache: CatalogOptions["cache"] = NO_CACHE): CatalogOptions => ({ pageSize, cache });
  const tools = new Catalog(toolKind, [], listOptions(listCache.tools));
  return {
    all: tools,
    tools,
    listed: tools,
    toolFilter,
    toolSearch: undefined,
    prompts: new Catalog(promptKind, [], listOptions(listCache.prompts)),
    resources: new Catalog(resourceKind, [], listOptions(listCache.resources)),
    templates: new Catalog(templateKind, [], listOptions(listCache.resourceTemplates)),
  };
}

function applyToolFilter(
  snapshot: RegistrySnapshot,
  toolFilter: ToolFilter | undefined,
  toolSearch: ToolSearch | undefined,
): RegistrySnapshot {
  const tools = toolFilter === undefined ? snapshot.all : filterTools(snapshot.all, toolFilter);
  return {
    ...snapshot,
    toolFilter,
    toolSearch,
    ...(toolSearch?.apply(tools) ?? { tools, listed: listedTools(tools) }),
  };
}

/** Adds definitions. Throws `TypeError` that names the invalid one and the problem. */
function addSources(
  snapshot: RegistrySnapshot,
  sources: readonly Source[],
  settings: ServerSettings,
): RegistrySnapshot {
  const tools = registerTools(snapshot.all.entries, sources, settings);
  const prompts: RegisteredPrompt[] = [];
  const resources: RegisteredResource[] = [];
  const templates: RegisteredTemplate[] = [];
  for (const { definitions, isPrevalidated } of sources) {
    for (const prompt of definitions.prompts ?? []) prompts.push(registerPrompt(prompt, settings, isPrevalidated));
    for (const entry of definitions.resources ?? []) {
      if (isTemplate(entry)) templates.push(registerTemplate(entry, isPrevalidated));
      else resources.push(registerResource(entry, isPrevalidated));
    }
  }
  const extended = {
    ...snapshot,
    all: snapshot.all.append(tools),
    prompts: snapshot.prompts.append(prompts),
    resources: snapshot.resources.append(resources),
    templates: snapshot.templates.append(templates),
  };
  return tools.length === 0 ? extended : applyToolFilter(extended, snapshot.toolFilter, snapshot.toolSearch);
}

/** Registers tools. An invalid one is skipped with a warning if the server is configured so. */
function registerTools(
  existing: readonly RegisteredTool[],
  sources: readonly Source[],
  settings: ServerSettings,
): readonly RegisteredTool[] {
  const registered: RegisteredTool[] = [];
  const names = new Set(existing.map(({ tool }) => tool.name));
  const aliases = new Set(existing.flatMap(({ tool }) => tool.aliases ?? []));
  for (const { definitions, ...origin } of sources) {
    for (const tool of definitions.tools ?? []) {
      try {
        const entry = registerTool(tool, settings, origin);
        const duplicate = names.has(tool.name) ? tool.name : tool.aliases?.find((alias) => aliases.has(alias));
        if (duplicate !== undefined) throw duplicateName("tool", tool.name, duplicate);
        registered.push(entry);
        names.add(tool.name);
        for (const alias of tool.aliases ?? []) aliases.add(alias);
      } catch (error) {
        if (settings.onInvalidTool === "throw" || !(error instanceof TypeError)) throw error;
        settings.log({ level: "warning", message: `skipped an invalid tool: ${error.message}` });
      }
    }
  }
  return registered;
}

/** Throws `TypeError` for a tool whose app does not exist. */
function validateToolApps({ tools, resources, templates }: RegistrySnapshot): void {
  for (const { tool } of tools.entries) {
    if (tool.ui?.resource === undefined) continue;
    const uri = normalizeUri(tool.ui.resource);
    const createError = (issue: string) =>
      new TypeError(`Cannot register tool "${tool.name}": ui.resource "${tool.ui?.resource}" ${issue}`);
    const app: Resource | ResourceTemplate | undefined =
      resources.byName.get(uri)?.resource ?? templates.entries.find(({ pattern }) => pattern.match(uri))?.template;
    if (app === undefined) throw createError("is not a resource of this server; add an app with this uri");
    if (app.mimeType !== APP_MIME_TYPE)
      throw createError(`has the MIME type ${app.mimeType ?? "(none)"}, not ${APP_MIME_TYPE}; define it with app()`);
  }
}
