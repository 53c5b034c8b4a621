import { existsSync } from "node:fs";
import type { PackHost, Tool } from "@toolwright/engine";
import type { SqlStore } from "@toolwright/kit/storage";
import type { Base } from "../base.js";
import { type BoundTool, readBoundTools } from "./bound-tool.js";
import { recallTools, rememberTools } from "./remembered.js";
import { toTool } from "./to-tool.js";

/** How soon after the start the database is opened, where there is one, and how often is looked whether there is one by now. */
const LOOK_MS = 300;
const AGAIN_MS = 5000;
/** When the list is renewed after all, where the server did not offer the pack yet. */
const OFFER_MS = 20;

/** Keeps the tools of a server that are bound to collections as the database has them, whatever process changes them. */
export class BoundTools {
  readonly #base: Base;
  readonly #host: Pick<PackHost, "tools" | "addTool" | "removeTool" | "log">;
  readonly #isOffered: () => boolean;
  readonly #offered = new Map<string, { readonly written: string; readonly tool: Tool }>();
  #database = "";
  #unwatch: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  #cannot: string | undefined;

  /** `isOffered` says whether the server lists the pack: one that is being replaced, or is to replace it, must not touch the list. */
  constructor(base: Base, host: Pick<PackHost, "tools" | "addTool" | "removeTool" | "log">, isOffered: () => boolean) {
    this.#base = base;
    this.#host = host;
    this.#isOffered = isOffered;
  }

  /** Brings back the tools that were there last. The database is opened soon, so that those of other processes come too. */
  recall(database: string): void {
    this.#database = database;
    for (const bound of recallTools(this.#base.state, database)) this.#offered.set(bound.name, this.#make(bound));
    this.#lookLater(LOOK_MS);
  }

  /** The tools that are there now. */
  get tools(): readonly Tool[] {
    return [...this.#offered.values()].map(({ tool }) => tool);
  }

  /** Why the list cannot be changed while the server runs; undefined = it can. */
  get cannot(): string | undefined {
    return this.#cannot;
  }

  /** From now on the database is watched. */
  async start(ledger: SqlStore): Promise<void> {
    clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = ledger.watch(() => void this.sync(ledger));
    void this.sync(ledger);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  /** Makes the list as the database has it, once what came before is done. */
  sync(ledger: SqlStore): Promise<void> {
    this.#last = this.#last
      .then(() => this.#sync(ledger))
      .catch((error: unknown) =>
        this.#host.log({ level: "warning", message: "knowledge: the list of bound tools could not be renewed", error }),
      );
    return this.#last;
  }

  #lookLater(afterMs: number): void {
    this.#timer = setTimeout(() => {
      const isThere = this.#database.includes("://") || existsSync(this.#database);
      // What goes wrong is told to whoever needs the database.
      if (isThere) void this.#base.ledger().catch(() => undefined);
      else this.#lookLater(AGAIN_MS);
    }, afterMs).unref();
  }

  async #sync(ledger: SqlStore): Promise<void> {
    if (this.#unwatch === undefined) return;
    if (!this.#isOffered()) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.sync(ledger), OFFER_MS).unref();
      return;
    }
    const all = await ledger.read(readBoundTools);
    const wanted = new Map(all.filter(({ isActive }) => isActive).map(({ bound }) => [bound.name, bound] as const));
    if (!this.#isOffered()) return;
    let isChanged = false;
    for (const [name, { written }] of this.#offered) {
      const bound = wanted.get(name);
      if (bound !== undefined && JSON.stringify(bound) === written) wanted.delete(name);
      else isChanged = this.#withdraw(name) || isChanged;
    }
    for (const bound of wanted.values()) isChanged = this.#offer(bound) || isChanged;
    if (isChanged) await rememberTools(this.#base.state, this.#database, this.#bound());
  }

  #bound(): readonly BoundTool[] {
    return [...this.#offered.values()].map(({ written }) => JSON.parse(written) as BoundTool);
  }

  #make(bound: BoundTool): { readonly written: string; readonly tool: Tool } {
    return { written: JSON.stringify(bound), tool: toTool(this.#base, bound) };
  }

  #withdraw(name: string): boolean {
    return this.#change(() => {
      this.#host.removeTool(name);
      this.#offered.delete(name);
    });
  }

  #offer(bound: BoundTool): boolean {
    const made = this.#make(bound);
    return this.#change(() => {
      this.#host.addTool(made.tool);
      this.#offered.set(bound.name, made);
    });
  }

  /** A server that was not made to change its list, or has a tool of that name by now, goes on with what it has. */
  #change(deed: () => void): boolean {
    try {
      deed();
      return true;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#cannot = error.message;
      this.#host.log({ level: "warning", message: "knowledge: a bound tool could not be listed or withdrawn", error });
      return false;
    }
  }
}
