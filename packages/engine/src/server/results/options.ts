import { refuseUnknown } from "../known-members.js";
import { LONGEST_WAIT_MS } from "../limits.js";

const MIB = 1024 * 1024;

/** The tool that reads on in a result that was cut. */
export const READ_TOOL = "read_result";

/** How results that are too large for a model are kept, and how much of them. */
export interface ResultsOptions {
  /** A result with more bytes is cut; a tool may have a budget of its own. 64 KiB by default. */
  readonly budgetBytes?: number;
  /** How long the whole is kept, in milliseconds; half an hour by default. */
  readonly ttlMs?: number;
  /** Bytes of all results that are kept in memory; 64 MiB by default. */
  readonly memoryBytes?: number;
  /** The folder for what has no room in memory; without one it is forgotten. */
  readonly directory?: string;
  /** Bytes of all results that are kept on disk; 1 GiB by default. */
  readonly diskBytes?: number;
  /** Results that are kept at once; 1000 by default. */
  readonly most?: number;
}

/** The options with every default in place. */
export interface ResultsSettings extends Required<Omit<ResultsOptions, "directory">> {
  readonly directory: string | undefined;
}

const DEFAULTS = {
  budgetBytes: 64 * 1024,
  ttlMs: 30 * 60_000,
  memoryBytes: 64 * MIB,
  diskBytes: 1024 * MIB,
  most: 1000,
} as const;

/** The budget where none is given, and how much of a result is shown where its budget has no end. */
export const DEFAULT_BUDGET: number = DEFAULTS.budgetBytes;

/** Checks the options and fills in the defaults; undefined = results are never cut. Throws `TypeError` that names the fault. */
export function createResultsSettings(given: boolean | ResultsOptions | undefined): ResultsSettings | undefined {
  if (given === undefined || given === false) return undefined;
  const options: ResultsOptions = given === true ? {} : given;
  const fault = (reason: string) => new TypeError(`Cannot create the server: ${reason}`);
  if (typeof options !== "object" || options === null) throw fault("results must be true, false or an object");
  refuseUnknown("create the server with these results", options, { ...KNOWN, directory: true });
  const settings: Record<keyof typeof DEFAULTS, number> = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    const value = options[name];
    if (value === undefined) continue;
    const reason = budgetFault(value);
    if (reason !== undefined) throw fault(`results.${name} ${reason}`);
    settings[name] = name === "ttlMs" ? Math.min(value, LONGEST_WAIT_MS) : value;
  }
  const { directory } = options;
  if (directory !== undefined && (typeof directory !== "string" || directory === ""))
    throw fault("results.directory must be the path of a folder");
  return Object.freeze({ ...settings, directory });
}

const KNOWN = { budgetBytes: true, ttlMs: true, memoryBytes: true, diskBytes: true, most: true } as const;

/** Says what is wrong with a bound; undefined where nothing is. */
export function budgetFault(value: unknown): string | undefined {
  if (typeof value !== "number" || !(value > 0)) return "must be a positive number";
  return value === Number.POSITIVE_INFINITY || Number.isInteger(value) ? undefined : "must be a whole number";
}
