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
  filterDependents,
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

/** What can depend on tools. */
export interface DependentCatalogs {
  readonly prompts: Catalog<RegisteredPrompt>;
  readonly resources: Catalog<RegisteredResource>;
  readonly templates: Catalog<RegisteredTemplate>;
}

/** The tools of a server as a client sees them. */
export interface ToolView {
  /** The tools that can be called. */
  readonly tools: Catalog<RegisteredTool>;
  /** The tools that are listed. */
  readonly listed: Catalog<RegisteredTool>;
}

/** What a server offers to a client under its tool filter. */
export interface RegistryView extends ToolView, DependentCatalogs {}

/** Everything that a server offers at one moment; immutable. */
export interface RegistrySnapshot extends RegistryView {
  /** All tools, whether the filter leaves them or not. */
  readonly all: Catalog<RegisteredTool>;
  /** Undefined: all tools are available. */
  readonly toolFilter: ToolFilter | undefined;
  /** Undefined: every tool is listed. */
  readonly toolSearch: ToolSearch | undefined;
  /** All prompts, resources and templates, whether the tools that they require are available or not. */
  readonly defined: DependentCatalogs;
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
      const { all, defined, toolFilter, toolSearch } = snapshot;
      const listedName = this.#settings.overrides.get(name)?.name ?? name;
      if (kind === "tools")
        return applyToolFilter({ ...snapshot, all: all.remove(listedName) }, toolFilter, toolSearch);
      return withAvailable(snapshot, removeDependent(defined, kind, name));
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
    const normalized = parseUri("notify clients of a change of", uri);
    if (isOffered(this.#server.registry, normalized))
      this.#server.changes.publish({ kind: "resource", uri: normalized });
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
    if (!this.declared.has(kind) && this.#settings.features.has(kind))
      throw new TypeError(`Cannot ${action}: create the server with ${kind}: [], so that clients know of them`);
    const before = this.#server.registry;
    const changed = change(before);
    if (this.#isOpen) validateToolApps(changed);
    this.#server.registry = changed;
    for (const each of this.declared)
      if (each === kind || hasChanged(each, before, changed)) this.#server.changes.publish({ kind: each });
  }

  /** Capabilities are negotiated once, so a dynamic server declares what it may add later: lists that are passed empty. */
  #updateDeclared(): void {
    const { all, defined } = this.#server.registry;
    const { prompts, resources, templates } = defined;
    const { dynamic, features } = this.#settings;
    const declare = (kind: keyof Definitions, isDefined: boolean): void => {
      if (isDefined && features.has(kind)) this.declared.add(kind);
    };
    declare("tools", dynamic || all.entries.length > 0);
    declare("prompts", (dynamic && this.#definitions.prompts !== undefined) || prompts.entries.length > 0);
    const hasResources = resources.entries.length + templates.entries.length > 0;
    declare("resources", (dynamic && this.#definitions.resources !== undefined) || hasResources);
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
  const defined: DependentCatalogs = {
    prompts: new Catalog(promptKind, [], listOptions(listCache.prompts)),
    resources: new Catalog(resourceKind, [], listOptions(listCache.resources)),
    templates: new Catalog(templateKind, [], listOptions(listCache.resourceTemplates)),
  };
  return { all: tools, tools, listed: tools, toolFilter, toolSearch: undefined, defined, ...defined };
}

function applyToolFilter(
  snapshot: RegistrySnapshot,
  toolFilter: ToolFilter | undefined,
  toolSearch: ToolSearch | undefined,
): RegistrySnapshot {
  const tools = toolFilter === undefined ? snapshot.all : filterTools(snapshot.all, toolFilter);
  const view = toolSearch?.apply(tools) ?? { tools, listed: listedTools(tools, toolFilter) };
  return withAvailable({ ...snapshot, toolFilter, toolSearch, ...view }, snapshot.defined);
}

/** Offers the prompts and resources whose required tools are available. A list that stays the same keeps its catalog. */
function withAvailable(snapshot: RegistrySnapshot, defined: DependentCatalogs): RegistrySnapshot {
  const { prompts, resources, templates } = filterDependents(defined, snapshot.tools);
  return {
    ...snapshot,
    defined,
    prompts: keepEqual(snapshot.prompts, prompts),
    resources: keepEqual(snapshot.resources, resources),
    templates: keepEqual(snapshot.templates, templates),
  };
}

const keepEqual = <Entry>(before: Catalog<Entry>, after: Catalog<Entry>): Catalog<Entry> =>
  before.entries.length === after.entries.length && before.entries.every((entry, at) => entry === after.entries[at])
    ? before
    : after;

function removeDependent(defined: DependentCatalogs, kind: keyof Definitions, name: string): DependentCatalogs {
  const { prompts, resources, templates } = defined;
  if (kind === "prompts") return { ...defined, prompts: prompts.remove(name) };
  if (isTemplateUri(name)) return { ...defined, templates: templates.remove(name) };
  return { ...defined, resources: resources.remove(parseUri("remove", name)) };
}

/** Whether a change of the tools has changed the list of prompts or resources too. */
function hasChanged(kind: keyof Definitions, before: RegistrySnapshot, after: RegistrySnapshot): boolean {
  if (kind === "prompts") return before.prompts !== after.prompts;
  return kind === "resources" && (before.resources !== after.resources || before.templates !== after.templates);
}

/** Whether clients can be notified of a resource: it is not one that the tool filter leaves out. */
function isOffered({ resources, templates, defined }: RegistrySnapshot, uri: string): boolean {
  if (resources === defined.resources && templates === defined.templates) return true;
  const isIn = (catalogs: Pick<DependentCatalogs, "resources" | "templates">): boolean =>
    catalogs.resources.byName.get(uri) !== undefined ||
    catalogs.templates.entries.some(({ pattern }) => pattern.match(uri) !== undefined);
  return isIn({ resources, templates }) || !isIn(defined);
}

/** Adds definitions. Throws `TypeError` that names the invalid one and the problem. */
function addSources(
  snapshot: RegistrySnapshot,
  sources: readonly Source[],
  settings: ServerSettings,
): RegistrySnapshot {
  const { defined } = snapshot;
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
    defined: {
      prompts: defined.prompts.append(prompts),
      resources: defined.resources.append(resources),
      templates: defined.templates.append(templates),
    },
  };
  if (tools.length === 0) return withAvailable(extended, extended.defined);
  return applyToolFilter(extended, snapshot.toolFilter, snapshot.toolSearch);
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
