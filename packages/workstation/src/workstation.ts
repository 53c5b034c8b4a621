import { type Call, type PackHost, ToolError } from "@toolwright/engine";
import { builtFile, type FileAccess, type FilePolicy, hasUri, toFileUri } from "@toolwright/kit/files";
import { JobThread } from "@toolwright/kit/threads";
import type { Workflow } from "./builds/workflows.js";
import type { Changes } from "./changes/changes.js";
import type { ChangeAuthor } from "./changes/journal.js";
import type { Processes } from "./processes/processes.js";
import type { Settings } from "./settings.js";

/** What a person may be asked to confirm. `irreversible` is what undo cannot restore. */
export type ConfirmationKind = "irreversible" | "destructive";

/** The context of all tools of the pack. */
export class Workstation {
  readonly settings: Settings;
  /** The folder of what the pack keeps across restarts. */
  readonly stateFolder: string;
  readonly host: PackHost;
  readonly recentTexts = new RecentTexts();
  readonly #policy: FilePolicy;
  #processes: Promise<Processes> | undefined;
  #changes: Promise<Changes> | undefined;
  #parser: JobThread<string> | undefined;

  constructor({
    settings,
    stateFolder,
    host,
    policy,
  }: Pick<Workstation, "settings" | "stateFolder" | "host"> & { policy: FilePolicy }) {
    this.settings = settings;
    this.stateFolder = stateFolder;
    this.host = host;
    this.#policy = policy;
  }

  /** The files that a call can access. */
  accessFor(call: Pick<Call, "signal" | "supports" | "roots">): Promise<FileAccess> {
    return this.#policy.accessFor(call);
  }

  /** The author of the changes that a call makes. A change that was begun is completed even if the call is cancelled. */
  async authorOf(call: Call, tool: string): Promise<ChangeAuthor> {
    call.signal.throwIfAborted();
    const access = await this.accessFor({
      signal: new AbortController().signal,
      supports: (feature: Parameters<Call["supports"]>[0]) => call.supports(feature),
      roots: () => call.roots(),
    });
    return { principal: call.principal ?? "", tool, access };
  }

  /** Whether a person is asked to confirm: the settings say when, and the client must support it. */
  needsConfirmation(call: Pick<Call, "supports">, kind: ConfirmationKind): boolean {
    const { ask } = this.settings;
    return call.supports("elicit") && (ask === "destructive" || ask === kind);
  }

  /**
   * Asks a person to confirm an action, such as "Delete notes.txt", if the settings require it. Throws if they decline. The tool may run
   * again from the start with the answer, so nothing may be changed before.
   */
  async confirm(call: Pick<Call, "supports" | "elicit">, action: string, kind: ConfirmationKind): Promise<void> {
    if (!this.needsConfirmation(call, kind)) return;
    const warning = kind === "irreversible" ? " This cannot be undone." : "";
    const answer = await call.elicit("confirm", `${action}?${warning}`, CONFIRMATION);
    if (answer?.sure === true) return;
    throw new ToolError(`Not done: the user declined "${action}". Do not try to do it in another way.`, {
      code: "FORBIDDEN_COMMAND",
      details: { declined: action },
    });
  }

  /** Notifies clients that watch these files of a change. Some names have no safe URI, so they are no resources. */
  notifyChanged(realPaths: readonly string[]): void {
    for (const realPath of realPaths) if (hasUri(realPath)) this.host.notifyResourceUpdated(toFileUri(realPath));
  }

  /** The programs that tools have started. */
  processes(): Promise<Processes> {
    return (this.#processes ??= import("./processes/processes.js").then(
      ({ Processes }) => new Processes(this.stateFolder),
    ));
  }

  /** What changes files and undoes changes. */
  changes(): Promise<Changes> {
    return (this.#changes ??= import("./changes/changes.js").then(
      ({ Changes }) => new Changes(this.stateFolder, this.settings),
    ));
  }

  /** Parses a workflow file in a thread of its own: there are short texts that take a parser of YAML minutes. */
  async parseWorkflow(text: string, signal: AbortSignal | undefined): Promise<Workflow> {
    this.#parser ??= new JobThread(builtFile("workstation-worker.js"));
    return (await this.#parser.run(text, signal)) as Workflow;
  }

  async close(): Promise<void> {
    await this.#parser?.close();
    await (await this.#changes)?.close();
    await (await this.#processes)?.close();
  }
}

const CONFIRMATION = {
  type: "object",
  properties: { sure: { type: "boolean", title: "Yes" } },
  required: ["sure"],
} as const;

const MAX_TEXTS_LENGTH = 16 * 1024 * 1024;
const MAX_TEXT_LENGTH = 2 * 1024 * 1024;

/** The texts of files that were read last, by their hashes: a stale write is shown what has changed since. */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  #length = 0;

  set(hash: string, text: string): void {
    if (text.length > MAX_TEXT_LENGTH) return;
    this.#delete(hash);
    this.#texts.set(hash, text);
    this.#length += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= MAX_TEXTS_LENGTH) return;
      this.#delete(oldest);
    }
  }

  get(hash: string): string | undefined {
    return this.#texts.get(hash);
  }

  #delete(hash: string): void {
    this.#length -= this.#texts.get(hash)?.length ?? 0;
    this.#texts.delete(hash);
  }
}
