import { builtin } from "../../server/builtin.js";
import { findSyntaxFault } from "./find-syntax-fault.js";
import { plainWords, withoutFolders } from "./plain-words.js";

/** Why a server cannot start, for whoever reads the client's window: what is wrong, and what to do about it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return plainWords(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return missingModule(error);
  if (error instanceof SyntaxError) return wrongSyntax(error);
  // What Bun cannot read has its place with it.
  const { position } = error as { position?: { file: string; line: number } | null };
  if (position?.file) return inFile(position.file, position.line, plainWords(error));
  if (code === "EADDRINUSE" && (error as { syscall?: string }).syscall === "listen") return takenPort(error);
  return plainWords(error);
}

/** What is wrong, and where. */
const inFile = (file: string, line: number | string, words: string): string =>
  `${withoutFolders(file)}, line ${line}: ${words}`;

/**
 * `Cannot find package 'x' imported from …`, `Cannot find module '/…/x.js' imported from …`, `Cannot find module 'x'\nRequire stack:`;
 * on Deno `Module not found "file:///…/x.js".\n    at …`, and so it also tells of wrong syntax.
 */
function missingModule(error: Error): string {
  const message = builtin("node:util").stripVTControlCharacters(error.message);
  const [, name = ""] = /['"]([^'"]*)['"]/.exec(message) ?? [];
  const [, place = "", line = ""] = /\n +at (\S+?):(\d+):\d+/.exec(message) ?? [];
  const [, fault] = /^SyntaxError: (.+)/.exec(message) ?? [];
  if (fault !== undefined) return inFile(place, line, plainWords(fault));
  const by = withoutFolders(/imported from (.+)|\n- (.+)/.exec(message)?.slice(1).find(Boolean) ?? place);
  const user = by === "" ? "" : `, which ${by} needs,`;
  if (name === "") return plainWords(message);
  if (/^(?:[./\\]|file:|[A-Za-z]:[/\\])/.test(name))
    return `The file ${name.replace(/^.*[/\\]/, "")}${user} is not there. Check its name, or build the server first.`;
  const [first = "", second = ""] = name.split("/");
  const packageName = first.startsWith("@") ? `${first}/${second}` : first;
  return `The module "${name}"${user} is not installed. Install it where the server is: npm install ${packageName}`;
}

/** The first line of the stack says where, except where Node keeps it to itself. */
function wrongSyntax(error: SyntaxError): string {
  const [first = ""] = (error.stack ?? "").split("\n");
  const [, file = "", line = ""] =
    /^(?:SyntaxError: .+ at )?(.+?):(\d+)(?::\d+)?$/.exec(first) ?? findPlace(error) ?? [];
  // What V8 quotes of a text may be a secret; where Deno adds the place, it is told already.
  const words = plainWords(error)
    .replace(/, (?:\.\.\.)?".*" is not valid JSON$/, " in JSON")
    .replace(/ at \S+:\d+:\d+$/, "");
  return file === "" ? words : inFile(file, line, words);
}

/** Loading a module goes through Node's own; what `JSON.parse` refuses does not. */
function findPlace({ stack = "", message }: SyntaxError): readonly string[] | undefined {
  if (!/node:internal\/modules\/esm\b/.test(stack) || /JSON/.test(message)) return undefined;
  const fault = findSyntaxFault(message, process.argv[1]);
  return fault && ["", fault.file, fault.line];
}

function takenPort(error: Error): string {
  const { port } = error as { port?: number };
  const place = port === undefined ? "The place to listen at" : `Port ${port}`;
  return `${place} is taken by another program. Stop that program, or choose another port.`;
}
