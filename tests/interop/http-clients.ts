import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { askFor } from "./official-clients.js";
import type { Given } from "./peer.js";
import { tap } from "./wire.js";

const info = { name: "interop", version: "1.0.0" };
/** Comes back at once where the server names no time. */
const reconnectionOptions = {
  initialReconnectionDelay: 10,
  maxReconnectionDelay: 10,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 5,
};

interface CallOptions {
  /** Hears where a stream stands, so that somebody can come back to it. */
  readonly onresumptiontoken?: (token: string) => void;
  /** Goes on after this event, instead of calling anew. */
  readonly resumptionToken?: string;
  readonly onprogress?: () => void;
}

/** An official client in a session of HTTP. */
interface SessionClient {
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Given>;
  sessionId(): string | undefined;
  /** Ends the session; closing the client leaves it open. */
  terminate(): Promise<void>;
  close(): Promise<void>;
}

/** An official client that keeps sessions. */
export interface SessionClients {
  readonly name: string;
  /** Opens a session, or goes on with one. */
  readonly open: (url: string, sessionId?: string) => Promise<SessionClient>;
}

const optionsOf = (sessionId: string | undefined) =>
  sessionId === undefined ? { reconnectionOptions } : { reconnectionOptions, sessionId };

const version1 = (revision: string): SessionClients => ({
  name: `sdk 1.32 ${revision}`,
  async open(url, sessionId) {
    const { transport } = tap(new TransportV1(new URL(url), optionsOf(sessionId)), askFor(revision));
    const client = new ClientV1(info);
    await client.connect(transport);
    return {
      call: async (name, args = {}, options = {}) =>
        (await client.callTool({ name, arguments: args }, undefined, options)) as Given,
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
        (await client.callTool({ name, arguments: args }, options)) as Given,
      sessionId: () => transport.sessionId,
      terminate: () => transport.terminateSession(),
      close: () => client.close(),
    };
  },
};

/** Every official client that keeps sessions, in every revision that has them. */
export const sessionClients: readonly SessionClients[] = [
  version1("2025-11-25"),
  version1("2025-06-18"),
  version1("2025-03-26"),
  version2,
];
