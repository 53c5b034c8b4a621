import { type Failure, type Findings, failure, toLines } from "../findings.js";

const LINE =
  /^(?:vet: )?(?<file>(?:[A-Za-z]:[\\/])?[^\s:()[\]"'<>|*?][^:()[\]"'<>|*?]*?):(?<line>\d+)(?::(?<column>\d+))?:? ?(?:-? ?(?<kind>fatal error|error|warning|note|info|hint|information)\b)?(?:\[[\w-]+\])?:? *(?<message>\S.*)$/i;

/** Lines that have the form of a place but say something else: times, addresses, stack frames. */
const NO_PLACE = /^\s|^(?:https?|file|localhost|at|make|node|npm|info|note):?|^\d+:\d+|^[\d.]+:\d+/i;

/** A file has an ending or a folder in its name. */
const IS_FILE = /[./\\]/;

/**
 * Reads lines of the form `file:line:column: kind: message`, which gcc, clang, javac, go, rustc, mypy, ruff, flake8 and many others
 * write. Notes belong to what stands before them, and are left out.
 */
export function colonLines(text: string): Findings {
  return { failures: toLines(text).flatMap(read) };
}

function read(line: string): Failure[] {
  if (NO_PLACE.test(line)) return [];
  const { file = "", message = "", kind = "error", ...place } = LINE.exec(line)?.groups ?? {};
  if (!IS_FILE.test(file) || /^(?:note|info|hint)/i.test(kind)) return [];
  // Linkers and compilers say that something follows; what follows is a line of its own.
  if (/: in function [`‘'"]|^In (?:function|file)/i.test(`: ${message}`) || message === "") return [];
  return [failure({ file, ...place }, message, /^warning/i.test(kind) ? "warning" : "error")];
}
