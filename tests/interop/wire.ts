import { onTestFinished } from "vitest";

/** A message that went over the wire, and who sent it. */
export interface Spoken {
  readonly from: "client" | "server";
  readonly message: unknown;
}

/** Changes what a client sends. */
export type Rewrite = (message: unknown) => unknown;

/** The parts of an official transport that are the same in both versions. */
interface OfficialTransport {
  onmessage?: unknown;
  send: (message: never) => Promise<void>;
}

/** Those of one that starts a process. */
interface StdioTransport extends OfficialTransport {
  readonly stderr: unknown;
  readonly pid: number | null;
}

/** What was heard of a transport. */
interface Tapped<Transport> {
  readonly transport: Transport;
  readonly spoken: readonly Spoken[];
}

/** A connection of an official client, with all that was heard of it. */
export interface Wire<Transport> extends Tapped<Transport> {
  /** What the server has written there since this connection is there. */
  stderr(): string;
  /** The process of the server is still there. */
  isRunning(): boolean;
}

/** Listens in on a transport without changing its class, and rewrites what the client sends where asked to. */
export function tap<Transport extends OfficialTransport>(
  transport: Transport,
  rewrite: Rewrite = (message) => message,
): Tapped<Transport> {
  const spoken: Spoken[] = [];
  const send = transport.send.bind(transport) as (message: unknown, ...rest: unknown[]) => Promise<void>;
  transport.send = (message: unknown, ...rest: unknown[]) => {
    const sent = rewrite(message);
    spoken.push({ from: "client", message: sent });
    return send(sent, ...rest);
  };
  let hear: ((message: unknown, ...rest: unknown[]) => void) | undefined;
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () =>
      hear &&
      ((message: unknown, ...rest: unknown[]) => {
        spoken.push({ from: "server", message });
        hear?.(message, ...rest);
      }),
    set: (listener: typeof hear) => {
      hear = listener;
    },
  });
  return { transport, spoken };
}

/** Listens in on a transport that starts a process, and sees to it that the process ends with the test. */
export function watch<Transport extends StdioTransport>(transport: Transport, rewrite?: Rewrite): Wire<Transport> {
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
