import type { Json } from "@toolwright/engine";
import { PREFIX } from "./config.js";
import type { Kind } from "./kind.js";

/** The definition of one setting of the server. */
export interface Setting<Value extends Json = Json> {
  readonly kind: Kind<Value>;
  /** What it is for, in one line. */
  readonly about: string;
  /** What holds where nothing is said; undefined = nothing, or what `unset` says. */
  readonly default?: Value;
  /** What holds without it, in words, where no value says that. */
  readonly unset?: string;
  /** The environment variable, where it has another name than its key gives. */
  readonly env?: string;
  /** The option of the command line; others are given as `--set KEY=VALUE`. */
  readonly flag?: string;
  /** It is never shown, and never taken from the command line, which others can read. */
  readonly isSecret?: true;
  /** It can change while the server runs; others need a restart. */
  readonly isLive?: true;
}

/** Creates a setting. */
export const setting = <Value extends Json>(
  kind: Kind<Value>,
  about: string,
  more: Omit<Setting<Value>, "kind" | "about"> = {},
): Setting<Value> => ({ kind, about, ...more });

/** Every setting by its key, such as `http.listen`. */
export type Table = ReadonlyMap<string, Setting>;

/** The environment variable of a setting: `limits.callTimeoutMs` → `TOOLWRIGHT_LIMITS_CALL_TIMEOUT_MS`. */
export function variableOf(key: string, { env }: Setting): string {
  return env ?? `${PREFIX}${key.replaceAll(/\.|(?=[A-Z])/g, "_").toUpperCase()}`;
}

/** The key of each setting by its environment variable. */
export const keysByVariable = (table: Table): ReadonlyMap<string, string> =>
  new Map([...table].map(([key, row]) => [variableOf(key, row), key]));
