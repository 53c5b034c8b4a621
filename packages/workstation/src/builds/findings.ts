/** One error or warning of a build, test or lint run. */
export interface Failure {
  /** As the tool reports it: absolute, or relative to the folder of the run. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly test?: string;
  readonly message: string;
  readonly severity: "error" | "warning";
}

/** The results of tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What a parser has found in the output of a tool. */
export interface Findings {
  readonly failures: readonly Failure[];
  readonly counts?: Counts;
  /** The output in readable form, if the tool writes JSON. */
  readonly plain?: string;
}

/** Parses the output of a tool. Finds nothing in the output of other tools. */
export type Parser = (text: string) => Findings;

/** Longer lines are truncated before they are parsed: no position is that far to the right. */
const MAX_LINE = 4000;
const MAX_MESSAGE = 2000;

/** Splits a text into lines, and truncates long ones. */
export const toLines = (text: string): string[] =>
  text.split("\n").map((line) => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line));

/** Creates a failure from the groups of a pattern. Missing numbers are omitted. */
export function failure(
  { file, line, column, test }: Place,
  message: string,
  severity: Failure["severity"] = "error",
): Failure {
  const text = message.trim();
  return {
    ...(file && { file }),
    ...toNumber("line", line),
    ...toNumber("column", column),
    ...(test && { test }),
    message: text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text || "It failed.",
    severity,
  };
}

/** A position, as the groups of a pattern. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: string | number | undefined;
  readonly column?: string | number | undefined;
  readonly test?: string | undefined;
}

function toNumber(name: "line" | "column", value: string | number | undefined): Partial<Record<typeof name, number>> {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? { [name]: number } : {};
}

/** Adds up the counts of several runs, if there are any. */
export function addCounts(all: readonly (Counts | undefined)[]): { readonly counts?: Counts } {
  const some = all.filter((each) => each !== undefined);
  if (some.length === 0) return {};
  const sum = (name: keyof Counts): number => some.reduce((total, each) => total + each[name], 0);
  return { counts: { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") } };
}

/** The number in the first group of a pattern, or 0. */
export const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

/** The first position in a stack trace that is not in a library. */
export function placeInStack(lines: readonly string[]): Place {
  for (const line of lines) {
    const found = /(?:file:\/\/)?((?:[A-Za-z]:)?[^\s()':]+\.[cm]?[jt]sx?):(\d+):(\d+)/.exec(line);
    if (found !== null && !/node_modules|node:internal/.test(line))
      return { file: found[1], line: found[2], column: found[3] };
  }
  return {};
}
