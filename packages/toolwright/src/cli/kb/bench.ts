import type { Base } from "../../packs/knowledge/base.js";
import type { Paint } from "../terminal/paint.js";
import type { Options } from "./options.js";

/** What a deed of `toolwright kb` works with. */
export interface Bench {
  readonly base: Base;
  readonly options: Options;
  /** The words that belong to no option. */
  readonly words: readonly string[];
  readonly now: Date;
  readonly screen: Screen;
}

/** How things are shown. */
export interface Screen {
  readonly paint: Paint;
  /** How wide the screen is; infinite where there is none. */
  readonly width: number;
}

/** One of the things that `toolwright kb` does. */
export type Deed = (bench: Bench) => Promise<void>;
