import type { RpcError } from "../jsonrpc/errors.js";
import { writeIdentity } from "../revisions/identity.js";
import { Seal } from "./asking/seal.js";
import { Changes } from "./changes.js";
import type { Core } from "./core.js";
import { Concurrency } from "./layers/concurrency.js";
import type { Layer } from "./layers/layer.js";
import { Observe } from "./layers/observe.js";
import { Rate } from "./layers/rate.js";
import { Timeout } from "./layers/timeout.js";
import type { Limits } from "./limits.js";
import type { Link, OpenSession, TransportLink } from "./link.js";
import type { LogEntry } from "./log.js";
import { closePacks, type OpenedPack, openPack, type Pack } from "./pack.js";
import { receive, refuse } from "./receive.js";
import { type RegisteredTool, Registry, registerTool } from "./registry.js";
import { Session } from "./session.js";
import { createSettings, type ServerOptions, type Settings } from "./settings.js";
import type { Tool } from "./tool.js";

/** A server: what it offers, and the one door through which transports hand messages to it. */
export interface Server {
  readonly name: string;
  readonly version: string;
  readonly limits: Limits;
  /** The tools that it offers now, in the order in which they are listed. */
  readonly tools: readonly Tool[];
  /** Opens the packs. Transports call it before they read; further calls change nothing. */
  start(): Promise<void>;
  /** Offers one more tool and tells the clients. Needs `dynamic: true`. */
  addTool(tool: Tool): void;
  /** Withdraws a tool and tells the clients. Needs `dynamic: true`. */
  removeTool(name: string): void;
  /** Opens a conversation; `push` sends what belongs to no request. */
  openSession(push: (message: string) => void): OpenSession;
  /** Serves one message as a transport read it; `link.session` is one that `openSession` gave. */
  receive(text: string, link: TransportLink): void;
  /** Answers what a transport could not read as a message. */
  refuse(error: RpcError, link: TransportLink): void;
  /** Writes to the server's own log. */
  log(entry: LogEntry): void;
  /**
   * Ends the open conversations, so that subscriptions get their result, and closes the packs, last first. Throws
   * `AggregateError` with every pack that could not be closed, after all were tried. Transports never call it but
   * `serveStdio`, which ends the process.
   */
  close(): Promise<void>;
}

/** Creates a server. Throws `TypeError` that names what is wrong with the options or with a tool. */
export function createServer(options: ServerOptions): Server {
  return new ToolServer(options);
}

class ToolServer implements Server, Core {
  readonly settings: Settings;
  readonly changes = new Changes();
  readonly layers: readonly Layer[];
  readonly identity: string;
  readonly #options: ServerOptions;
  readonly #packs: OpenedPack[] = [];
  readonly #sessions = new Set<Session>();
  #registry: Registry;
  #seal: Seal | undefined;
  #started: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.settings = createSettings(options);
    this.identity = this.settings.identify ? writeIdentity(this.settings.info) : "";
    this.layers = createLayers(options, this.settings);
    this.#registry = new Registry(
      (options.tools ?? []).map((tool) => registerTool(tool, this.settings)),
      this.limits.pageSize,
    );
  }

  get name(): string {
    return this.settings.info.name;
  }

  get version(): string {
    return this.settings.info.version;
  }

  get limits(): Limits {
    return this.settings.limits;
  }

  get tools(): readonly Tool[] {
    return this.#registry.tools.map(({ tool }) => tool);
  }

  get registry(): Registry {
    return this.#registry;
  }

  get seal(): Seal {
    this.#seal ??= new Seal(this.#options.secret);
    return this.#seal;
  }

  start(): Promise<void> {
    this.#started ??= this.#openPacks();
    return this.#started;
  }

  addTool(tool: Tool): void {
    this.#change(this.#registry.with(registerTool(tool, this.settings)), `add tool "${tool.name}"`);
  }

  removeTool(name: string): void {
    if (this.#registry.find(name)?.tool.name !== name)
      throw new TypeError(`Cannot remove tool "${name}": there is none of this name`);
    this.#change(this.#registry.without(name), `remove tool "${name}"`);
  }

  openSession(push: (message: string) => void): OpenSession {
    const session: Session = new Session(this.changes, push, () => this.#sessions.delete(session));
    this.#sessions.add(session);
    return session;
  }

  receive(text: string, link: TransportLink): void {
    receive(this, text, link as Link);
  }

  refuse(error: RpcError, link: TransportLink): void {
    refuse(this, error, undefined, link as Link);
  }

  log(entry: LogEntry): void {
    this.settings.log(entry);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#sessions) this.#end(session);
    const failures = await closePacks(this.#packs);
    if (failures.length === 0) return;
    throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
  }

  #end(session: Session): void {
    try {
      session.end();
    } catch (error) {
      this.log({ level: "error", message: "a conversation could not be ended in good order", error });
    }
  }

  #change(registry: Registry, deed: string): void {
    if (!this.settings.dynamic) throw new TypeError(`Cannot ${deed}: create the server with dynamic: true`);
    this.#registry = registry;
    this.changes.publish({ of: "tools" });
  }

  async #openPacks(): Promise<void> {
    const { packs = [] } = this.#options;
    try {
      const tools: RegisteredTool[] = [];
      for (const pack of packs) tools.push(...(await this.#open(pack)));
      if (tools.length > 0) this.#registry = new Registry([...this.#registry.tools, ...tools], this.limits.pageSize);
    } catch (error) {
      for (const failure of await closePacks(this.#packs))
        this.log({ level: "error", message: failure.message, error: failure });
      throw error;
    }
  }

  async #open(pack: Pack): Promise<RegisteredTool[]> {
    const closed = () => new Error(`Cannot open pack "${pack.name}": the server has been closed`);
    if (this.#isClosed) throw closed();
    const contents = await openPack(pack);
    this.#packs.push({ name: pack.name, contents });
    if (this.#isClosed) throw closed();
    return contents.tools.map((tool) => registerTool(tool, this.settings));
  }
}

function createLayers({ observe, rate }: ServerOptions, { limits, log }: Settings): readonly Layer[] {
  const report: typeof observe = (call) => {
    try {
      observe?.(call);
    } catch (error) {
      log({ level: "error", message: "observe failed", error });
    }
  };
  return [
    ...(observe ? [new Observe(report)] : []),
    ...(rate ? [new Rate(rate)] : []),
    new Concurrency(limits.callsInFlight, limits.callsQueued),
    new Timeout(limits.callTotalMs),
  ];
}
