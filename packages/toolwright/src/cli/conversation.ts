import {
  type Client,
  type ClientOptions,
  ConnectionFailed,
  connect,
  RequestRefused,
  TimedOut,
} from "@toolwright/engine/client";
import { Failure } from "./failure.js";
import type { Reach } from "./target.js";
import type { Report } from "./terminal/report.js";
import { untilStopped } from "./until-stopped.js";

/** Connects, does something, and ends it in good order. Throws `Failure` with the code to end with. */
export async function converse(
  { target, options }: Reach,
  report: Report,
  more: ClientOptions,
  deed: (client: Client, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  // Who reads our output may go before we do.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const stop = untilStopped();
  let isConnected = false;
  // What a server says as it starts matters only if it cannot be connected to, and then the error has it.
  const stderr = (line: string): void => {
    if (isConnected) report.line(line);
  };
  // Someone who waits can see what happens and press Ctrl-C, so only silence ends a call.
  const all: ClientOptions = { totalMs: Infinity, ...options, ...more };
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
    throw stop.aborted ? stop.reason : toFailure(error);
  }
}

function orStopped<Value>(deed: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([deed, stopped]);
}

function toFailure(error: unknown): unknown {
  if (error instanceof TimedOut) return new Failure(`${error.message}. Wait longer with --timeout SECONDS`, 3, error);
  if (error instanceof RequestRefused) return new Failure(`The server refused: ${error.message}`, 1, error);
  if (!(error instanceof ConnectionFailed)) return error;
  const next = error.status === 401 ? ". Give it one with --token-env NAME" : "";
  return new Failure(`${error.message}${next}`, 3, error);
}
