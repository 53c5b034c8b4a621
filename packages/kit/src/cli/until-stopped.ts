import { Failure } from "./errors.js";

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Aborted by the first signal, with the code that the process ends with; with the second the process goes at once. */
export function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const [name, number] of Object.entries(SIGNALS))
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(128 + number);
      stop.abort(new Failure("Cancelled", 128 + number));
    });
  return stop.signal;
}
