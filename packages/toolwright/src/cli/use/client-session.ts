import {
  type Client,
  type ClientOptions,
  ConnectionError,
  connect,
  type LogMessage,
  ResponseError,
  TimeoutError,
} from "@toolwright/engine/client";
import { type CommandContext, Failure, showValue } from "@toolwright/kit/cli";
import { answersOf, outliveReaders, type Report } from "@toolwright/kit/terminal";
import type { ServerConnection } from "./server-choice.js";

/** How many lines of a server that cannot be reached are shown. */
const MAX_LINES = 10;

/** Connects to a server, does some work, and disconnects. Throws `Failure` with the exit code. */
export async function withClient(
  { target, options, conceal }: ServerConnection,
  report: Report,
  { signal: stop, ...more }: ClientOptions & { readonly signal: AbortSignal },
  work: (client: Client, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  outliveReaders();
  let isConnected = false;
  // What a server prints at start matters only if the connection fails; the error then has it.
  const printed: string[] = [];
  const stderr = (line: string): void => {
    if (isConnected) report.aside(line);
    else if (printed.push(line) > MAX_LINES) printed.shift();
  };
  // A person can press Ctrl-C, so only a server that sends nothing ends a call.
  const all: ClientOptions = { totalTimeoutMs: Infinity, ...options, ...more };
  try {
    const client = await orStopped(connect("command" in target ? { ...target, stderr } : target, all), stop);
    isConnected = true;
    try {
      await work(client, stop);
    } finally {
      report.clear();
      await client.close();
    }
  } catch (error) {
    report.clear();
    throw stop.aborted ? stop.reason : toFailure(error, conceal, isConnected ? [] : printed);
  }
}

function orStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, stopped]);
}

function toFailure(error: unknown, conceal = (text: string): string => text, printed: readonly string[]): unknown {
  const fail = (message: string, code: number): Failure => new Failure(conceal(message), code, error);
  const words = printed.length === 0 ? "" : `. It printed:\n${printed.join("\n")}`;
  if (error instanceof TimeoutError) return fail(`${error.message}. Wait longer with --timeout TIME${words}`, 3);
  if (error instanceof ResponseError) return fail(`The server refused: ${error.message}`, 1);
  if (!(error instanceof ConnectionError)) return error;
  const next = error.status === 401 ? ". Send a token with --token-env NAME" : "";
  return fail(`${error.message}${next}`, 3);
}

/** The options of a client for a person at a terminal, who sees log messages and answers elicitations. */
export function clientOptionsFor(
  { version, signal }: Pick<CommandContext, "version" | "signal">,
  report: Report,
  isInteractive: boolean,
): ClientOptions & { readonly signal: AbortSignal } {
  return {
    info: { name: "toolwright", version },
    onLog: (line) => report.aside(logText(line)),
    ...answersOf(report, isInteractive),
    signal,
  };
}

function logText({ level, logger, data }: LogMessage): string {
  // Some servers leave out required members.
  return `[${showValue(level ?? "log").toUpperCase()}] ${logger === undefined ? "" : `${logger}: `}${showValue(data)}`;
}
