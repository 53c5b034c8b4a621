import type { RpcError } from "../jsonrpc/errors.js";
import { encodeServerInfo } from "../revisions/meta-keys.js";
import { TurnQueue } from "./active-requests.js";
import { ChangeNotifier } from "./changes.js";
import type {
  Connection,
  ServedRevision,
  SessionOptions,
  TransportConnection,
  TransportSession,
} from "./connection.js";
import type { Definitions, PackHost } from "./definitions/pack.js";
import type { Prompt } from "./definitions/prompt.js";
import type { Resource, ResourceTemplate } from "./definitions/resource.js";
import type { Tool } from "./definitions/tool.js";
import { atCaller, rejectUnknownOptions } from "./definitions/validation.js";
import { dispatch, rejectMessage } from "./dispatch.js";
import type { RequestStateSigner } from "./features/elicitation/request-state.js";
import type { LargeResults } from "./features/large-results/large-results.js";
import type { TaskManager } from "./features/tasks/task-manager.js";
import { groupToolsets, type ToolDiscovery, type ToolFilter, type Toolset } from "./features/tool-filter.js";
import { drain, Lifecycle } from "./lifecycle.js";
import { KeptBytes } from "./limits/kept-bytes.js";
import { CallLimiter } from "./limits/limiter.js";
import type { Limits } from "./limits/limits.js";
import { MetricsCollector } from "./limits/metrics.js";
import { createFrameRecorder, type FrameRecorder, type FrameSource } from "./logging/frame-recorder.js";
import type { LogEntry } from "./logging/log.js";
import type { Redaction } from "./logging/redaction.js";
import { RejectionLog } from "./logging/rejection-log.js";
import type { EndedSession, Middleware, MiddlewareHost } from "./middleware.js";
import {
  type LimitOptions,
  resolveLimits,
  resolveOptions,
  type ServerOptions,
  type ServerSettings,
} from "./options.js";
import { createEmptySnapshot, Registry, type RegistrySnapshot } from "./registry.js";
import { monotonicNow, TurnClock } from "./runtime.js";
import { Session } from "./session.js";
import type { ServerState } from "./state.js";

/** A server. Transports pass messages to it with `receive`. */
export interface Server extends PackHost {
  readonly limits: Limits;
  /** The last messages and new ones; undefined if the recorder is off. */
  readonly recorder: FrameSource | undefined;
  /** The current prompts. */
  readonly prompts: readonly Prompt[];
  /** The current resources and resource templates. */
  readonly resources: readonly (Resource | ResourceTemplate)[];
  /** Opens the middleware and packs. Transports call it before they read; further calls have no effect. */
  start(): Promise<void>;
  /** The protocol revisions that it serves, newest first. */
  readonly revisions: readonly ServedRevision[];
  /** Opens a session; `push` sends messages that belong to no request. */
  openSession(push: (message: string) => void, options?: SessionOptions): TransportSession;
  /** Handles one message as a transport read it. `connection.session` comes from `openSession`. */
  receive(text: string, connection: TransportConnection): void;
  /** Responds to input that is not a message. */
  rejectMessage(error: RpcError, connection: TransportConnection): void;
  /**
   * Changes limits while the server runs; limits that are left out get their default. Open connections keep the limits they
   * started with. Throws `TypeError`, and changes nothing, if a limit is invalid.
   */
  reconfigure(changes: ServerChanges): void;
  /** The toolsets that a tool filter can name: those of the tools, and one for each pack. */
  readonly toolsets: readonly Toolset[];
  /**
   * Replaces the tool filter and notifies clients; `{}` selects all tools. Without `discovery` the mode stays the same. Needs
   * `dynamic: true`. Throws `TypeError`, and changes nothing, if a name is unknown.
   */
  select(selection: ToolFilter, discovery?: ToolDiscovery): Promise<void>;
  /** Whether it rejects new requests because it is about to stop. Health checks should report it. */
  readonly isDraining: boolean;
  /**
   * Prepares to stop: rejects new requests except pings, cancellations and responses, ends subscriptions, and resolves when no
   * request is active. After `limits.drainMs` the rest is aborted, with an error for the client and a log line.
   */
  drain(): Promise<void>;
  /**
   * Ends the open sessions and closes the packs, last first. Throws `AggregateError` with the errors of all packs that could not
   * be closed. Of the transports, only `serveStdio` calls it.
   */
  close(): Promise<void>;
}

