import { normalizeUri } from "../protocol/uri.js";
import { checkApps } from "./app.js";
import type { Changes } from "./changes.js";
import { loadBeyondTools } from "./methods/later.js";
import type { Offers } from "./offers.js";
import { createRegistry, extend, type Registry } from "./registry.js";
import { isTemplateUri, uriFault } from "./resource.js";
import type { Settings } from "./settings.js";

/** What a server offers at the moment, and how that changes while it runs. */
export class Offering {
  readonly #given: Offers;
  readonly #settings: Settings;
  readonly #changes: Changes;
  readonly #declared = new Set<keyof Offers>();
  #registry: Registry;
  /** The packs are open, so all that belongs together is there. */
  #isOpen = false;

  constructor(given: Offers, settings: Settings, changes: Changes) {
    this.#given = given;
    this.#settings = settings;
    this.#changes = changes;
    this.#registry = extend(createRegistry(settings), [given], settings);
    this.#declare();
  }

  get registry(): Registry {
    return this.#registry;
  }

  /** What is declared to clients; what was declared once stays so. */
  get declared(): ReadonlySet<keyof Offers> {
    return this.#declared;
  }

  /** Adds what the packs bring, when all of them are open. Throws `TypeError` that names what is wrong. */
  async open(brought: readonly Offers[]): Promise<void> {
    const registry = extend(this.#registry, brought, this.#settings);
    checkApps(registry);
    this.#registry = registry;
    this.#declare();
    this.#isOpen = true;
    // Else what is told of changes would wait for the first request that asks for it.
    const { dynamic, tasks } = this.#settings;
    if (dynamic || tasks || this.#declared.has("prompts") || this.#declared.has("resources")) await loadBeyondTools();
  }

  /** Offers one more thing and tells the clients. */
  add(of: keyof Offers, name: string, more: Offers): void {
    this.#change(of, `add "${name}" to the ${of}`, (registry) => extend(registry, [more], this.#settings));
  }

  /** Withdraws what has this name and tells the clients. */
  remove(of: keyof Offers, name: string): void {
    this.#change(of, `remove "${name}" from the ${of}`, ({ tools, prompts, resources, templates }) => ({
      tools: of === "tools" ? tools.without(name) : tools,
      prompts: of === "prompts" ? prompts.without(name) : prompts,
      resources: of === "resources" && !isTemplateUri(name) ? resources.without(readUri("remove", name)) : resources,
      templates: of === "resources" && isTemplateUri(name) ? templates.without(name) : templates,
    }));
  }

  /** Tells the clients that watch a resource, or one above it, that it has changed. */
  touch(uri: string): void {
    this.#changes.publish({ of: "resource", uri: readUri("tell of a change of", uri) });
  }

  /** Tells the clients that the families list other resources than before. */
  relist(): void {
    this.#change("resources", "change the list of resources", (registry) => registry);
  }

  #change(of: keyof Offers, deed: string, change: (registry: Registry) => Registry): void {
    if (!this.#settings.dynamic) throw new TypeError(`Cannot ${deed}: create the server with dynamic: true`);
    if (!this.#declared.has(of))
      throw new TypeError(`Cannot ${deed}: create the server with ${of}: [], so that clients know of them`);
    const changed = change(this.#registry);
    if (this.#isOpen) checkApps(changed);
    this.#registry = changed;
    this.#changes.publish({ of });
  }

  /** Clients are told once what there is, so what may come later must be given as an empty list. */
  #declare(): void {
    const { tools, prompts, resources, templates } = this.#registry;
    const { dynamic } = this.#settings;
    if (dynamic || tools.entries.length > 0) this.#declared.add("tools");
    if ((dynamic && this.#given.prompts) || prompts.entries.length > 0) this.#declared.add("prompts");
    if ((dynamic && this.#given.resources) || resources.entries.length + templates.entries.length > 0)
      this.#declared.add("resources");
  }
}

function readUri(deed: string, uri: string): string {
  const fault = uriFault(uri);
  if (fault !== undefined) throw new TypeError(`Cannot ${deed} "${uri}": ${fault}`);
  return normalizeUri(uri);
}
