import type { Call, Host } from "@toolwright/engine";
import type { Grant } from "../../files/grant.js";
import type { Reach } from "../../files/reach.js";
import type { Settings } from "./settings.js";

/** What every tool of the pack is given: the folders it may read, and what several tools share. */
export class Analysis {
  readonly settings: Settings;
  /** Where the pack keeps what should outlive it. */
  readonly state: string;
  readonly host: Pick<Host, "log">;
  readonly #grant: Grant;

  constructor({ settings, state, host, grant }: Pick<Analysis, "settings" | "state" | "host"> & { grant: Grant }) {
    this.settings = settings;
    this.state = state;
    this.host = host;
    this.#grant = grant;
  }

  /** What a call can reach of the file system. */
  reach(call: Pick<Call, "signal" | "can" | "roots">): Promise<Reach> {
    return this.#grant.reach(call);
  }

  async close(): Promise<void> {}
}