/** What `server.reconfigure` can change. */
export interface ServerChanges {
  readonly limits?: Omit<LimitOptions, "perPrincipal" | "requestRate">;
}

/**
 * A server with everything that its parts share. Authors and transports see it as `Server`. `outerMiddleware` runs around the
 * middleware of the options. The constructor throws `TypeError` that names the invalid option or tool.
 */
export class McpServer implements Server, ServerState, MiddlewareHost {
  /** Whether any server of this process was started. */
  static hasStarted = false;
  readonly settings: ServerSettings;
  readonly turns = new TurnQueue();
  readonly sessions = new Set<Session>();
  readonly changes: ChangeNotifier;
  readonly metrics: MetricsCollector;
  readonly limiter: CallLimiter;
  readonly kept: KeptBytes;
  readonly recorder: FrameRecorder | undefined;
  readonly rejections: RejectionLog;
  readonly serverInfoMeta: string;
  registry: RegistrySnapshot;
  readonly declared: ReadonlySet<keyof Definitions>;
  middleware: readonly Middleware[] | undefined;
  isDraining = false;
  results: LargeResults | undefined;
  tasks: TaskManager | undefined;
  readonly #options: ServerOptions;
  readonly #outerMiddleware: readonly Middleware[];
  readonly #lifecycle = new Lifecycle(this);
  readonly #sessionEndListeners: ((session: EndedSession) => void)[] = [];
  readonly #definitions: Registry;
  #requestStateSigner: RequestStateSigner | undefined;
  #started: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ServerOptions, outerMiddleware: readonly Middleware[] = []) {
    this.#options = options;
    this.#outerMiddleware = outerMiddleware;
    this.settings = resolveOptions(options);
    const { includeServerInfo, info, limits, log } = this.settings;
    const { rate, perPrincipal } = options.limits ?? {};
    this.serverInfoMeta = includeServerInfo ? encodeServerInfo(info) : "";
    this.metrics = new MetricsCollector(this, options);
    const clock = new TurnClock();
    this.kept = new KeptBytes(limits);
    this.limiter = new CallLimiter({ limits, rate, perPrincipal, clock, onEnd: this.metrics.onCallEnd });
    this.middleware = options.middleware?.length ? options.middleware : undefined;
    this.recorder = createFrameRecorder(options.recorder, clock);
    this.rejections = new RejectionLog(this.settings);
    this.changes = new ChangeNotifier(limits, log);
    this.registry = createEmptySnapshot(this.settings);
    this.#definitions = new Registry(options, this);
    this.declared = this.#definitions.declared;
  }

  get name(): string {
    return this.settings.info.name;
  }

  get version(): string {
    return this.settings.info.version;
  }

  get revisions(): readonly ServedRevision[] {
    return this.settings.revisions;
  }

  get redaction(): Redaction {
    return this.settings.redaction;
  }

  get limits(): Limits {
    return this.settings.limits;
  }

  get tools(): readonly Tool[] {
    return this.registry.tools.entries.map(({ tool }) => tool);
  }

  get toolsets(): readonly Toolset[] {
    return groupToolsets(this.registry.all.entries);
  }

  get prompts(): readonly Prompt[] {
    return this.registry.prompts.entries.map(({ prompt }) => prompt);
  }

  get resources(): readonly (Resource | ResourceTemplate)[] {
    const { resources, templates } = this.registry;
    return [...resources.entries.map(({ resource }) => resource), ...templates.entries.map(({ template }) => template)];
  }

  requestStateSigner(create: (secret: ServerOptions["secret"]) => RequestStateSigner): RequestStateSigner {
    this.#requestStateSigner ??= create(this.#options.secret);
    return this.#requestStateSigner;
  }

  start(): Promise<void> {
    McpServer.hasStarted = true;
    const { middleware = [], packs = [] } = this.#options;
    this.#started ??= this.#lifecycle.open([...this.#outerMiddleware, ...middleware], packs, this.#definitions);
    return this.#started;
  }

  notifyResourceUpdated(uri: string): void {
    this.#definitions.notifyResourceUpdated(uri);
  }

  notifyResourceListChanged(): void {
    this.#definitions.notifyResourceListChanged();
  }

  /* oxlint-disable typescript/unbound-method -- the methods are not called: the stack of a mistake is cut at them */
  addTool(tool: Tool): void {
    atCaller(this.addTool, () => this.#definitions.add("tools", tool.name, { tools: [tool] }));
  }

  removeTool(name: string): void {
    atCaller(this.removeTool, () => this.#definitions.remove("tools", name));
  }

  addPrompt(prompt: Prompt): void {
    atCaller(this.addPrompt, () => this.#definitions.add("prompts", prompt.name, { prompts: [prompt] }));
  }

  removePrompt(name: string): void {
    atCaller(this.removePrompt, () => this.#definitions.remove("prompts", name));
  }

  addResource(resource: Resource | ResourceTemplate): void {
    atCaller(this.addResource, () => this.#definitions.add("resources", resource.uri, { resources: [resource] }));
  }

  removeResource(uri: string): void {
    atCaller(this.removeResource, () => this.#definitions.remove("resources", uri));
  }
  /* oxlint-enable typescript/unbound-method */

  completeElicitation(id: string): void {
    for (const session of this.sessions) session.completeElicitation(id);
  }

  openSession(push: (message: string) => void, options: SessionOptions = {}): TransportSession {
    return new Session(this, push, options);
  }

  onSessionClosed(session: Session): void {
    const { revision, openedAt } = session;
    if (!this.sessions.delete(session) || revision === undefined) return;
    const ended = { revision: revision.version, durationMs: monotonicNow() - openedAt };
    for (const listener of this.#sessionEndListeners) listener(ended);
  }

  has(kind: "tool" | "prompt", name: string): boolean {
    const { tools, prompts } = this.registry;
    return (kind === "tool" ? tools : prompts).byName.get(name) !== undefined;
  }

  onSessionEnd(listener: (session: EndedSession) => void): void {
    this.#sessionEndListeners.push(listener);
  }

  receive(text: string, connection: TransportConnection): void {
    const { session } = connection as Connection;
    this.recorder?.record("client", session, text);
    if (session.isClosed) connection.respond(undefined);
    else dispatch(this, text, connection as Connection);
  }

  rejectMessage(error: RpcError, connection: TransportConnection): void {
    rejectMessage(this, error, undefined, connection as Connection);
  }

  log(entry: LogEntry): void {
    this.settings.log(entry);
  }

  reconfigure(changes: ServerChanges): void {
    const action = "reconfigure the server";
    rejectUnknownOptions(action, changes, { limits: true });
    const limits: LimitOptions = changes.limits ?? {};
    for (const name of ["perPrincipal", "requestRate"] as const)
      if (limits[name] !== undefined)
        throw new TypeError(`Cannot ${action}: limits.${name} cannot change while the server runs`);
    Object.assign(this.limits, resolveLimits(action, limits));
    this.limiter.reconfigure(limits.rate);
  }

  select(selection: ToolFilter, discovery?: ToolDiscovery): Promise<void> {
    return this.#definitions.setToolFilter(selection, discovery);
  }

  drain(): Promise<void> {
    this.isDraining = true;
    return (this.#drained ??= drain(this.sessions, this.settings));
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.isDraining = true;
    for (const session of this.sessions) {
      try {
        session.end();
      } catch (error) {
        this.log({ level: "error", message: "cannot end a session", error });
      }
    }
    // Middleware of the requests that were just aborted sees how they ended before it is closed.
    await new Promise((resolve) => setImmediate(resolve));
    const failures = await this.#lifecycle.close();
    await this.recorder?.close();
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
  }
}
