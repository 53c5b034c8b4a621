import { ToolError } from "@toolwright/engine";

/** More names than any honest history has; each costs memory, and a few bytes of git objects can stand for any number. */
export const MOST_NAMES = 1_000_000;

/** A history has too many files to be counted. */
export const tooManyNames = (): ToolError =>
  new ToolError(
    `Cannot read the history: it has more than ${MOST_NAMES} names of files. Ask for a shorter period_days, or for a folder with follow_renames: false.`,
    { code: "TOO_LARGE", details: { expected: MOST_NAMES } },
  );
