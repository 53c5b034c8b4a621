import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A message that went over the wire, and who sent it. */
export interface Spoken {
  readonly from: "client" | "server";
  readonly message: unknown;
}

/** What a tool gave, as the client hands it out. */
export interface Given {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (report: { progress: number; total?: number; message?: string }) => void;
}

/** What the tests need of an official client, whichever it is. */
export interface Peer {
  listTools(): Promise<readonly { name: string; title?: string; outputSchema?: unknown; annotations?: unknown }[]>;
  callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Given>;
  close(): Promise<void>;
}

/** How the person at the client answers a question. */
export type Answer = (question: { message: string; requestedSchema: unknown }) => {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};

/** What a test gives to a client before it connects. */
export interface PeerOptions {
  readonly answer: Answer;
  readonly onToolsChanged: (names: readonly string[]) => void;
}

/** The parts of an official stdio transport that are the same in both versions. */
interface StdioTransport {
  onmessage?: unknown;
  send: (message: never) => Promise<void>;
  readonly stderr: unknown;
  readonly pid: number | null;
}

/** A connection of an official client, with all that was heard of it. */
export interface Wire<Transport> {
  readonly transport: Transport;
  readonly spoken: Spoken[];
  stderr(): string;
  /** The process is still there. */
  isRunning(): boolean;
}

const server = fileURLToPath(new URL("../stdio/servers/workshop.mjs", import.meta.url));

/** How to start the server under test. */
export const command = { command: process.execPath, args: [server], stderr: "pipe" as const };

/** Listens in on a transport without changing its class, and rewrites what the client sends where asked to. */
export function tap<Transport extends StdioTransport>(
  transport: Transport,
  rewrite: (message: unknown) => unknown = (message) => message,
): Wire<Transport> {
  const spoken: Spoken[] = [];
  let log = "";
  let pid: number | null = null;
  (transport.stderr as NodeJS.ReadableStream).on("data", (bytes: Buffer) => {
    log += bytes.toString();
  });
  const send = transport.send.bind(transport) as (message: unknown, ...rest: unknown[]) => Promise<void>;
  transport.send = (message: unknown, ...rest: unknown[]) => {
    pid = transport.pid;
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
  return { transport, spoken, stderr: () => log, isRunning };
}
