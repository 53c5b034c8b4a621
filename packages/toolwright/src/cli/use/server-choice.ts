import { revisions } from "@toolwright/engine";
import type { ClientOptions, Target } from "@toolwright/engine/client";
import { UsageError } from "@toolwright/kit/cli";
import type { TargetInput } from "./server-options.js";

/** A server, and how to connect to it. */
export interface ServerConnection {
  readonly target: Target;
  readonly options: Pick<ClientOptions, "token" | "revision" | "timeoutMs" | "headers">;
  /** Removes the secrets of the server from a text; undefined if there are none. */
  readonly conceal?: (text: string) => string;
}

/** Where a server is: at an address, or under a name in the configuration file of a client. */
type Location =
  | { readonly target: Target }
  | {
      readonly name: string;
      /** It is in a file of this project, and not in one of the user. */
      readonly isOfProject: boolean;
    };

/** A server as the command line names it. */
export interface ServerChoice {
  readonly where: Location;
  /** How to connect to the server once it is found. Throws `UsageError`. */
  readonly optionsFor: (target: Target) => ServerConnection["options"];
  /** The words that name the server, for the command lines in help: those before the arguments, and those after them. */
  readonly typed: { readonly before: readonly string[]; readonly behind: readonly string[] };
}

const URL_LIKE = /^(?:https?|wss?):\/\//i;
const FORMS = "a URL (http, https, ws, wss), --sse URL, --socket PATH, or -- COMMAND for a program to start";
const NAMES = 'Servers of clients have names, which "toolwright list" shows';

/** Reads which server a command line names, and returns the arguments that are left. Throws `UsageError`. */
export function readTarget(
  words: readonly string[],
  input: TargetInput,
  env: NodeJS.ProcessEnv,
): { readonly target: Target | undefined; readonly rest: readonly string[] } {
  const [first = "", ...others] = words;
  const url = URL_LIKE.test(first) ? first : undefined;
  const { sse, socket, trailing } = input;
  const given = [url, sse, socket, trailing].filter((form) => form !== undefined);
  if (given.length > 1) throw new UsageError("The command line names two servers; name one");
  const rest = url === undefined ? words : others;
  if (given.length === 0) return { target: undefined, rest };
  if (trailing !== undefined) return { target: readCommand(trailing, env), rest };
  if (socket !== undefined) return { target: { socket }, rest };
  return { target: sse === undefined ? { url: readUrl(url ?? "") } : { sse: readUrl(sse) }, rest };
}

/** The same if the first argument can be the name of a server. Throws `UsageError`. */
export function readServerChoice(
  words: readonly string[],
  input: TargetInput & { readonly project: boolean },
  env: NodeJS.ProcessEnv,
): { readonly way: ServerChoice; readonly rest: readonly string[] } {
  const { target, rest } = readTarget(words, input, env);
  const optionsFor = (found: Target): ServerConnection["options"] => readConnection(input, found, env);
  const options = [
    ...(input.sse === undefined ? [] : ["--sse", input.sse]),
    ...(input.socket === undefined ? [] : ["--socket", input.socket]),
    ...(input.tokenEnv === undefined ? [] : ["--token-env", input.tokenEnv]),
    ...(input.revision === undefined ? [] : ["--revision", input.revision]),
    ...(input.timeout === undefined ? [] : ["--timeout", String(input.timeout / 1000)]),
  ];
  const behind = input.trailing === undefined ? [] : ["--", ...input.trailing];
  if (target !== undefined) {
    if (input.project) throw new UsageError("--project is only for servers that are given by name");
    const before = "url" in target ? [String(target.url), ...options] : options;
    return { way: { where: { target }, optionsFor, typed: { before, behind } }, rest };
  }
  const [name, ...others] = rest;
  if (name === undefined) throw new UsageError(`No server is given; give ${FORMS}. ${NAMES}`);
  const before = [name, ...(input.project ? ["--project"] : []), ...options];
  return { way: { where: { name, isOfProject: input.project }, optionsFor, typed: { before, behind } }, rest: others };
}

/** A program gets the environment of this process, like one that is started in the shell. */
function readCommand([command, ...args]: readonly string[], env: NodeJS.ProcessEnv): Target {
  if (command === undefined) throw new UsageError("-- needs a command that starts a server");
  return { command, args, env };
}

function readUrl(text: string): URL {
  if (URL_LIKE.test(text) && URL.canParse(text)) return new URL(text);
  throw new UsageError(`"${text}" is not a URL of a server`);
}

/** Reads how to connect to a server. Throws `UsageError`. */
export function readConnection(
  { tokenEnv, revision, timeout }: TargetInput,
  target: Target,
  env: NodeJS.ProcessEnv,
): ServerConnection["options"] {
  const token = tokenEnv === undefined ? undefined : readToken(tokenEnv, target, env);
  const known = revisions.map(({ version }) => version);
  if (revision !== undefined && !known.includes(revision))
    throw new UsageError(`--revision must be ${known.join(", ")}, not "${revision}"`);
  return {
    ...(token !== undefined && { token }),
    ...(revision !== undefined && { revision }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
  };
}

function readToken(name: string, target: Target, env: NodeJS.ProcessEnv): string {
  if (!("url" in target || "sse" in target)) throw new UsageError("--token-env needs a URL");
  return readTokenVariable(name, env);
}

/** Reads a token from an environment variable. Throws `UsageError` if it is not set. */
export function readTokenVariable(name: string, env: NodeJS.ProcessEnv): string {
  const token = env[name]?.trim() ?? "";
  if (token === "") throw new UsageError(`--token-env: the environment variable ${name} is not set`);
  return token;
}
