/** One thing that a build, test or lint run complains of. */
export interface Failure {
  /** As the tool wrote it: absolute, or relative to where it ran. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly test?: string;
  readonly message: string;
  readonly severity: "error" | "warning";
}

/** How many tests came to what. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What a parser has read from the output of a tool. */
export interface Findings {
  readonly failures: readonly Failure[];
  readonly counts?: Counts;
  /** The output as people would read it, where the tool writes for programs. */
  readonly plain?: string;
}

/** Reads the output of a tool: text in, findings out. Finds nothing in what another tool has written. */
export type Parser = (text: string) => Findings;

/** Longer lines are cut before they are looked at: no tool says where something is wrong after so much. */
const MAX_LINE = 4000;
const MAX_MESSAGE = 2000;

/** The lines of a text, none of them too long to be looked at. */
export const toLines = (text: string): string[] =>
  text.split("\n").map((line) => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line));

/** Makes a failure of what a pattern found; numbers that are not there are left out. */
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

/** Where something is wrong, as the groups of a pattern give it. */
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

/** Adds up counts of several runs; undefined where there are none. */
export function addCounts(all: readonly (Counts | undefined)[]): { readonly counts?: Counts } {
  const some = all.filter((each) => each !== undefined);
  if (some.length === 0) return {};
  const sum = (name: keyof Counts): number => some.reduce((total, each) => total + each[name], 0);
  return { counts: { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") } };
}

/** The number in the first group of a pattern, or 0. */
export const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

/** The place in a stack trace that is the project's own: the first that lies in no library. */
export function placeInStack(lines: readonly string[]): Place {
  for (const line of lines) {
    const found = /(?:file:\/\/)?((?:[A-Za-z]:)?[^\s()':]+\.[cm]?[jt]sx?):(\d+):(\d+)/.exec(line);
    if (found !== null && !/node_modules|node:internal/.test(line))
      return { file: found[1], line: found[2], column: found[3] };
  }
  return {};
}
