import type { Socket } from "node:net";
import { internalError } from "../../jsonrpc/errors.js";
import { terminateChildren, trackChildren } from "../../processes/child-processes.js";
import { rejectAtCaller, requireServer } from "../../server/definitions/validation.js";
import { createLogger } from "../../server/logging/log.js";
import type { Server } from "../../server/server.js";
import { LineWriter } from "../line-framing.js";
import { logUncaughtErrors, raceTimeout } from "../running-server.js";
import { StreamConnection } from "../streams.js";
import { awaitPendingRead, rejectPendingRequests, summarizeError, writeStdoutSync } from "./exit-replies.js";
import { guardStdout, StartupGuard } from "./stdio-guard.js";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Creates a server, and imports what it needs. */
export type ServerLoader = () => Server | Promise<Server>;

/**
 * Serves over stdin and stdout until the client disconnects, then closes the server and ends the process. Given a function, it takes
 * stdin and stdout before it calls it; if that fails, the server cannot start or the process crashes, pending requests are answered
 * with the reason.
 *
 * @example
 * ```ts
 * await serveStdio(createServer({ name: "weather", version: "1.0.0", tools }));
 *
 * // Also reports errors of the server's own modules to the client:
 * await serveStdio(async () => (await import("./server.js")).server);
 * ```
 */
export function serveStdio(serverOrLoader: Server | ServerLoader): Promise<void> {
  return rejectAtCaller(serveStdio, async () => {
    if (typeof serverOrLoader !== "function") requireServer("serve over stdio", serverOrLoader);
    if (isServing) throw new TypeError("Cannot serve over stdio: it already serves a client; call serveStdio once");
    isServing = true;
    return serveClient(serverOrLoader);
  });
}

// Module state, because stdin and stdout belong to the process.
let isServing = false;

async function serveClient(serverOrLoader: Server | ServerLoader): Promise<void> {
  const { bytesWritten = 0 } = process.stdout as Partial<Socket>;
  const write = guardStdout();
  startupGuard ??= new StartupGuard();
  const guard = startupGuard;
  const server = typeof serverOrLoader === "function" ? await loadServer(serverOrLoader, guard) : serverOrLoader;
  guard.redaction = server.redaction;
  const { stdin, stdout } = process;
  const streams = { input: stdin, output: stdout };
  const connection = new StreamConnection(
    server,
    streams,
    new LineWriter(stdout, server.limits.outputBytes, write),
    "stdio",
  );
  const exitHandler = new ExitHandler(server, connection, guard);
  logUncaughtErrors(server);
  if (bytesWritten > 0 && !process.stdout.isTTY) {
    const advice = "use console.error: some clients close the connection";
    server.log({ level: "warning", message: `the program printed to stdout before serveStdio; ${advice}` });
  }
  for (const signal of SIGNALS) process.on(signal, () => exitHandler.stop());
  process.on("SIGHUP", () => {
    // An author may listen too, to reload the configuration.
    if (process.listenerCount("SIGHUP") === 1) exitHandler.stop();
  });
  watchParent(() => connection.abort());
  const restoreSpawn = trackChildren();
  try {
    await connection.run(() => guard.close());
    // A pack that never finishes closing must not keep the process alive.
    await raceTimeout(server.limits.drainMs, () => server.close());
    restoreSpawn();
    await terminateChildren();
  } catch (error) {
    server.log({ level: "critical", message: `${server.name} failed to start or to close`, error });
    guard.fail(error);
    if (!connection.hasStarted) await awaitPendingRead();
    process.exit(1);
  }
  process.exit(0);
}

/** Loads a server. Meanwhile the client may send requests or disconnect. */
async function loadServer(loader: ServerLoader, guard: StartupGuard): Promise<Server> {
  const { stdin } = process;
  const peek = (): void => void stdin.read(0);
  const exit = (): void => process.exit(0);
  stdin.on("readable", peek).on("end", exit).on("close", exit);
  // A loader that waits for nothing ends the process, as it would without a client.
  stdin.unref?.();
  for (const signal of SIGNALS) process.on(signal, exit);
  try {
    const server = await loader();
    if (typeof server?.receive === "function") return server;
    throw new TypeError("Cannot serve: the loader returned no server; return what createServer returns");
  } catch (error) {
    createLogger()({ level: "critical", message: `the server cannot start: ${guard.fail(error)}`, error });
    await awaitPendingRead();
    return process.exit(1);
  } finally {
    stdin.ref?.();
    stdin.off("readable", peek).off("end", exit).off("close", exit);
    for (const signal of SIGNALS) process.off(signal, exit);
  }
}

// Module state, because stdin and stdout belong to the process, and a program may guard them before it calls `serveStdio`.
let startupGuard: StartupGuard | undefined;

/**
 * Reserves stdin and stdout for the protocol before anything else is loaded. If the process exits before `serveStdio` serves,
 * pending requests are answered with the reason.
 */
export function guardStdio(): StartupGuard {
  // Somebody who runs the program in a terminal should see what it prints.
  if (!process.stdout.isTTY) guardStdout();
  startupGuard ??= new StartupGuard();
  return startupGuard;
}

/** Stops a process that serves over stdio, and tells the client why when it exits before every request is answered. */
class ExitHandler {
  readonly #server: Server;
  readonly #connection: StreamConnection;
  #reason: string | undefined;
  #isStopping = false;

  constructor(server: Server, connection: StreamConnection, guard: StartupGuard) {
    this.#server = server;
    this.#connection = connection;
    process.on("exit", (code) => this.#sendExitReplies(code));
    // An uncaught error is the reason if the process exits in the same turn.
    const recordReason = (error: unknown): void => {
      guard.fail(error);
      this.#reason = summarizeError(error, server.redaction);
      setImmediate(() => {
        this.#reason = undefined;
      });
    };
    process.on("uncaughtException", recordReason).on("unhandledRejection", recordReason);
  }

  /** Stops reading, lets running calls finish, and exits. A second call exits at once. */
  stop(): void {
    const connection = this.#connection;
    if (this.#isStopping || connection.isEnding) process.exit(0);
    this.#isStopping = true;
    if (connection.hasStarted) void this.#server.drain().finally(() => connection.drain());
    else connection.drain();
  }

  #sendExitReplies(code: number): void {
    const { hasStarted, isClosed } = this.#connection;
    // Before the start, the `StartupGuard` replies.
    if (!hasStarted || isClosed) return;
    const stopped = this.#isStopping ? "it received a second stop signal" : `the process exited with code ${code}`;
    const advice = "The call may have taken effect. Restart the server.";
    const error = internalError(`The server exited before it responded: ${this.#reason ?? stopped}. ${advice}`);
    writeStdoutSync(this.#connection.crashReplies(error));
    rejectPendingRequests(error, false);
  }
}

const POLL_MS = 1000;

/**
 * Calls `onExit` when the parent process is gone, for pipes that another process holds open. A parent that exits before the first
 * poll is ignored: it only started the server for someone else. So is process 1, the init process of a machine or container.
 */
function watchParent(onExit: () => void): void {
  let parent: number | undefined;
  const timer = setInterval(() => {
    parent ??= process.ppid;
    if (parent > 1 && isAlive(parent)) return;
    clearInterval(timer);
    if (parent > 1) onExit();
  }, POLL_MS);
  timer.unref();
}

function isAlive(parent: number): boolean {
  // Elsewhere than on Windows, an orphan gets a new parent.
  if (process.platform !== "win32") return process.ppid === parent;
  try {
    return process.kill(parent, 0);
  } catch {
    return false;
  }
}
