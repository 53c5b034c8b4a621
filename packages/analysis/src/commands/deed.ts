import type { Call } from "@toolwright/engine";
import type { Paint } from "@toolwright/kit/terminal";
import type { Analysis } from "../analysis.js";
import type { Option, Options } from "./options.js";

/** What an analysis works with. */
export interface Desk {
  readonly analysis: Analysis;
  readonly call: Pick<Call, "signal" | "supports" | "roots" | "progress">;
  /** What is analysed, relative to the first folder that can be reached. */
  readonly path: string;
  /** Its name, for headings. */
  readonly project: string;
  readonly options: Options;
  readonly format: string;
  /** How wide the screen is; infinite where there is none. */
  readonly width: number;
  readonly paint: Paint;
}

/** What an analysis came to. */
export interface Result {
  /** What is printed, or written to the file of --output. */
  readonly text: string;
  /** Ends the process with code 1. */
  readonly hasFailed?: boolean;
  /** Files beside it. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
}

/** One of the analyses of the command line. */
export interface Deed {
  readonly takes: readonly Option[];
  /** The first is for people, and what is printed where nothing else is said. */
  readonly formats: readonly [string, ...string[]];
  run(desk: Desk): Promise<Result>;
}
