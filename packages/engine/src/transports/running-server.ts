import { startErrors } from "../server/definitions/validation.js";
import type { Server } from "../server/server.js";

/** A server that is listening. */
export interface RunningServer {
  /** The address for clients. */
  readonly url: string;
  /** Resolves when it has closed, for any reason. */
  readonly closed: Promise<void>;
  /** Accepts no new clients, waits for running requests, and closes. The `Server` itself stays open for other transports. */
  close(): Promise<void>;
}

// Module state, because uncaught errors belong to the process. The server that started first logs them.
const runningServers: Server[] = [];

const logUncaught = (error: unknown): void => {
  const [server] = runningServers;
  if (!(error instanceof Error && startErrors.has(error)))
    return server?.log({ level: "error", message: "uncaught error in a tool or background task", error });
  server?.log({ level: "critical", message: "", error });
  process.exit(1);
};

const toggleListeners = (method: "on" | "off") =>
  process[method]("uncaughtException", logUncaught)[method]("unhandledRejection", logUncaught);

/** Logs uncaught errors instead of letting them end the process. Returns a function that stops this. */
export function logUncaughtErrors(server: Server): () => void {
  if (runningServers.push(server) === 1) toggleListeners("on");
  return () => {
    runningServers.splice(runningServers.indexOf(server), 1);
    if (runningServers.length === 0) toggleListeners("off");
  };
}

/** Logs uncaught errors until the running server has closed, or has failed to start. */
export function logUncaughtUntilClosed<Running extends RunningServer>(
  server: Server,
  starting: Promise<Running>,
): Promise<Running> {
  const stopLogging = logUncaughtErrors(server);
  void starting.then(({ closed }) => closed).then(stopLogging, stopLogging);
  return starting;
}

/** Waits for a task for at most `timeoutMs`, and keeps the process alive meanwhile. */
export async function raceTimeout(timeoutMs: number, task: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  try {
    await Promise.race([task(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
