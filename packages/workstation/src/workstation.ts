import type { Call, PackHost } from "@toolwright/engine";
import type { AccessPolicy, FileAccess } from "@toolwright/kit/files";
import type { Changes } from "./changes/changes.js";
import { Seen } from "./changes/seen.js";
import type { Processes } from "./processes/processes.js";
import type { Settings } from "./settings.js";

/** What every tool of the pack is given: one policy for files, git and programs, and the parts that several tools share. */
export class Workstation {
  readonly settings: Settings;
  /** Where the pack keeps what should outlive it. */
  readonly state: string;
  readonly host: PackHost;
  readonly #grant: AccessPolicy;
  /** The texts that were shown, for those who write over them later. */
  readonly seen = new Seen();
  #processes: Promise<Processes> | undefined;
  #changes: Promise<Changes> | undefined;

  constructor({
    settings,
    state,
    host,
    grant,
  }: Pick<Workstation, "settings" | "state" | "host"> & { grant: AccessPolicy }) {
    this.settings = settings;
    this.state = state;
    this.host = host;
    this.#grant = grant;
  }

  /** What a call can reach of the file system. */
  reach(call: Pick<Call, "signal" | "supports" | "roots">): Promise<FileAccess> {
    return this.#grant.accessFor(call);
  }

  /** The programs that tools have started. */
  processes(): Promise<Processes> {
    return (this.#processes ??= import("./processes/processes.js").then((chunk) => new chunk.Processes(this.state)));
  }

  /** What changes files, and can take it back. */
  changes(): Promise<Changes> {
    return (this.#changes ??= import("./changes/changes.js").then(
      (chunk) => new chunk.Changes(this.state, this.settings),
    ));
  }

  async close(): Promise<void> {
    await (await this.#changes)?.close();
    await (await this.#processes)?.close();
  }
}
