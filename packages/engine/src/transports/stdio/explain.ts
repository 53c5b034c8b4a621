import { findSyntaxFault } from "./find-syntax-fault.js";
import { plainWords, withoutFolders } from "./plain-words.js";

/** Why a server cannot start, for whoever reads the client's window: what is wrong, and what to do about it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return plainWords(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return missingModule(error);
  if (error instanceof SyntaxError) return wrongSyntax(error);
  if (code === "EADDRINUSE" && (error as { syscall?: string }).syscall === "listen") return takenPort(error);
  return plainWords(error);
}

/** `Cannot find package 'x' imported from …`, `Cannot find module '/…/x.js' imported from …`, `Cannot find module 'x'\nRequire stack:`. */
function missingModule({ message }: Error): string {
  const [, name = ""] = /'([^']*)'/.exec(message) ?? [];
  const by = withoutFolders(/imported from (.+)|\n- (.+)/.exec(message)?.slice(1).find(Boolean) ?? "");
  const user = by === "" ? "" : `, which ${by} needs,`;
  if (name === "") return plainWords(message);
  if (/^(?:[./\\]|file:|[A-Za-z]:[/\\])/.test(name))
    return `The file ${withoutFolders(name)}${user} is not there. Check its name, or build the server first.`;
  const [first = "", second = ""] = name.split("/");
  const packageName = first.startsWith("@") ? `${first}/${second}` : first;
  return `The module "${name}"${user} is not installed. Install it where the server is: npm install ${packageName}`;
}

/** The first line of the stack says where, except where Node keeps it to itself. */
function wrongSyntax(error: SyntaxError): string {
  const [first = ""] = (error.stack ?? "").split("\n");
  const [, file = "", line = ""] = /^(.+):(\d+)$/.exec(first) ?? findPlace(error) ?? [];
  // What V8 quotes of a text may be a secret.
  const words = plainWords(error).replace(/, (?:\.\.\.)?".*" is not valid JSON$/, " in JSON");
  return file === "" ? words : `${withoutFolders(file)}, line ${line}: ${words}`;
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
