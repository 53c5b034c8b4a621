import type { OptionSpec } from "./command.js";

/** Prints JSON for programs. */
export const JSON_OPTION = {
  type: "boolean",
  description: "Print JSON.",
} as const satisfies OptionSpec;

/** Limits the number of results; a command adds its `default` and `max`. */
export const LIMIT_OPTION = {
  type: "integer",
  short: "n",
  min: 1,
  max: 1000,
  placeholder: "NUMBER",
  description: "The maximum number of results.",
} as const satisfies OptionSpec;

/** Continues a list. */
export const CURSOR_OPTION = {
  type: "string",
  placeholder: "CURSOR",
  description: "Continue a list: the cursor that the previous page ended with.",
} as const satisfies OptionSpec;

/** Suppresses progress and notices. */
export const QUIET_OPTION = {
  type: "boolean",
  short: "q",
  description: "Print no progress and no notices.",
} as const satisfies OptionSpec;

/** Answers questions with yes. */
export const YES_OPTION = {
  type: "boolean",
  short: "y",
  description: "Do not ask for confirmation.",
} as const satisfies OptionSpec;
