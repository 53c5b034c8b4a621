import type { RpcError } from "../jsonrpc/errors.js";
import { writeIdentity } from "../revisions/identity.js";
import type { KnownSession, SpokenRevision } from "./agreed.js";
import type { Seal } from "./asking/seal.js";
import { Changes } from "./changes.js";
import { monotonic } from "./clock.js";
import type { Core } from "./core.js";
import { drain, endInOrder } from "./draining.js";
import { keepAlive } from "./keep-alive.js";
import type { EndedSession, Layer, LayerHost } from "./layers/layer.js";
import type { Limits } from "./limits.js";
import type { Link, OpenSession, TransportLink } from "./link.js";
import type { Discovery, Selection } from "./lists/selection.js";
import { type Toolset, toolsetsOf } from "./lists/toolsets.js";
import type { LogEntry } from "./log.js";
import { createMeters } from "./meters/create-meters.js";
import type { Meter } from "./meters/meter.js";
import { Metrics } from "./metrics.js";
import { Offering } from "./offering.js";
import type { Offers } from "./offers.js";
import { Parts } from "./parts.js";
import type { Prompt } from "./prompt.js";
import { receive, refuse } from "./receive.js";
import { type Reconfiguration, reconfigure } from "./reconfigure.js";
import { createRecorder, type Recorder } from "./recorder.js";
import type { Redaction } from "./redact.js";
import type { Registry } from "./registry.js";
import type { Resource, ResourceTemplate } from "./resource.js";
import type { Results } from "./results/results.js";
import type { Server } from "./server-face.js";
import type { ServerOptions } from "./server-options.js";
import { Session, type SessionOwner } from "./session.js";
import { createSettings, type Settings } from "./settings.js";
import type { TaskDesk } from "./tasks/desk.js";
import type { Tool } from "./tool.js";

export type { Server } from "./server-face.js";

/**
 * Creates a server. Throws `TypeError` that names what is wrong with the options or with a tool. `ambient` are layers around those
 * of the options, which stay where they find something to do.
 */
export function createServer(options: ServerOptions, ambient: readonly Layer[] = []): Server {
  return new ToolServer(options, ambient);
}

class ToolServer implements Server, Core, SessionOwner, LayerHost {
  readonly settings: Settings;
  readonly changes: Changes;
  readonly metrics = new Metrics({
    queued: () => this.meters.reduce((sum, { queued = 0 }) => sum + queued, 0),
    sessions: () => [...this.#sessions].filter(({ revision }) => revision !== undefined).length,
  });
  readonly meters: readonly Meter[];
  layers: readonly Layer[] | undefined;
  readonly recorder: Recorder | undefined;
  readonly identity: string;
  isDraining = false;
  results: Results | undefined;
  tasks: TaskDesk | undefined;
  readonly #options: ServerOptions;
  readonly #ambient: readonly Layer[];
  readonly #parts = new Parts(this);
  readonly #sessions = new Set<Session>();
  readonly #sessionEnds: ((session: EndedSession) => void)[] = [];
  readonly #offering: Offering;
  #seal: Seal | undefined;
  #started: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ServerOptions, ambient: readonly Layer[]) {
    this.#options = options;
    this.#ambient = ambient;
    this.settings = createSettings(options);
    this.identity = this.settings.identify ? writeIdentity(this.settings.info) : "";
    this.meters = createMeters(options, this.settings, this.metrics);
    this.layers = options.layers?.length ? options.layers : undefined;
    this.recorder = createRecorder(options.recorder);
    this.changes = new Changes(this.limits, this.settings.log);
    this.#offering = new Offering(options, this.settings, this.changes);
  }

  get name(): string {
    return this.settings.info.name;
  }

  get version(): string {
    return this.settings.info.version;
  }

  get revisions(): readonly SpokenRevision[] {
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
    return toolsetsOf(this.registry.all.entries);
  }

  get prompts(): readonly Prompt[] {
    return this.registry.prompts.entries.map(({ prompt }) => prompt);
  }

  get resources(): readonly (Resource | ResourceTemplate)[] {
    const { resources, templates } = this.registry;
    return [...resources.entries.map(({ resource }) => resource), ...templates.entries.map(({ template }) => template)];
  }

  get registry(): Registry {
    return this.#offering.registry;
  }

  get offered(): ReadonlySet<keyof Offers> {
    return this.#offering.declared;
  }

  sealBy(make: (secret: ServerOptions["secret"]) => Seal): Seal {
    this.#seal ??= make(this.#options.secret);
    return this.#seal;
  }

  start(): Promise<void> {
    const { layers = [], packs = [] } = this.#options;
    this.#started ??= this.#parts.open([...this.#ambient, ...layers], packs, this.#offering);
    return this.#started;
  }

  resourceChanged(uri: string): void {
    this.#offering.touch(uri);
  }

  resourceListChanged(): void {
    this.#offering.relist();
  }

  addTool(tool: Tool): void {
    this.#offering.add("tools", tool.name, { tools: [tool] });
  }

  removeTool(name: string): void {
    this.#offering.remove("tools", name);
  }

  addPrompt(prompt: Prompt): void {
    this.#offering.add("prompts", prompt.name, { prompts: [prompt] });
  }

  removePrompt(name: string): void {
    this.#offering.remove("prompts", name);
  }

  addResource(resource: Resource | ResourceTemplate): void {
    this.#offering.add("resources", resource.uri, { resources: [resource] });
  }

  removeResource(uri: string): void {
    this.#offering.remove("resources", uri);
  }

  visitDone(id: string): void {
    for (const session of this.#sessions) session.concludeVisit(id);
  }

  openSession(push: (message: string) => void, hangUp?: () => void, known?: KnownSession): OpenSession {
    const session = new Session(this, push);
    session.hangUp = hangUp;
    if (known?.isBrief !== true) session.note();
    if (known !== undefined) session.recall(known, this.settings.revisions);
    return session;
  }

  watch(session: Session, push: (message: string) => void): (() => void) | undefined {
    const { keepAlive: often } = this.settings;
    if (often === undefined) return undefined;
    return keepAlive(session, push, often, () => {
      this.log({ level: "notice", message: "a client did not answer a ping and is given up" });
      session.close();
      session.hangUp?.();
    });
  }

  opened(session: Session): void {
    this.#sessions.add(session);
  }

  closed(session: Session): void {
    const { revision, openedAt } = session;
    if (!this.#sessions.delete(session) || revision === undefined) return;
    const ended = { revision: revision.version, durationMs: monotonic() - openedAt };
    for (const hear of this.#sessionEnds) hear(ended);
  }

  offers(kind: "tool" | "prompt", name: string): boolean {
    const { tools, prompts } = this.registry;
    return (kind === "tool" ? tools : prompts).find(name) !== undefined;
  }

  onSessionEnd(hear: (session: EndedSession) => void): void {
    this.#sessionEnds.push(hear);
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

  reconfigure(changes: Reconfiguration): void {
    reconfigure(this, changes);
  }

  select(selection: Selection, discovery?: Discovery): Promise<void> {
    return this.#offering.select(selection, discovery);
  }

  drain(): Promise<void> {
    this.isDraining = true;
    return (this.#drained ??= drain(this.#sessions, this.settings));
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.isDraining = true;
    for (const session of this.#sessions) endInOrder(session, this.settings.log);
    const failures = await this.#parts.close();
    await this.recorder?.close();
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
  }
}
