import { ToolError } from "@toolwright/engine";
import { type Child, spawnChild } from "@toolwright/engine/transport";

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
  /** Takes each piece of output. While it works the program waits as soon as its pipe is full. */
  readonly take: (piece: Buffer, from: OutputStream) => void | Promise<void>;
}

/** How a program ended. */
export interface ProgramStop {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly hasTimedOut: boolean;
  readonly durationMs: number;
}

/** A program that runs. */
export interface StartedProgram {
  readonly pid: number | undefined;
  /** Rejects with a `ToolError` where it could not be started. */
  readonly ended: Promise<ProgramStop>;
}

/** The longest wait that a timer holds; a longer one would end at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** How long the output of a program that has ended may stay open: what it left behind in its group is ended by then. */
const LINGER_MS = 3000;

/**
 * Starts a program without a shell, in a group of its own. All of the group is ended when the signal is aborted, when the time is
 * up, and when the program itself has ended.
 */
export function startProgram(
  signal: AbortSignal,
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs, input, take }: StartOptions,
): StartedProgram {
  const started = performance.now();
  signal.throwIfAborted();
  const stop = new AbortController();
  let hasTimedOut = false;
  let child: Child;
  try {
    child = spawnChild(stop, program, args, { cwd, env, stdin: input === undefined ? "ignore" : "pipe" });
  } catch (error) {
    throw notStarted(program, error as NodeJS.ErrnoException);
  }
  const cancel = (): void => stop.abort();
  signal.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(
    () => {
      hasTimedOut = true;
      stop.abort();
    },
    Math.min(timeoutMs, LONGEST_WAIT_MS),
  );
  // A program that ends without reading all of its input is no fault of ours.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const exit = new Promise<Pick<ProgramStop, "exitCode" | "signal" | "hasTimedOut">>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(notStarted(program, error)));
    child.once("exit", (exitCode, endedBy) => resolve({ exitCode, signal: endedBy, hasTimedOut }));
  }).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  });
  const ended = follow(child, exit, take).then((how) => ({ ...how, durationMs: performance.now() - started }));
  // Who started it may look at the end later than it comes.
  ended.catch(() => undefined);
  return { pid: child.pid, ended };
}

async function follow<How>(child: Child, exit: Promise<How>, take: StartOptions["take"]): Promise<How> {
  const drained = Promise.all([drain(child.stdout, "stdout", take), drain(child.stderr, "stderr", take)]);
  drained.catch(() => undefined);
  const how = await exit;
  // A process that has left the group can hold the output open for ever.
  const lingering = setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, LINGER_MS);
  await drained.finally(() => clearTimeout(lingering));
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
