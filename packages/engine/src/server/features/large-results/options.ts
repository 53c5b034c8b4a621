import { omitUndefined, rejectUnknownOptions } from "../../definitions/validation.js";
import { MAX_TIMER_MS } from "../../limits/limits.js";

/** The tool that reads truncated results. */
export const READ_RESULT_TOOL = "read_result";

/** How results that are too large for a model are truncated and stored. */
export interface LargeResultsOptions {
  /** Results with more bytes are truncated, unless the tool sets its own limit. 64 KiB by default. */
  readonly budgetBytes?: number;
  /** How long the full result is stored, in milliseconds; 30 minutes by default. */
  readonly ttlMs?: number;
  /** The total size of stored results; 64 MiB by default. */
  readonly memoryBytes?: number;
  /** The number of stored results; 1000 by default. */
  readonly maxResults?: number;
}

/** The options with defaults applied. */
export type LargeResultsSettings = Required<LargeResultsOptions>;

/** The default options. If a budget is infinite, the default one is how much of a truncated result is shown. */
export const DEFAULT_LARGE_RESULTS: LargeResultsSettings = {
  budgetBytes: 64 * 1024,
  ttlMs: 30 * 60_000,
  memoryBytes: 64 * 1024 * 1024,
  maxResults: 1000,
};

/** Validates the options and applies defaults; undefined: results are never truncated. Throws `TypeError`. */
export function resolveLargeResultsOptions(
  input: boolean | LargeResultsOptions | undefined,
): LargeResultsSettings | undefined {
  if (input === undefined || input === false) return undefined;
  const options: LargeResultsOptions = input === true ? {} : input;
  rejectUnknownOptions("create the server", options, DEFAULT_LARGE_RESULTS, "largeResults");
  const settings = { ...DEFAULT_LARGE_RESULTS, ...omitUndefined(options) };
  for (const [name, value] of Object.entries(settings)) {
    const issue = byteLimitIssue(value);
    if (issue !== undefined) throw new TypeError(`Cannot create the server: largeResults.${name} ${issue}`);
  }
  return Object.freeze({ ...settings, ttlMs: Math.min(settings.ttlMs, MAX_TIMER_MS) });
}

/** Describes what is wrong with a limit, or returns undefined. */
export function byteLimitIssue(value: unknown): string | undefined {
  if (typeof value !== "number" || !(value > 0)) return "must be a positive number";
  return value === Number.POSITIVE_INFINITY || Number.isInteger(value) ? undefined : "must be an integer";
}
