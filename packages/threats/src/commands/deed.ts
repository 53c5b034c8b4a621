import type { Call } from "@toolwright/engine";
import type { Paint } from "@toolwright/kit/terminal";
import type { ThreatsContext } from "../threats-context.js";
import type { Option, Options } from "./options.js";

/** What a deed of `toolwright threats` works with. */
export interface Bench {
  readonly desk: ThreatsContext;
  readonly call: Pick<Call, "signal" | "supports" | "roots">;
  readonly options: Options;
  /** The words that belong to no option. */
  readonly words: readonly string[];
  readonly format: string;
  readonly isVerbose: boolean;
  /** Of Toolwright itself. */
  readonly version: string;
  readonly paint: Paint;
  /** How wide the screen is; infinite where there is none. */
  readonly width: number;
  /** Shows how far it has come. */
  readonly onProgress: (done: number, total: number | undefined) => void;
}

/** What a deed came to. */
export interface Result {
  readonly text: string;
  /** Said beside it, on stderr. */
  readonly remarks?: readonly string[];
  /** Ends the process with code 1. */
  readonly hasFailed?: boolean;
}

/** One of the things that `toolwright threats` does. */
export interface Deed {
  readonly takes: readonly Option[];
  /** The first is for people, and what is printed where nothing else is said. */
  readonly formats: readonly [string, ...string[]];
  /** How many plain words it takes at least and at most. */
  readonly words: readonly [least: number, most: number];
  /** The words that it needs, in the words of a refusal. */
  readonly needs?: string;
  run(bench: Bench): Promise<Result>;
}
