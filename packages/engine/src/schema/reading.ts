import type { JsonObject } from "../jsonrpc/json.js";

/** What came of checking a value. */
export type Reading =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** One plain sentence for each thing that was repaired. */
      readonly repairs: readonly string[];
    }
  | {
      readonly ok: false;
      /** One plain line for each fault, written for a model to correct itself. */
      readonly faults: readonly string[];
      /** A valid value near to the one that was refused, where one could be made. */
      readonly example: JsonObject | undefined;
      /** Whether the example says what was meant, without a value that nobody gave. */
      readonly isCertain?: boolean;
    };

/** How strictly values are read. */
export interface SchemaOptions {
  /** Whether certain mistakes are put right and reported. */
  readonly repair: boolean;
  /** Whether a key that the schema does not know is refused even where the schema does not say so. */
  readonly unknownKeys: "refuse" | "allow";
  /** Whether the schema must describe an object, as the arguments of a tool are. */
  readonly root: "object" | "any";
  /** Which side of a Standard Schema is shown, by default what goes in; values are always read as input. */
  readonly side?: "input" | "output";
  /** The JSON Schema to show for a library that cannot write one itself. */
  readonly json?: JsonObject;
  /** Whether a JSON Schema is known to be right; then it is read when it is first used. */
  readonly isChecked?: boolean;
}

/** Shared by all readings in which nothing was repaired, so that they allocate no list. */
export const NO_REPAIRS: readonly string[] = Object.freeze([]);

/** How many references may be followed while one value is read; only choices nested in choices come near it. */
export const MAX_REFERENCES = 1_000_000;
