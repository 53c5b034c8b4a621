import { onTestFinished } from "vitest";

/** A message, and who sent it. */
export interface ExchangedMessage {
  readonly from: "client" | "server";
  readonly message: unknown;
}

/** Rewrites what the client sends. */
export type Rewrite = (message: unknown) => unknown;

/** The common members of both versions' transports. */
interface OfficialTransport {
  onmessage?: unknown;
  send: (message: never) => Promise<void>;
}

/** A transport that starts a process. */
interface StdioTransport extends OfficialTransport {
  readonly stderr: unknown;
  readonly pid: number | null;
}

/** What was received on a transport. */
interface Tapped<Transport> {
  readonly transport: Transport;
  readonly messages: readonly ExchangedMessage[];
}

/** A connection of an official client, with everything received on it. */
export interface RecordedTransport<Transport> extends Tapped<Transport> {
  /** What the server wrote to stderr on this connection. */
  stderr(): string;
  /** Whether the server's process is still running. */
  isRunning(): boolean;
}

/** Records a transport without changing its class, and rewrites what the client sends if requested. */
export function tap<Transport extends OfficialTransport>(
  transport: Transport,
  rewrite: Rewrite = (message) => message,
): Tapped<Transport> {
  const messages: ExchangedMessage[] = [];
  const send = transport.send.bind(transport) as (message: unknown, ...rest: unknown[]) => Promise<void>;
  transport.send = (message: unknown, ...rest: unknown[]) => {
    const sent = rewrite(message);
    messages.push({ from: "client", message: sent });
    return send(sent, ...rest);
  };
  let hear: ((message: unknown, ...rest: unknown[]) => void) | undefined;
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () =>
      hear &&
      ((message: unknown, ...rest: unknown[]) => {
        messages.push({ from: "server", message });
        hear?.(message, ...rest);
      }),
    set: (listener: typeof hear) => {
      hear = listener;
    },
  });
  return { transport, messages };
}

/** Records a transport that starts a process, and ends the process with the test. */
export function watch<Transport extends StdioTransport>(
  transport: Transport,
  rewrite?: Rewrite,
): RecordedTransport<Transport> {
  let log = "";
  let pid: number | null = null;
  (transport.stderr as NodeJS.ReadableStream).on("data", (bytes: Buffer) => {
    log += bytes.toString();
  });
  const tapped = tap(transport, (message) => {
    pid = transport.pid;
    return rewrite === undefined ? message : rewrite(message);
  });
  const isRunning = (): boolean => {
    try {
      return pid !== null && process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  onTestFinished(() => {
    if (pid !== null && isRunning()) process.kill(pid, "SIGKILL");
  });
  return { ...tapped, stderr: () => log, isRunning };
}
