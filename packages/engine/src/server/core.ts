import type { Seal } from "./asking/seal.js";
import type { Changes } from "./changes.js";
import type { Layer } from "./layers/layer.js";
import type { Meter } from "./meters/meter.js";
import type { Offers } from "./offers.js";
import type { Recorder } from "./recorder.js";
import type { Registry } from "./registry.js";
import type { Results } from "./results/results.js";
import type { ServerOptions } from "./server-options.js";
import type { Settings } from "./settings.js";
import type { TaskDesk } from "./tasks/desk.js";

/** What every part of a running server shares. */
export interface Core {
  readonly settings: Settings;
  readonly changes: Changes;
  /** Around each call of what authors wrote, outermost first. */
  readonly meters: readonly Meter[];
  /** Around each request, outermost first, and outside the meters; undefined = there are none. */
  readonly layers: readonly Layer[] | undefined;
  /** The server takes nothing new: it is about to end. */
  readonly isDraining: boolean;
  /** Keeps the last messages; undefined = nobody does. */
  readonly recorder: Recorder | undefined;
  /** The members of a result's `_meta` that name the server, as text. */
  readonly identity: string;
  /** Replaced, never changed, when something comes or goes. */
  readonly registry: Registry;
  /** What is declared to clients; what was declared once stays so. */
  readonly offered: ReadonlySet<keyof Offers>;
  /** The one seal of the server, made from its secret when it is first needed: few calls ask. */
  sealBy(make: (secret: ServerOptions["secret"]) => Seal): Seal;
  /** There from the start of the server on, where it has tasks. */
  readonly tasks: TaskDesk | undefined;
  /** There from the start of the server on, where results that are too large are cut and kept. */
  readonly results: Results | undefined;
}
