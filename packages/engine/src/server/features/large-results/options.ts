import { rejectUnknownOptions } from "../../definitions/validation.js";
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

const DEFAULTS: LargeResultsSettings = {
  budgetBytes: 64 * 1024,
  ttlMs: 30 * 60_000,
  memoryBytes: 64 * 1024 * 1024,
  maxResults: 1000,
};

/** The default budget, and how much of a result is shown if its budget is infinite. */
export const DEFAULT_BUDGET_BYTES: number = DEFAULTS.budgetBytes;

/** Validates the options and applies defaults; undefined: results are never truncated. Throws `TypeError`. */
export function resolveLargeResultsOptions(
  input: boolean | LargeResultsOptions | undefined,
): LargeResultsSettings | undefined {
  if (input === undefined || input === false) return undefined;
  const options: LargeResultsOptions = input === true ? {} : input;
  rejectUnknownOptions("create the server", options, DEFAULTS, "largeResults");
  const settings: Record<keyof LargeResultsSettings, number> = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof LargeResultsSettings)[]) {
    const value = options[name];
    if (value === undefined) continue;
    const issue = byteLimitIssue(value);
    if (issue !== undefined) throw new TypeError(`Cannot create the server: largeResults.${name} ${issue}`);
    settings[name] = name === "ttlMs" ? Math.min(value, MAX_TIMER_MS) : value;
  }
  return Object.freeze(settings);
}

/** Describes what is wrong with a limit, or returns undefined. */
export function byteLimitIssue(value: unknown): string | undefined {
  if (typeof value !== "number" || !(value > 0)) return "must be a positive number";
  return value === Number.POSITIVE_INFINITY || Number.isInteger(value) ? undefined : "must be an integer";
}
