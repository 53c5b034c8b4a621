import { type ChildProcessWithoutNullStreams as Child, spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import type { Readable, Writable } from "node:stream";
import { type Json, type JsonObject, parseJson } from "../jsonrpc/messages.js";
import { LineReader } from "../transports/line-framing.js";
import { deferred } from "./deadline.js";
import { ConnectionError, connectionLost } from "./errors.js";
import type { ClientTransport, TransportContext } from "./transport.js";

/** Reads one message per line. Other lines go to `onOtherLine`: some servers print to stdout. */
function readMessages(
  input: Readable,
  { connection, maxBytes }: TransportContext,
  onOtherLine: (line: string) => void,
): void {
  const onLine = (line: string): void => {
    const message = parseMessage(line);
    if (message === undefined) onOtherLine(line);
    else connection.onMessage(message);
  };
  readLines(input, maxBytes, onLine, ({ message }) => {
    connection.onClose(connectionLost(`The server sent an unreadable message: ${message}`));
    input.destroy();
  });
}

function readLines(
  input: Readable,
  maxBytes: number,
  onLine: (line: string) => void,
  onError: (error: Error) => void,
): void {
  const reader = new LineReader(maxBytes, { isBackpressured: false, onLine, onError });
  input.on("data", (chunk: Buffer) => reader.push(chunk));
  input.on("end", () => reader.end());
}

function parseMessage(text: string): Json | undefined {
  // A log line may be JSON too.
  if (!/"(?:jsonrpc|id|method)"/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function writeMessageLine(output: Writable, message: JsonObject): void {
  if (output.writable) output.write(`${JSON.stringify(message)}\n`);
}

/** A server to start as a child process and to connect to through stdio. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment variables in addition to the basic ones that every program needs. `process.env` passes all of them. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What to do with its stderr: ignore it (default), print it to the client's own, or pass each line to a function. */
  readonly stderr?: "ignore" | "inherit" | ((line: string) => void);
}

/** The environment variables that a server inherits: what programs need to run and to use the network, and no secrets. */
const INHERITED_ENV_NAMES =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|APPDATA|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMFILES|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR|COMSPEC)$/i;
/** How long a server may take to exit after its stdin is closed, and again after SIGTERM. */
const SHUTDOWN_GRACE_MS = 2000;
/** Longer lines of stderr are dropped. */
const MAX_STDERR_LINE_BYTES = 1e6;
const STDERR_TAIL = { lines: 40, shownLines: 10, characters: 2000 };

/** Starts a server and opens a transport over its stdin and stdout. */
export async function openStdio(target: CommandTarget, context: TransportContext): Promise<ClientTransport> {
  const { command, args = [], env, cwd } = target;
  const inherited = Object.entries(process.env).filter(([name]) => INHERITED_ENV_NAMES.test(name));
  const environment = { ...Object.fromEntries(inherited), ...env };
  const child = spawn(command, args, { env: environment, cwd, windowsHide: true });
  const stderrTail: string[] = [];
  const onStderrLine = (text: string): void => {
    const line = text.replace(/\r$/, "");
    stderrTail.push(line.slice(0, STDERR_TAIL.characters));
    if (stderrTail.length > STDERR_TAIL.lines) stderrTail.shift();
    if (target.stderr === "inherit") process.stderr.write(`${line}\n`);
    else if (typeof target.stderr === "function") target.stderr(line);
  };
  const reportExit = (): void => context.connection.onClose(connectionLost(describeExit(command, child, stderrTail)));
  // A grandchild may keep the pipes open, or the server may close stdout and keep running.
  const reportExitSoon = (): unknown => setTimeout(reportExit, SHUTDOWN_GRACE_MS).unref();
  child.on("exit", reportExitSoon);
  child.stdout.on("end", reportExitSoon);
  const closed = deferred<void>();
  child.on("close", () => {
    reportExit();
    closed.resolve();
  });
  // Writing to a process that has just exited fails; the exit says more.
  child.stdin.on("error", () => undefined);
  readMessages(child.stdout, context, onStderrLine);
  readLines(child.stderr, MAX_STDERR_LINE_BYTES, onStderrLine, () => undefined);
  child.on("error", () => undefined);
  await once(child, "spawn").catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "ENOENT" ? "the program or its working directory does not exist" : cause.message;
    throw new ConnectionError(`Cannot start the server "${command}": ${reason}`, { cause });
  });
  return {
    send: (message) => writeMessageLine(child.stdin, message),
    close: () => terminate(child, closed.promise),
  };
}

/**
 * Returns the end of stderr, from the line that names an error: Node prints an excerpt of the source before what was thrown, and
 * long stacks after it.
 */
function summarizeStderr(lines: readonly string[]): string {
  const named = lines.findLastIndex((line) =>
    /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: /.test(line),
  );
  const index = named === -1 ? lines.findLastIndex((line) => /^\s*\^+\s*$/.test(line)) + 1 : named;
  const { shownLines, characters } = STDERR_TAIL;
  if (named === -1 && index === 0) return lines.slice(-shownLines).join("\n").slice(-characters);
  const excerpt = lines.slice(Math.max(0, index - 4), index).filter((line) => line !== "");
  return [...lines.slice(index, index + shownLines - excerpt.length), ...excerpt].join("\n").slice(0, characters);
}

function describeExit(command: string, { exitCode, signalCode }: Child, stderrTail: readonly string[]): string {
  const exited = exitCode === null ? "closed its stdout" : `exited with code ${exitCode}`;
  const summary = signalCode === null ? exited : `was killed by ${signalCode}`;
  const stderr = summarizeStderr(stderrTail);
  return `The server "${command}" ${summary}. ${stderr === "" ? "Its stderr is empty" : `Its stderr ends with:\n${stderr}`}`;
}

/** Closes the server's stdin, which tells it to exit, and kills it if it does not. */
async function terminate(child: Child, closed: Promise<void>): Promise<void> {
  child.stdin.end();
  const timers = [
    setTimeout(() => child.kill("SIGTERM"), SHUTDOWN_GRACE_MS),
    setTimeout(() => {
      try {
        // By process id, because Deno does not send a second signal to a child.
        if (child.pid !== undefined && (child.exitCode ?? child.signalCode) === null)
          process.kill(child.pid, "SIGKILL");
      } catch {
        // It has just exited.
      }
      // A grandchild may keep the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, 2 * SHUTDOWN_GRACE_MS),
  ];
  await closed;
  for (const timer of timers) clearTimeout(timer);
}

/** Opens a transport over a Unix domain socket or a Windows named pipe. */
export async function openSocket(path: string, context: TransportContext): Promise<ClientTransport> {
  const socket = createConnection(path);
  context.signal.addEventListener("abort", () => socket.destroy());
  let reason = "the server closed it";
  socket.on("error", ({ message }) => {
    reason = message;
  });
  await once(socket, "connect").catch((cause: Error) => {
    const message = `Cannot connect to the socket ${path}: ${cause.message}. Is the server running?`;
    throw new ConnectionError(message, { cause });
  });
  const closed = deferred<void>();
  socket.on("close", () => {
    const message = `The connection to the socket ${path} was lost: ${reason}. Connect again to continue`;
    context.connection.onClose(connectionLost(message));
    closed.resolve();
  });
  readMessages(socket, context, () => undefined);
  return {
    send: (message) => writeMessageLine(socket, message),
    close: () => {
      socket.destroySoon();
      // A server that no longer reads must not delay the client.
      socket.setTimeout(SHUTDOWN_GRACE_MS, () => socket.destroy());
      return closed.promise;
    },
  };
}
