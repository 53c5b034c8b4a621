import type { Seal } from "./asking/seal.js";
import type { Changes } from "./changes.js";
import type { Layer } from "./layers/layer.js";
import type { Registry } from "./registry.js";
import type { Settings } from "./settings.js";

/** What every part of a running server shares. */
export interface Core {
  readonly settings: Settings;
  readonly changes: Changes;
  /** Around each tool call, outermost first. */
  readonly layers: readonly Layer[];
  /** The members of a result's `_meta` that name the server, as text. */
  readonly identity: string;
  /** Replaced, never changed, when a tool comes or goes. */
  readonly registry: Registry;
  /** Made when it is first needed: few calls ask. */
  readonly seal: Seal;
}
