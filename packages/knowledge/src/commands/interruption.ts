import { setMaxListeners } from "node:events";

/** What ends long work by Ctrl-C, or by SIGTERM. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** The code that the process ends with where it was interrupted. */
  readonly code: number;
  /** Leaves signals to others again. */
  release(): void;
}

/** Lets work end cleanly at the first signal; at the second the process goes at once. */
export function listenForInterruption(): Interruption {
  const stop = new AbortController();
  // Each file that is read listens to it.
  setMaxListeners(0, stop.signal);
  let code = 0;
  const handlers = Object.entries({ SIGINT: 130, SIGTERM: 143 }).map(([name, ending]) => {
    const handle = (): void => {
      if (stop.signal.aborted) process.exit(ending);
      code = ending;
      stop.abort();
    };
    process.on(name, handle);
    return [name, handle] as const;
  });
  return {
    signal: stop.signal,
    get code() {
      return code;
    },
    release: () => {
      for (const [name, handle] of handlers) process.removeListener(name, handle);
    },
  };
}
