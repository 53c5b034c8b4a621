import { NOT_KEPT } from "../protocol/outcome.js";
import { Catalogue, type Listing } from "./catalogue.js";
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
import { type RegisteredTool, registerTool, toolKind } from "./register-tool.js";
import { isTemplate, type Resource } from "./resource.js";
import type { Settings } from "./settings.js";

/** All that a server offers; never changed, only replaced. */
export interface Registry {
  readonly tools: Catalogue<RegisteredTool>;
  readonly prompts: Catalogue<RegisteredPrompt>;
  readonly resources: Catalogue<RegisteredResource>;
  readonly templates: Catalogue<RegisteredTemplate>;
}

/** A registry with nothing in it yet. */
export function createRegistry({ limits, listCache }: Settings): Registry {
  const listing = (cache: Listing["cache"] | undefined): Listing => ({
    pageSize: limits.pageSize,
    cache: cache ?? NOT_KEPT,
  });
  return {
    tools: new Catalogue(toolKind, [], listing(listCache.tools)),
    prompts: new Catalogue(promptKind, [], listing(listCache.prompts)),
    resources: new Catalogue(resourceKind, [], listing(listCache.resources)),
    templates: new Catalogue(templateKind, [], listing(listCache.resourceTemplates)),
  };
}

/** The registry with more in it. Throws `TypeError` that names what is wrong, and with which entry. */
export function extend(registry: Registry, offers: readonly Offers[], settings: Settings): Registry {
  const resources = offers.flatMap((offer) => offer.resources ?? []);
  const single = resources.filter((entry): entry is Resource => !isTemplate(entry));
  const families = resources.filter(isTemplate);
  const prompts = offers.flatMap((offer) => offer.prompts ?? []);
  const tools = offers.flatMap((offer) => offer.tools ?? []);
  return {
    tools: added(registry.tools, tools, (tool) => registerTool(tool, settings)),
    prompts: added(registry.prompts, prompts, (prompt) => registerPrompt(prompt, settings)),
    resources: added(registry.resources, single, registerResource),
    templates: added(registry.templates, families, registerTemplate),
  };
}

/** An unchanged catalogue stays the same one, with the pages that it keeps. */
function added<Entry, Offer>(
  catalogue: Catalogue<Entry>,
  offers: readonly Offer[],
  register: (offer: Offer) => Entry,
): Catalogue<Entry> {
  return offers.length === 0 ? catalogue : catalogue.with(offers.map(register));
}
