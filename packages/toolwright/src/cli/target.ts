import { revisions } from "@toolwright/engine";
import type { ClientOptions, Target } from "@toolwright/engine/client";
import { type Given, type OptionKind, readWords, UsageError } from "@toolwright/kit/cli";

/** The server to talk to, and how. */
export interface Reach {
  readonly target: Target;
  readonly options: Pick<ClientOptions, "token" | "revision" | "timeoutMs" | "headers">;
  /** Takes what is secret about the server out of what is said of it; undefined = nothing is. */
  readonly conceal?: (text: string) => string;
}

/** Where the server is: at an address that was given, or in the configuration file of a client, under a name. */
type Where =
  | { readonly target: Target }
  | {
      readonly name: string;
      /** It is to be taken from a file of this project, and not from one of the user. */
      readonly isOfProject: boolean;
    };

const OPTIONS = {
  "--sse": { value: "a URL" },
  "--socket": { value: "a path" },
  "--token-env": { value: "the name of an environment variable" },
  "--revision": { value: "a date" },
  "--timeout": { value: "seconds" },
} as const satisfies Record<string, OptionKind>;

type Name = keyof typeof OPTIONS;

const NAMES_OF_OPTIONS = Object.keys(OPTIONS) as Name[];
const PROJECT = { "--project": {} } as const satisfies Record<string, OptionKind>;

const URL_LIKE = /^(?:https?|wss?):\/\//i;
const WAYS = "a URL (http, https, ws, wss), --sse URL, --socket PATH, or -- COMMAND for one that is to be started";
const NAMES = 'Servers of clients go by their names, which "toolwright list" shows';

/** What was said about the server, beside the options of a command and the words that are left for it. */
export interface ReachWords<Own extends string> {
  readonly reach: Reach;
  readonly given: Given<Own>;
  readonly plain: readonly string[];
}

/** A way to a server that may go by a name that has yet to be looked up. */
export interface Way {
  readonly where: Where;
  /** How to talk to the server, once it is known which it is. Throws `UsageError`. */
  readonly optionsFor: (target: Target) => Reach["options"];
  /** The words that lead there, for whoever wants to go the same way: before the words of a command, and behind them. */
  readonly typed: { readonly before: readonly string[]; readonly behind: readonly string[] };
}

/** What was said about such a way, beside the options of a command and the words that are left for it. */
export interface WayWords<Own extends string> {
  readonly way: Way;
  readonly given: Given<Own>;
  readonly plain: readonly string[];
}

/** Reads the words after a command that talks to a server; those after `--` start one. Throws `UsageError`. */
export function readReach<Own extends string>(
  words: readonly string[],
  own: Readonly<Record<Own, OptionKind>>,
  env: NodeJS.ProcessEnv,
): ReachWords<Own> {
  const { target, given, plain } = readAll(words, own, env);
  if (target === undefined) throw new UsageError(`There is no server to talk to; give ${WAYS}`);
  return { reach: { target, options: readOptions(given, target, env) }, given, plain };
}

/** Reads the same words where the first of them may be the name of a server. Throws `UsageError`. */
export function readWay<Own extends string>(
  words: readonly string[],
  own: Readonly<Record<Own, OptionKind>>,
  env: NodeJS.ProcessEnv,
): WayWords<Own> {
  const { target, given, plain } = readAll<Own | "--project">(words, { ...own, ...PROJECT }, env);
  const isOfProject = given["--project"] !== undefined;
  const optionsFor = (found: Target): Reach["options"] => readOptions(given, found, env);
  const options = NAMES_OF_OPTIONS.flatMap((name) => (given[name] ?? []).flatMap((value) => [name, value]));
  const behind = words.includes("--") ? words.slice(words.indexOf("--")) : [];
  if (target !== undefined) {
    if (isOfProject) throw new UsageError("--project is for servers that go by a name");
    const before = "url" in target ? [String(target.url), ...options] : options;
    return { way: { where: { target }, optionsFor, typed: { before, behind } }, given, plain };
  }
  const [name, ...rest] = plain;
  if (name === undefined) throw new UsageError(`There is no server to talk to; give ${WAYS}. ${NAMES}`);
  const before = [name, ...(isOfProject ? ["--project"] : []), ...options];
  return { way: { where: { name, isOfProject }, optionsFor, typed: { before, behind } }, given, plain: rest };
}

function readAll<Own extends string>(
  words: readonly string[],
  own: Readonly<Record<Own, OptionKind>>,
  env: NodeJS.ProcessEnv,
): { readonly target: Target | undefined; readonly given: Given<Name> & Given<Own>; readonly plain: string[] } {
  const at = words.indexOf("--");
  const plain: string[] = [];
  const kinds: Readonly<Record<Name | Own, OptionKind>> = { ...OPTIONS, ...own };
  const given: Given<Name> & Given<Own> = readWords<Name | Own>(at === -1 ? words : words.slice(0, at), kinds, plain);
  return { target: readTarget(given, plain, at === -1 ? undefined : words.slice(at + 1), env), given, plain };
}

/** Takes the URL, where that is what was given, out of the plain words. */
function readTarget(
  given: Given<Name>,
  plain: string[],
  command: readonly string[] | undefined,
  env: NodeJS.ProcessEnv,
): Target | undefined {
  const url = URL_LIKE.test(plain[0] ?? "") ? plain.shift() : undefined;
  const sse = given["--sse"]?.[0];
  const socket = given["--socket"]?.[0];
  const [first, ...others] = [url, sse, socket, command].filter((way) => way !== undefined);
  if (first === undefined) return undefined;
  if (others.length > 0) throw new UsageError("There are two servers to talk to; give one");
  if (command) return readCommand(command, env);
  if (socket !== undefined) return { socket };
  return sse === undefined ? { url: readUrl(url ?? "") } : { sse: readUrl(sse) };
}

/** Whoever types a command wants it to find what it would find without us. */
function readCommand([command, ...args]: readonly string[], env: NodeJS.ProcessEnv): Target {
  if (command === undefined) throw new UsageError("-- needs a command that starts a server");
  return { command, args, env };
}

function readUrl(text: string): URL {
  if (URL_LIKE.test(text) && URL.canParse(text)) return new URL(text);
  throw new UsageError(`"${text}" is no URL of a server`);
}

function readOptions(given: Given<Name>, target: Target, env: NodeJS.ProcessEnv): Reach["options"] {
  const token = given["--token-env"] && readToken(given["--token-env"][0] ?? "", target, env);
  const revision = given["--revision"]?.[0];
  const known = revisions.map(({ version }) => version);
  if (revision !== undefined && !known.includes(revision))
    throw new UsageError(`--revision ${revision} is unknown; there are ${known.join(", ")}`);
  const seconds = given["--timeout"] && Number(given["--timeout"][0]);
  if (seconds !== undefined && !(seconds > 0)) throw new UsageError("--timeout needs seconds, such as 90");
  return {
    ...(token !== undefined && { token }),
    ...(revision !== undefined && { revision }),
    ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
  };
}

function readToken(name: string, target: Target, env: NodeJS.ProcessEnv): string {
  if (!("url" in target || "sse" in target)) throw new UsageError("--token-env needs a URL beside it");
  const token = env[name]?.trim() ?? "";
  if (token === "") throw new UsageError(`--token-env: the environment has no ${name}, or it is empty`);
  return token;
}
