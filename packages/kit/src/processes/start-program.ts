import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type Child, spawnChild } from "@toolwright/engine/transport";
import { isWithin } from "../files/paths.js";
import { MARK, ProgramTree } from "./program-tree.js";

/** Where a program writes. */
export type OutputStream = "stdout" | "stderr";

/** How a program is to be started. */
export interface StartOptions {
  readonly cwd: string;
  /** All environment variables that it gets. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long it may run. */
  readonly timeoutMs: number;
  /** What it reads from its input; nothing by default. */
  readonly input?: string;
  /** Finds and ends also what has left its group. */
  readonly endsTree?: boolean;
  /** Takes each piece of output. While it works the program waits as soon as its pipe is full. */
  readonly take: (piece: Buffer, from: OutputStream) => void | Promise<void>;
}

/** How a program ended. */
export interface ProgramStop {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly hasTimedOut: boolean;
  readonly durationMs: number;
}

/** A program that runs. */
export interface StartedProgram {
  readonly pid: number | undefined;
  /** Rejects with a `ToolError` if it cannot be started. */
  readonly ended: Promise<ProgramStop>;
}

/** The longest wait that a timer holds; a longer one would end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** How long the output of an ended program may stay open: by then the rest of its process group has been ended. */
const LINGER_MS = 3000;

/**
 * Starts a program without a shell, in a group of its own. All of the group is ended when the signal is aborted, when the time is
 * up, and when the program itself has ended. With `endsTree`, what has left the group is ended as well, before `ended` resolves.
 */
export function startProgram(
  signal: AbortSignal,
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs, input, endsTree = false, take }: StartOptions,
): StartedProgram {
  const started = performance.now();
  signal.throwIfAborted();
  const stop = new AbortController();
  let hasTimedOut = false;
  const start = (environment: Environment): Child => {
    try {
      return spawnChild(stop, program, args, {
        cwd,
        env: environment,
        stdin: input === undefined ? "ignore" : "pipe",
      });
    } catch (error) {
      throw notStarted(program, error as NodeJS.ErrnoException);
    }
  };
  const tree = endsTree ? new ProgramTree() : undefined;
  const child = start(tree === undefined ? env : { ...env, [MARK]: tree.mark });
  tree?.watch(child.pid);
  const cancel = (): void => {
    // What is below a program is not known any more when it has ended.
    void (tree?.look() ?? Promise.resolve()).finally(() => stop.abort());
  };
  signal.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(
    () => {
      hasTimedOut = true;
      cancel();
    },
    Math.min(timeoutMs, LONGEST_WAIT_MS),
  );
  // A program may end without reading all of its input.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const exit = new Promise<Pick<ProgramStop, "exitCode" | "signal" | "hasTimedOut">>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(notStarted(program, error)));
    child.once("exit", (exitCode, endedBy) => resolve({ exitCode, signal: endedBy, hasTimedOut }));
  }).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  });
  const ended = follow(child, exit, endTree(exit, tree), take).then((how) => ({
    ...how,
    durationMs: performance.now() - started,
  }));
  // The caller may await the end after it has happened.
  ended.catch(() => undefined);
  return { pid: child.pid, ended };
}

/** Ends what a program leaves behind. */
async function endTree<How>(exit: Promise<How>, tree: ProgramTree | undefined): Promise<How> {
  try {
    return await exit;
  } finally {
    await tree?.end();
  }
}

/** `whole` resolves when all that the program has started has ended. */
async function follow<How>(
  child: Child,
  exit: Promise<How>,
  whole: Promise<How>,
  take: StartOptions["take"],
): Promise<How> {
  whole.catch(() => undefined);
  const drained = Promise.all([drain(child.stdout, "stdout", take), drain(child.stderr, "stderr", take)]);
  drained.catch(() => undefined);
  const how = await exit;
  // A process that has left the group can keep the output open indefinitely.
  const lingering = setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, LINGER_MS);
  await drained.finally(() => clearTimeout(lingering));
  await whole;
  return how;
}

