import type { JsonObject, Pack, PackHost, Server } from "@toolwright/engine";
import type { PackContents } from "@toolwright/kit/pack";
import type { Page } from "@toolwright/kit/pages";
import { type Config, calledBy } from "../config/config.js";
import type { PackLoader } from "../packs.js";
import { loadPack } from "./pack-environment.js";
import { loadKnownTools } from "./tool-lists/known-tools.js";

/** A change of a pack that is ready to be made. */
export interface PackChange {
  /** Makes it. Throws why it cannot; then all is as it was. */
  make(): Promise<void>;
  /** Gives it up. */
  drop(): Promise<void>;
}

/** A pack that can be switched on and off, and get other settings, while its server runs. */
export class LivePack implements Pack {
  readonly name: string;
  readonly #load: PackLoader;
  readonly #stateFolder: string;
  #config: Config;
  #contents: PackContents = NOTHING;
  #isChecked = false;
  #optionalTools: readonly string[] = [];
  readonly #leaving = new Set<() => Promise<void>>();

  constructor(name: string, load: PackLoader, config: Config, stateFolder: string) {
    this.name = name;
    this.#load = load;
    this.#stateFolder = stateFolder;
    this.#config = config;
  }

  /** The setting that says how it is wanted. */
  get key(): string {
    return `packs.${this.name}`;
  }

  get isOn(): boolean {
    return this.#config.entries.get(this.key)?.value !== false;
  }

  /** The tools that it brings at the moment. */
  get toolNames(): readonly string[] {
    return (this.#contents.tools ?? []).map(({ name }) => name);
  }

  /** The toolsets that they are in. */
  get toolsets(): readonly string[] {
    return [...new Set((this.#contents.tools ?? []).map(({ toolset = this.name }) => toolset))];
  }

  /** The pages of the dashboard that it brings at the moment. */
  get pages(): readonly Page[] {
    return this.#contents.pages ?? NO_PAGES;
  }

  /** The tools that are available only if they are asked for. */
  get optionalTools(): readonly string[] {
    return this.#optionalTools;
  }

  /** Known once it is open. */
  get prevalidated(): boolean {
    return this.#isChecked;
  }

  async open(host: PackHost): Promise<PackContents> {
    this.#contents = await this.#openAs(this.#config, host);
    return { ...this.#contents, close: () => this.close() };
  }

  /** Opens the pack as it is wanted now, beside the one that is open. Throws why it cannot. */
  async prepare(config: Config, server: Server): Promise<PackChange> {
    const next = await this.#openAs(config, server);
    return {
      make: async () => {
        const before = this.#contents;
        try {
          replace(server, before, next);
        } catch (error) {
          await next.close?.();
          throw error;
        }
        this.#config = config;
        this.#contents = next;
        this.#leave(before, server.limits.drainMs);
      },
      drop: async () => next.close?.(),
    };
  }

  async #openAs(config: Config, host: PackHost): Promise<PackContents> {
    const wanted = config.entries.get(this.key)?.value as boolean | JsonObject | undefined;
    if (wanted === false) return NOTHING;
    try {
      this.#optionalTools = (await loadKnownTools({ [this.name]: this.#load })).optional;
      const create = await loadPack(this.#load, config, this.#stateFolder);
      const pack = create(typeof wanted === "object" ? wanted : {});
      this.#isChecked = pack.prevalidated === true;
      return await pack.open(host);
    } catch (error) {
      if (typeof wanted !== "object" || !(error instanceof Error)) throw error;
      throw new Error(`${error.message} (${calledBy(config, this.key)})`, { cause: error });
    }
  }

  /** Calls of it that run have their time before what they use is closed. */
  #leave(contents: PackContents, afterMs: number): void {
    const leave = async (): Promise<void> => {
      clearTimeout(timer);
      this.#leaving.delete(leave);
      await contents.close?.();
    };
    const timer = setTimeout(() => void leave().catch(() => undefined), afterMs).unref();
    this.#leaving.add(leave);
  }

  /** Closes what is open. */
  async close(): Promise<void> {
    await Promise.all([...[...this.#leaving].map((leave) => leave()), this.#contents.close?.()]);
  }
}

const NOTHING: PackContents = { tools: [] };
const NO_PAGES: readonly Page[] = [];

/** Withdraws what one brought and offers what the other brings. Where that cannot be, all is as it was. */
function replace(server: Server, before: PackContents, next: PackContents): void {
  withdraw(server, before);
  try {
    offer(server, next);
  } catch (error) {
    withdraw(server, next);
    offer(server, before);
    throw error;
  }
}

function offer(server: Server, { tools = [], prompts = [], resources = [] }: PackContents): void {
  for (const tool of tools) server.addTool(tool);
  for (const prompt of prompts) server.addPrompt(prompt);
  for (const resource of resources) server.addResource(resource);
}

function withdraw(server: Server, { tools = [], prompts = [], resources = [] }: PackContents): void {
  for (const { name } of tools) server.removeTool(name);
  for (const { name } of prompts) server.removePrompt(name);
  for (const { uri } of resources) server.removeResource(uri);
}
