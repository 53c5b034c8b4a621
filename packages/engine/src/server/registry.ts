import { NOT_KEPT } from "../protocol/outcome.js";
import { Catalogue, type Listing } from "./catalogue.js";
import type { Front, ToolView } from "./lists/front.js";
import { select } from "./lists/select.js";
import type { Selection } from "./lists/selection.js";
import { orAside } from "./lists/set-aside.js";
import type { Offers } from "./offers.js";
import { promptKind, type RegisteredPrompt, registerPrompt } from "./register-prompt.js";
import {
  type RegisteredResource,
  type RegisteredTemplate,
  registerResource,
  registerTemplate,
  resourceKind,
  templateKind,
} from "./register-resource.js";
import { type Origin, type RegisteredTool, registerTool, toolKind } from "./register-tool.js";
import { isTemplate, type Resource, type ResourceTemplate } from "./resource.js";
import type { Settings } from "./settings.js";

/** All that a server offers; never changed, only replaced. */
export interface Registry extends ToolView {
  /** All tools that there are, offered or not. */
  readonly all: Catalogue<RegisteredTool>;
  /** What was selected of them; undefined = all are offered. */
  readonly selection: Selection | undefined;
  /** The few tools that stand before all others; undefined = each is listed itself. */
  readonly front: Front | undefined;
  readonly prompts: Catalogue<RegisteredPrompt>;
  readonly resources: Catalogue<RegisteredResource>;
  readonly templates: Catalogue<RegisteredTemplate>;
}

/** A registry with nothing in it yet. */
export function createRegistry({ limits, listCache, selection }: Settings): Registry {
  const listing = (cache: Listing["cache"] | undefined): Listing => ({
    pageSize: limits.pageSize,
    cache: cache ?? NOT_KEPT,
  });
  const tools = new Catalogue(toolKind, [], listing(listCache.tools));
  return {
    all: tools,
    tools,
    listed: tools,
    selection,
    front: undefined,
    prompts: new Catalogue(promptKind, [], listing(listCache.prompts)),
    resources: new Catalogue(resourceKind, [], listing(listCache.resources)),
    templates: new Catalogue(templateKind, [], listing(listCache.resourceTemplates)),
  };
}

/** The registry with a selection, and with a front before it. */
export function arrange(registry: Registry, selection: Selection | undefined, front: Front | undefined): Registry {
  const { all } = registry;
  const tools = selection === undefined ? all : select(all, selection);
  return { ...registry, selection, front, ...(front?.before(tools) ?? { tools, listed: tools }) };
}

/** The registry without this tool. Throws `TypeError` where there is none. */
export const withoutTool = (registry: Registry, name: string): Registry =>
  arrange({ ...registry, all: registry.all.without(name) }, registry.selection, registry.front);

/** What comes from one place. */
export interface Brought extends Origin {
  readonly offers: Offers;
}

/** The registry with more in it. Throws `TypeError` that names what is wrong, and with which entry. */
export function extend(registry: Registry, brought: readonly Brought[], settings: Settings): Registry {
  const resources = brought.flatMap(({ offers, isChecked }) =>
    (offers.resources ?? []).map((entry) => ({ entry, isChecked })),
  );
  const single = resources.filter(({ entry }) => !isTemplate(entry));
  const families = resources.filter(({ entry }) => isTemplate(entry));
  const prompts = brought.flatMap(({ offers, isChecked }) =>
    (offers.prompts ?? []).map((prompt) => ({ prompt, isChecked })),
  );
  const all = withTools(registry.all, brought, settings);
  const extended = {
    ...registry,
    prompts: added(registry.prompts, prompts, ({ prompt, isChecked }) => registerPrompt(prompt, settings, isChecked)),
    resources: added(registry.resources, single, ({ entry, isChecked }) =>
      registerResource(entry as Resource, isChecked),
    ),
    templates: added(registry.templates, families, ({ entry, isChecked }) =>
      registerTemplate(entry as ResourceTemplate, isChecked),
    ),
  };
  return all === registry.all ? extended : arrange({ ...extended, all }, registry.selection, registry.front);
}

function withTools(
  catalogue: Catalogue<RegisteredTool>,
  brought: readonly Brought[],
  settings: Settings,
): Catalogue<RegisteredTool> {
  const offers = brought.flatMap(({ offers: { tools = [] }, ...origin }) =>
    tools.map((tool) => ({ name: tool.name, tool, origin })),
  );
  const register = ({ tool, origin }: (typeof offers)[number]): RegisteredTool => registerTool(tool, settings, origin);
  if (settings.badTools === "refuse") return added(catalogue, offers, register);
  const registered = offers.map(orAside(settings, register, catalogue.entries)).filter((entry) => entry !== undefined);
  return registered.length === 0 ? catalogue : catalogue.with(registered);
}

/** An unchanged catalogue stays the same one, with the pages that it keeps. */
function added<Entry, Offer>(
  catalogue: Catalogue<Entry>,
  offers: readonly Offer[],
  register: (offer: Offer) => Entry,
): Catalogue<Entry> {
  return offers.length === 0 ? catalogue : catalogue.with(offers.map(register));
}
