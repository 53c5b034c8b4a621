import type { Core } from "./core.js";
import type { Host } from "./host.js";
import type { Layer, LayerHost } from "./layers/layer.js";
import type { Offering } from "./offering.js";
import type { Offers } from "./offers.js";
import { closeOne, closePacks, type OpenedPack, openPack, type Pack } from "./pack.js";
import type { Brought } from "./registry.js";
import type { Results } from "./results/results.js";
import type { TaskDesk } from "./tasks/desk.js";
import type { Tool } from "./tool.js";

/** A server whose parts are opened with its start. */
interface PartsOwner extends Core, Host, LayerHost {
  readonly tools: readonly Tool[];
  layers: readonly Layer[] | undefined;
  results: Results | undefined;
  tasks: TaskDesk | undefined;
}

/** What a server opens when it starts and closes when it ends: its layers, its packs, the kept results, the tasks. */
export class Parts {
  readonly #owner: PartsOwner;
  readonly #layers: Layer[] = [];
  readonly #packs: OpenedPack[] = [];
  #isClosed = false;

  constructor(owner: PartsOwner) {
    this.#owner = owner;
  }

  /** Opens all; where one cannot be opened, those that are open are closed again, and it throws why. */
  async open(layers: readonly Layer[], packs: readonly Pack[], offering: Offering): Promise<void> {
    try {
      await this.#openLayers(layers);
      const brought: Brought[] = [];
      for (const pack of packs) {
        const offers = await this.#openPack(pack);
        // One that loads another knows it by now.
        brought.push({ offers, pack: pack.name, isChecked: pack.checked === true });
      }
      await this.#openResults(brought);
      await offering.open(brought);
      await this.#openTasks();
    } catch (error) {
      for (const failure of await this.#closeAll())
        this.#owner.log({ level: "error", message: failure.message, error: failure });
      throw error;
    }
  }

  /** Closes all and lets no other be opened; gives what could not be closed. */
  close(): Promise<Error[]> {
    this.#isClosed = true;
    return this.#closeAll();
  }

  async #openLayers(layers: readonly Layer[]): Promise<void> {
    for (const layer of layers) {
      if ((await layer.open?.(this.#owner)) === false) continue;
      this.#layers.push(layer);
      if (this.#isClosed) throw new Error("Cannot open the layers: the server has been closed");
    }
    this.#owner.layers = this.#layers.length === 0 ? undefined : [...this.#layers];
  }

  async #openPack(pack: Pack): Promise<Offers> {
    const closed = () => new Error(`Cannot open pack "${pack.name}": the server has been closed`);
    if (this.#isClosed) throw closed();
    const contents = await openPack(pack, this.#owner);
    this.#packs.push({ name: pack.name, contents });
    if (this.#isClosed) throw closed();
    return contents;
  }

  async #openResults(brought: Brought[]): Promise<void> {
    const owner = this.#owner;
    const { results: settings, limits, log } = owner.settings;
    if (settings === undefined) return;
    const { openResults } = await import("./results/open.js");
    owner.results = await openResults(settings, limits, log, [owner, ...brought.map(({ offers }) => offers)]);
    brought.push({ offers: owner.results, isOwn: true, isChecked: true });
  }

  async #openTasks(): Promise<void> {
    const owner = this.#owner;
    if (owner.settings.tasks === undefined) return;
    const { openTasks } = await import("./tasks/tasks.js");
    owner.tasks = await openTasks(owner, owner.settings.tasks);
  }

  /** One that cannot be closed keeps none of the others open. */
  async #closeAll(): Promise<Error[]> {
    return [
      ...(await closeOne("the store of tasks", this.#owner.tasks)),
      ...(await closeOne("the kept results", this.#owner.results)),
      ...(await closePacks(this.#packs)),
      ...(await this.#closeLayers()),
    ];
  }

  /** Last, because what ends with the packs is still told. */
  async #closeLayers(): Promise<Error[]> {
    const failures: Error[] = [];
    for (const layer of this.#layers.splice(0).reverse()) failures.push(...(await closeOne("a layer", layer)));
    return failures;
  }
}
