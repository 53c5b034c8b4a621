import { isObject } from "../../jsonrpc/messages.js";
import { closestMatch } from "../../schema/closest-match.js";

/** Throws `TypeError` for an unknown option: a misspelled one would otherwise be ignored silently. */
export function rejectUnknownOptions(action: string, options: object, known: object, path = ""): void {
  const issue = unknownOptionIssue(options, known, path);
  if (issue !== undefined) throw new TypeError(`Cannot ${action}: ${issue}`);
}

/** Describes the first unknown option, with the nearest known name, or returns undefined. */
export function unknownOptionIssue(options: unknown, known: object, path = ""): string | undefined {
  if (!isObject(options)) return `${path || "the options"} must be an object`;
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return undefined;
  const prefix = path === "" ? "" : `${path}.`;
  const suggestion = closestMatch(unknown, Object.keys(known));
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

/** The same for an asynchronous public function: errors about its arguments have messages that start with "Cannot". */
export function rejectAtCaller<Result>(
  publicFunction: (...args: never[]) => unknown,
  body: () => Promise<Result>,
): Promise<Result> {
  const site: { stack?: string } = {};
  Error.captureStackTrace(site, publicFunction);
  return body().catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith("Cannot "))
      error.stack = [`${error.name}: ${error.message}`, ...(site.stack ?? "").split("\n").slice(1)].join("\n");
    throw error;
  });
}
