import { wrongAsk } from "./faults.js";

/** By whom and when commits were made that a log is to have. */
export interface LogFilter {
  readonly author?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Git takes anything for a date, and what it does not understand for now. */
const DATE = /\d|\b(?:now|today|yesterday|noon|midnight|tea|never|last|ago|one|two|three|week|month|year|day)\b/i;

/** The options of git for a filter. Names are compared as they are, without regard to case. */
export function toLogOptions({ author, since, until }: LogFilter): readonly string[] {
  for (const [name, value] of Object.entries({ since, until }))
    if (value !== undefined && !DATE.test(value))
      throw wrongAsk(`${name} must be a date such as 2024-05-01 or "2 weeks ago".`, { [name]: value });
  for (const [name, value] of Object.entries({ author, since, until }))
    if (value?.includes("\0")) throw wrongAsk(`${name} must not have a NUL character in it.`);
  return [
    ...(author === undefined ? [] : ["--fixed-strings", "--regexp-ignore-case", `--author=${author}`]),
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
  ];
}
