import {
  type Client,
  type ClientOptions,
  ConnectionError,
  connect,
  ResponseError,
  TimeoutError,
} from "@toolwright/engine/client";
import { Failure, untilStopped } from "@toolwright/kit/cli";
import { outliveReaders, type Report } from "@toolwright/kit/terminal";
import type { Reach } from "./target.js";

/** How much is shown of what a server prints that does not answer. */
const MOST_LINES = 10;

/** Connects, does something, and ends it in good order. Throws `Failure` with the code to end with. */
export async function converse(
  { target, options, conceal }: Reach,
  report: Report,
  more: ClientOptions,
  deed: (client: Client, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  outliveReaders();
  const stop = untilStopped();
  let isConnected = false;
  // What a server says as it starts matters only if it cannot be connected to, and then the error has it.
  const printed: string[] = [];
  const stderr = (line: string): void => {
    if (isConnected) report.aside(line);
    else if (printed.push(line) > MOST_LINES) printed.shift();
  };
  // Someone who waits can see what happens and press Ctrl-C, so only silence ends a call.
  const all: ClientOptions = { totalTimeoutMs: Infinity, ...options, ...more };
  try {
    const client = await orStopped(connect("command" in target ? { ...target, stderr } : target, all), stop);
    isConnected = true;
    try {
      await deed(client, stop);
    } finally {
      report.clear();
      await client.close();
    }
  } catch (error) {
    report.clear();
    throw stop.aborted ? stop.reason : toFailure(error, conceal, isConnected ? [] : printed);
  }
}

function orStopped<Value>(deed: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([deed, stopped]);
}

function toFailure(error: unknown, conceal = (text: string): string => text, printed: readonly string[]): unknown {
  const fail = (message: string, code: number): Failure => new Failure(conceal(message), code, error);
  const words = printed.length === 0 ? "" : `. It printed:\n${printed.join("\n")}`;
  if (error instanceof TimeoutError) return fail(`${error.message}. Wait longer with --timeout SECONDS${words}`, 3);
  if (error instanceof ResponseError) return fail(`The server refused: ${error.message}`, 1);
  if (!(error instanceof ConnectionError)) return error;
  const next = error.status === 401 ? ". Give it one with --token-env NAME" : "";
  return fail(`${error.message}${next}`, 3);
}
