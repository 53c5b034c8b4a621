import { invalidGitArgument } from "./errors.js";

/** By whom and when commits were made that a log is to have. */
export interface LogFilter {
  readonly author?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Git takes anything for a date, and what it does not understand for now. */
const DATE = /\d|\b(?:now|today|yesterday|noon|midnight|tea|never|last|ago|one|two|three|week|month|year|day)\b/i;

/** Dates in figures, with the year first, last or left out. */
const FIGURES = /(?<!\S)(\d+)([-/.])(\d+)(?:\2(\d+))?(?=$|[\sT])/g;

/** Whether a date can be meant. Out of a day that no calendar has, git reads another one. */
const isDate = (text: string): boolean =>
  DATE.test(text) &&
  [...text.matchAll(FIGURES)].every(([, first = "", sign, second = "", third]) => {
    const [one, two, three] = [Number(first), Number(second), Number(third ?? 1)];
    if (first.length === 4) return isDay(one, two, three);
    if (third !== undefined) return isDay(three, one, two) || isDay(three, two, one) || isDay(one, two, three);
    return sign === "." || isDay(LEAP_YEAR, one, two) || isDay(LEAP_YEAR, two, one);
  });

const LEAP_YEAR = 2000;

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The options of git for a filter. Names are compared as they are, without regard to case. */
export function toLogOptions({ author, since, until }: LogFilter): readonly string[] {
  for (const [name, value] of Object.entries({ since, until }))
    if (value !== undefined && !isDate(value))
      throw invalidGitArgument(`${name} must be a date such as 2024-05-01 or "2 weeks ago".`, { [name]: value });
  for (const [name, value] of Object.entries({ author, since, until }))
    if (value?.includes("\0")) throw invalidGitArgument(`${name} must not have a NUL character in it.`);
  return [
    ...(author === undefined ? [] : ["--fixed-strings", "--regexp-ignore-case", `--author=${author}`]),
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
  ];
}
