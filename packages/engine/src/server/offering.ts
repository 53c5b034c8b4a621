import { normalizeUri } from "../protocol/uri.js";
import { checkApps } from "./app.js";
import type { Changes } from "./changes.js";
import type { Front } from "./lists/front.js";
import { refuseUnknownNames } from "./lists/select.js";
import { checkDiscovery, checkSelection, type Discovery, type Selection } from "./lists/selection.js";
import { loadBeyondTools } from "./methods/later.js";
import type { Offers } from "./offers.js";
import { arrange, type Brought, createRegistry, extend, type Registry, withoutTool } from "./registry.js";
import { isTemplateUri, uriFault } from "./resource.js";
import type { Settings } from "./settings.js";

/** What a server offers at the moment, and how that changes while it runs. */
export class Offering {
  readonly #given: Offers;
  readonly #settings: Settings;
  readonly #changes: Changes;
  readonly #declared = new Set<keyof Offers>();
  #registry: Registry;
  #discovery: Discovery;
  /** The packs are open, so all that belongs together is there. */
  #isOpen = false;
  /** How often a selection was asked for, and which of them holds. */
  #asked = 0;
  #selected = 0;

  constructor(given: Offers, settings: Settings, changes: Changes) {
    this.#given = given;
    this.#settings = settings;
    this.#changes = changes;
    this.#discovery = settings.discovery;
    this.#registry = extend(createRegistry(settings), [{ offers: given }], settings);
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
  async open(brought: readonly Brought[]): Promise<void> {
    const front = this.#discovery === "full" ? undefined : await this.#loadFront();
    const extended = extend(this.#registry, brought, this.#settings);
    checkApps(extended);
    const { selection } = extended;
    if (selection !== undefined) refuseUnknownNames("start the server", extended, selection);
    this.#registry = front === undefined ? extended : arrange(extended, selection, front);
    this.#declare();
    this.#isOpen = true;
    // Else what is told of changes would wait for the first request that asks for it.
    const { dynamic, tasks } = this.#settings;
    if (dynamic || tasks || this.#declared.has("prompts") || this.#declared.has("resources")) await loadBeyondTools();
  }

  /** Offers one more thing and tells the clients. */
  add(of: keyof Offers, name: string, more: Offers): void {
    // Whoever adds one thing hears at once what is wrong with it.
    const settings: Settings = { ...this.#settings, badTools: "refuse" };
    this.#change(of, `add "${name}" to the ${of}`, (registry) => extend(registry, [{ offers: more }], settings));
  }

  /** Withdraws what has this name and tells the clients. */
  remove(of: keyof Offers, name: string): void {
    this.#change(of, `remove "${name}" from the ${of}`, (registry) => {
      if (of === "tools") return withoutTool(registry, name);
      const { prompts, resources, templates } = registry;
      return {
        ...registry,
        prompts: of === "prompts" ? prompts.without(name) : prompts,
        resources: of === "resources" && !isTemplateUri(name) ? resources.without(readUri("remove", name)) : resources,
        templates: of === "resources" && isTemplateUri(name) ? templates.without(name) : templates,
      };
    });
  }

  /** Offers these tools from now on, found in this way, and tells the clients. */
  async select(selection: Selection, discovery: Discovery | undefined): Promise<void> {
    const deed = "select tools";
    checkSelection(deed, selection);
    checkDiscovery(deed, discovery);
    const before = this.#discovery;
    const wanted = discovery ?? before;
    this.#discovery = wanted;
    this.#asked += 1;
    const turn = this.#asked;
    try {
      const front = wanted === "full" ? undefined : await this.#loadFront();
      // What was asked for later holds, however long this has taken.
      if (turn < this.#selected) return;
      this.#change("tools", deed, (registry) => {
        if (this.#isOpen) refuseUnknownNames(deed, registry, selection);
        return arrange(registry, selection, front);
      });
      this.#selected = turn;
    } catch (error) {
      if (turn === this.#asked) this.#discovery = before;
      throw error;
    }
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

  async #loadFront(): Promise<Front> {
    const { createFront } = await import("./lists/progressive.js");
    return createFront(this.#settings);
  }

  /** Clients are told once what there is, so what may come later must be given as an empty list. */
  #declare(): void {
    const { all, prompts, resources, templates } = this.#registry;
    const { dynamic } = this.#settings;
    if (dynamic || all.entries.length > 0) this.#declared.add("tools");
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
