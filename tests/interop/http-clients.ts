import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallResult } from "./client-under-test.js";
import { requestRevision } from "./official-clients.js";
import { tap } from "./recorded-transport.js";

const info = { name: "interop", version: "1.0.0" };
/** Reconnects immediately if the server sends no retry time. */
const reconnectionOptions = {
  initialReconnectionDelay: 10,
  maxReconnectionDelay: 10,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 5,
};

interface CallOptions {
  /** Receives the last event id, so that the stream can be resumed. */
  readonly onresumptiontoken?: (token: string) => void;
  /** Resumes after this event, instead of sending a new call. */
  readonly resumptionToken?: string;
  readonly onprogress?: () => void;
}

/** An official client with an HTTP session. */
interface SessionClient {
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  sessionId(): string | undefined;
  /** Ends the session; closing the client leaves it open. */
  terminate(): Promise<void>;
  close(): Promise<void>;
}

/** An official client with sessions. */
export interface SessionClients {
  readonly name: string;
  /** Opens or resumes a session. */
  readonly open: (url: string, sessionId?: string) => Promise<SessionClient>;
}

const optionsOf = (sessionId: string | undefined) =>
  sessionId === undefined ? { reconnectionOptions } : { reconnectionOptions, sessionId };

const version1 = (revision: string): SessionClients => ({
  name: `sdk 1.32 ${revision}`,
  async open(url, sessionId) {
    const { transport } = tap(new TransportV1(new URL(url), optionsOf(sessionId)), requestRevision(revision));
    const client = new ClientV1(info);
    await client.connect(transport);
    return {
      call: async (name, args = {}, options = {}) =>
        (await client.callTool({ name, arguments: args }, undefined, options)) as CallResult,
      sessionId: () => transport.sessionId,
      terminate: () => transport.terminateSession(),
      close: () => client.close(),
    };
  },
});

const version2: SessionClients = {
  name: "client 2.4 2025-11-25",
  async open(url, sessionId) {
    const transport = new TransportV2(new URL(url), optionsOf(sessionId));
    const client = new ClientV2(info, { versionNegotiation: { mode: "legacy" } });
    await client.connect(transport);
    return {
      call: async (name, args = {}, options = {}) =>
        (await client.callTool({ name, arguments: args }, options)) as CallResult,
      sessionId: () => transport.sessionId,
      terminate: () => transport.terminateSession(),
      close: () => client.close(),
    };
  },
};

/** Every official client with sessions, in every revision that has them. */
export const sessionClients: readonly SessionClients[] = [
  version1("2025-11-25"),
  version1("2025-06-18"),
  version1("2025-03-26"),
  version2,
];
