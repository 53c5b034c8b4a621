import { type Failure, type Findings, failure, toLines } from "../findings.js";

const IN_FILE =
  /^\s*(?:\d+>)?(?<file>[^\s(][^(]*)\((?<line>\d+)(?:,(?<column>\d+))?(?:,\d+,\d+)?\)\s*: (?:\w+ )?(?<kind>error|warning) (?<code>[A-Z]+\d+)\s*: (?<message>.*)$/;
const PRETTY =
  /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+) - (?<kind>error|warning) (?<code>TS\d+): (?<message>.*)$/;
const NO_FILE =
  /^\s*(?:(?<file>[^\s:][^:]*) : )?(?<kind>error|warning) (?<code>(?:TS|MSB|NETSDK|NU|CS|FS|BC)\d+)\s*: (?<message>.*)$/;

/** Reads what tsc and MSBuild write: `file(line,column): error CODE: message`, and the coloured form of tsc. */
export function parenthesisLines(text: string): Findings {
  return { failures: unique(toLines(text).flatMap(read)) };
}

function read(line: string): Failure[] {
  const groups = (IN_FILE.exec(line) ?? PRETTY.exec(line) ?? NO_FILE.exec(line))?.groups;
  if (groups === undefined) return [];
  const { code = "", message = "", kind, ...place } = groups;
  // MSBuild ends each line with the project that it belongs to.
  const words = `${code}: ${message.replace(/\s+\[[^\]]+proj(?:::[^\]]*)?\]$/, "")}`;
  return [failure(place, words, kind === "warning" ? "warning" : "error")];
}

/** MSBuild says everything twice: as it comes, and in the summary. */
function unique(failures: readonly Failure[]): readonly Failure[] {
  return [...new Map(failures.map((each) => [JSON.stringify(each), each])).values()];
}