async function drain(stream: NodeJS.ReadableStream, from: OutputStream, take: StartOptions["take"]): Promise<void> {
  try {
    for await (const piece of stream) await take(piece as Buffer, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

function notStarted(program: string, error: NodeJS.ErrnoException): ToolError {
  const reason = error.code === "ENOENT" ? "it is not installed, or not on the PATH of this server" : error.message;
  return new ToolError(`Cannot run ${program}: ${reason}.`, {
    code: error.code === "ERR_INVALID_ARG_VALUE" ? "INVALID_ARGUMENT" : "UNAVAILABLE",
    details: { program },
    cause: error,
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of variables that mostly hold secrets. */
const SECRET =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|COOKIE|(?:^|_)AUTH(?:_|$|ORIZ)|(?:^|_)(?:KEY|PAT|PWD|DSN)S?$|APIKEY|API_KEY|ACCESS_KEY/i;

/** Variables that make programs load or run code, or work on other files. */
const INJECTION_STARTS =
  /^(?:LD_|DYLD_|GIT_|TOOLWRIGHT_|NODE_TEST|VITEST|JEST_|BASH_FUNC|PERL5|RUSTC|CARGO_ENCODED|CARGO_BUILD_|npm_lifecycle|npm_package|npm_config_(?!registry$|cache$|userconfig$))/i;
const INJECTIONS =
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|BASH_ENV|ENV|IFS|PROMPT_COMMAND|RUBYOPT|RUBYLIB|PYTHONSTARTUP|PYTHONINSPECT|PYTHONHOME|PYTHONBREAKPOINT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|RUSTFLAGS|RUSTDOCFLAGS|MAKEFLAGS|MAKEFILES|MFLAGS|GOFLAGS|EDITOR|VISUAL|PAGER|FORCE_COLOR|OLDPWD)$/i;

/** An address with a password in it. */
const ADDRESS_WITH_PASSWORD = /:\/\/[^/\s@:]*:[^/\s@]+@/;

/** Set for every program, so that it writes plain lines and never waits for input. */
const PLAIN: Environment = { NO_COLOR: "1", TERM: "dumb", CI: "true", PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/**
 * The environment of a program that a model has started: that of the server without secrets, and without what makes programs run
 * something else. Proxies stay as they are, or nothing could be fetched behind one.
 */
export function cleanEnvironment(from: Environment, more: Environment = {}): Environment {
  const kept = Object.entries(from).filter(
    ([name, value]) =>
      value !== undefined &&
      ![SECRET, INJECTION_STARTS, INJECTIONS].some((pattern) => pattern.test(name)) &&
      (!ADDRESS_WITH_PASSWORD.test(value) || /_proxy$/i.test(name)),
  );
  return { ...Object.fromEntries(kept.map(absolutePath)), ...PLAIN, ...more };
}

/** A relative folder on the PATH is one of the project that a program is started in. */
function absolutePath([name, value = ""]: [string, string | undefined]): [string, string] {
  if (name.toUpperCase() !== "PATH") return [name, value];
  return [
    name,
    value
      .split(path.delimiter)
      .filter((folder) => path.isAbsolute(folder))
      .join(path.delimiter),
  ];
}

/** How programs can end in their names on Windows; scripts need a shell there, which is never used. */
const ENDINGS = process.platform === "win32" ? [".exe", ".com"] : [""];

/**
 * The absolute path of a program by its name, as the PATH of the server has it; undefined = it is not there. What lies in one of the
 * folders to `avoid` is ignored: who can write there could replace a program.
 */
export async function findProgram(name: string, avoid: readonly string[] = []): Promise<string | undefined> {
  if (name === "" || /[\\/]/.test(name)) return undefined;
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    if (!path.isAbsolute(folder) || avoid.some((each) => isProjectOf(each, folder))) continue;
    for (const ending of ENDINGS) {
      const place = path.join(folder, name + ending);
      if (await isProgram(place)) return place;
    }
  }
  return undefined;
}

/** Whether an executable file exists. */
export async function isProgram(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK);
    return (await stat(place)).isFile();
  } catch {
    return false;
  }
}

/** A folder with a home in it is no project, though it has programs in it that people have installed. */
function isProjectOf(root: string, folder: string): boolean {
  return isWithin(root, folder) && !isWithin(root, os.homedir());
}
