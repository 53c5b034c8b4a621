import { TimedScript } from "@toolwright/kit/time";

/** How long a pattern may take; the right ones take no part of this, on a busy machine neither. */
const MOST_MS = 200;

const test = new TimedScript('new RegExp(pattern, "u").test(value)');

/**
 * Whether a text matches a pattern that a user has written; undefined where that takes too long. A pattern such as ^(a+)+$ can
 * take years.
 */
export const matchesInTime = (pattern: string, value: string): boolean | undefined =>
  test.run({ pattern, value }, MOST_MS) as boolean | undefined;
