import type { Server } from "@toolwright/engine";
import type { Config } from "../config/config.js";
import type { Listener } from "./listen.js";
import type { LiveLog } from "./live-log.js";
import type { LivePack } from "./live-pack.js";
import type { WebOptions } from "./web-options.js";

/** A server at work, and what it was told. */
export interface Running {
  readonly server: Server;
  /** Reads its configuration again. Throws `ConfigError` with all that is wrong. */
  readonly reread: () => Promise<Config>;
  readonly packs: readonly LivePack[];
  readonly log: LiveLog;
  /** What holds now. */
  config: Config;
  /** The ways in that are open, beside stdio. */
  listeners: readonly Listener[];
  /** What those of them that are on the network were told; undefined while none is. */
  web: WebOptions | undefined;
}
