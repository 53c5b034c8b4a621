import { type Failure, type Findings, failure, toLines } from "../findings.js";

const LINE =
  /^(?:vet: )?(?<file>(?:[A-Za-z]:[\\/])?[^\s:()[\]"'<>|*?][^:()[\]"'<>|*?]*?):(?<line>\d+)(?::(?<column>\d+))?:? ?(?:-? ?(?<kind>fatal error|error|warning|note|info|hint|information)\b)?(?:\[[\w-]+\])?:? *(?<message>\S.*)$/i;

/** Lines that look like a position but are something else: times, addresses, stack frames. */
const NO_PLACE = /^\s|^(?:https?|file|localhost|at|make|node|npm|info|note):?|^\d+:\d+|^[\d.]+:\d+/i;

/** A file name has an extension or a folder. */
const IS_FILE = /[./\\]/;

/**
 * Reads lines of the form `file:line:column: kind: message`, which gcc, clang, javac, go, rustc, mypy, ruff, flake8 and many others
 * write. Notes belong to the line before them and are ignored.
 */
export function parseColonLines(text: string): Findings {
  return { failures: toLines(text).flatMap(readColonLine) };
}

function readColonLine(line: string): Failure[] {
  if (NO_PLACE.test(line)) return [];
  const { file = "", message = "", kind = "error", ...place } = LINE.exec(line)?.groups ?? {};
  if (!IS_FILE.test(file) || /^(?:note|info|hint)/i.test(kind)) return [];
  // Headings of linkers and compilers: the error follows on its own line.
  if (/: in function [`‘'"]|^In (?:function|file)/i.test(`: ${message}`) || message === "") return [];
  return [failure({ file, ...place }, message, /^warning/i.test(kind) ? "warning" : "error")];
}

const IN_FILE =
  /^\s*(?:\d+>)?(?<file>[^\s(][^(]*)\((?<line>\d+)(?:,(?<column>\d+))?(?:,\d+,\d+)?\)\s*: (?:\w+ )?(?<kind>error|warning) (?<code>[A-Z]+\d+)\s*: (?<message>.*)$/;
const PRETTY =
  /^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+) - (?<kind>error|warning) (?<code>TS\d+): (?<message>.*)$/;
const NO_FILE =
  /^\s*(?:(?<file>[^\s:][^:]*) : )?(?<kind>error|warning) (?<code>(?:TS|MSB|NETSDK|NU|CS|FS|BC)\d+)\s*: (?<message>.*)$/;

/** Reads the output of tsc and MSBuild: `file(line,column): error CODE: message`, and the pretty format of tsc. */
export function parseParenthesisLines(text: string): Findings {
  return { failures: unique(toLines(text).flatMap(readParenthesisLine)) };
}

function readParenthesisLine(line: string): Failure[] {
  const groups = (IN_FILE.exec(line) ?? PRETTY.exec(line) ?? NO_FILE.exec(line))?.groups;
  if (groups === undefined) return [];
  const { code = "", message = "", kind, ...place } = groups;
  // MSBuild appends the project to each line.
  const words = `${code}: ${message.replace(/\s+\[[^\]]+proj(?:::[^\]]*)?\]$/, "")}`;
  return [failure(place, words, kind === "warning" ? "warning" : "error")];
}

/** MSBuild reports everything twice: at once, and in the summary. */
function unique(failures: readonly Failure[]): readonly Failure[] {
  return [...new Map(failures.map((each) => [JSON.stringify(each), each])).values()];
}
