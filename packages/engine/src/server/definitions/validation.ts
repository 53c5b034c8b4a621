import { isObject } from "../../jsonrpc/messages.js";
import { closestMatch } from "../../schema/closest-match.js";
import type { Server } from "../server.js";

/** Throws `TypeError` for an unknown option: a misspelled one would otherwise be ignored silently. */
export function rejectUnknownOptions(action: string, options: object, known: object, path = ""): void {
  const issue = unknownOptionIssue(options, known, path);
  if (issue !== undefined) throw new TypeError(`Cannot ${action}: ${issue}`);
}

/** What other engines and the protocol call an option. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  handler: "run",
  execute: "run",
  callback: "run",
  messages: "run",
  inputSchema: "input",
  parameters: "input",
  arguments: "input",
  outputSchema: "output",
  timeout: "timeoutMs",
  _meta: "meta",
};

/** Describes the first unknown option, with the nearest known name, or returns undefined. */
export function unknownOptionIssue(options: unknown, known: object, path = ""): string | undefined {
  if (!isObject(options)) return `${path || "the options"} must be an object`;
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return undefined;
  const prefix = path === "" ? "" : `${path}.`;
  const meant = OTHER_NAMES[unknown];
  const suggestion =
    meant !== undefined && Object.hasOwn(known, meant) ? meant : closestMatch(unknown, Object.keys(known));
  const hint =
    suggestion === undefined
      ? `expected one of ${Object.keys(known).join(", ")}`
      : `did you mean ${prefix}${suggestion}?`;
  return `unknown option ${prefix}${unknown}; ${hint}`;
}

type WithoutUndefined<Members> = {
  [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key];
} & {
  [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined>;
};

/** Copies the members that are not undefined, in the same order. */
export function omitUndefined<Members extends object>(members: Members): WithoutUndefined<Members> {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as WithoutUndefined<Members>;
}

/** Throws `TypeError` for what is passed in place of a definition, such as the name of the tool. */
export function requireDefinition(kind: string, definition: unknown): void {
  if (typeof definition === "object" && definition !== null) return;
  const actual = definition === null ? "null" : typeof definition;
  throw new TypeError(`Cannot define a ${kind}: expected what ${kind}({ … }) returns, got ${actual}`);
}

/** Throws `TypeError` for what is passed in place of a server, such as its options. */
export function requireServer(action: string, server: Server): void {
  if (typeof (server as Partial<Server> | undefined)?.receive === "function") return;
  throw new TypeError(`Cannot ${action}: the first argument is not a server; pass what createServer returns`);
}

/**
 * Runs the body of a public function. If it rejects its arguments, the stack of the error begins at the caller: the mistake is in
 * the caller's file, not in the engine.
 */
export function atCaller<Result>(publicFunction: (...args: never[]) => unknown, body: () => Result): Result {
  try {
    return body();
  } catch (error) {
    if (error instanceof TypeError) Error.captureStackTrace(error, publicFunction);
    throw error;
  }
}

/** The errors of functions that start something. A program that does not catch them cannot do what it is for. */
export const startErrors: WeakSet<Error> = new WeakSet();

/** The same for an asynchronous public function: errors about its arguments have messages that start with "Cannot". */
export function rejectAtCaller<Result>(
  publicFunction: (...args: never[]) => unknown,
  body: () => Promise<Result>,
): Promise<Result> {
  const site: { stack?: string } = {};
  Error.captureStackTrace(site, publicFunction);
  return body().catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith("Cannot ")) {
      startErrors.add(error);
      error.stack = [`${error.name}: ${error.message}`, ...(site.stack ?? "").split("\n").slice(1)].join("\n");
    }
    throw error;
  });
}
