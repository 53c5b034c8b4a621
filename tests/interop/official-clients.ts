import { Client as ClientV2, ProtocolError } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { Given, Peer, PeerOptions } from "./peer.js";
import type { Station, Way } from "./station.js";
import type { Rewrite, Wire } from "./wire.js";

const info = { name: "interop", version: "1.0.0" };

/** One official client in one mode, the way that it goes, and the revision that it should end up with. */
export interface OfficialClient {
  readonly name: string;
  readonly way: Way;
  readonly revision: string;
  open(station: Station, options: PeerOptions): Promise<{ peer: Peer; wire: Wire<unknown> }>;
}

/** The code of a refusal, as either version tells it. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof McpError || error instanceof ProtocolError ? error.code : undefined;
}

/** Version 1 of the SDK; for older revisions its `initialize` is rewritten on the way out. */
function version1(way: Way, revision: string): OfficialClient {
  return {
    name: `sdk 1.32 ${revision} ${way}`,
    way,
    revision,
    async open(station, { answer, onToolsChanged }) {
      const wire = station.reach(1, askFor(revision));
      const client = new ClientV1(info, {
        capabilities: { elicitation: {} },
        listChanged: { tools: { onChanged: (_error, tools) => onToolsChanged(namesOf(tools)) } },
      });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as never));
      await client.connect(wire.transport);
      const peer: Peer = {
        listTools: async () => (await client.listTools()).tools as never,
        callTool: async (name, args = {}, options = {}) =>
          (await client.callTool({ name, arguments: args }, undefined, options as never)) as Given,
        close: () => client.close(),
      };
      return { peer, wire };
    },
  };
}

/** Version 2 of the SDK in one of its modes. */
function version2(way: Way, mode: Mode, revision: string): OfficialClient {
  return {
    name: `client 2.4 ${typeof mode === "string" ? mode : "pinned"} ${revision} ${way}`,
    way,
    revision,
    async open(station, { answer, onToolsChanged }) {
      const wire = station.reach(2);
      const client = new ClientV2(info, {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode },
        listChanged: { tools: { onChanged: (_error, tools) => onToolsChanged(namesOf(tools)) } },
      });
      client.setRequestHandler("elicitation/create", ({ params }) => answer(params as never));
      await client.connect(wire.transport);
      const peer: Peer = {
        listTools: async () => (await client.listTools()).tools as never,
        callTool: async (name, args = {}, options = {}) =>
          (await client.callTool({ name, arguments: args }, options as never)) as Given,
        close: () => client.close(),
      };
      return { peer, wire };
    },
  };
}

/** Makes a client ask for this revision in its handshake. */
export const askFor =
  (protocolVersion: string): Rewrite =>
  (message) => {
    const { method, params } = message as { method?: string; params?: object };
    return method === "initialize" ? { ...(message as object), params: { ...params, protocolVersion } } : message;
  };

function namesOf(tools: readonly { name: string }[] | null | undefined): string[] {
  return (tools ?? []).map(({ name }) => name);
}

/** Version 2 does the handshake, finds out by itself, or is told the revision. */
export type Mode = "legacy" | "auto" | { pin: string };

const WAYS: readonly Way[] = ["stdio", "HTTP", "HTTP+SSE"];

/** Every official TypeScript client, in every revision that it can be made to speak, over every way that the revision has. */
export const inEveryWay = <Client>(
  first: (way: Way, revision: string) => Client,
  second: (way: Way, mode: Mode, revision: string) => Client,
): readonly Client[] =>
  WAYS.flatMap((way) => [
    first(way, "2025-11-25"),
    first(way, "2025-06-18"),
    first(way, "2025-03-26"),
    first(way, "2024-11-05"),
    second(way, "legacy", "2025-11-25"),
    // Without a handshake there is nothing that could be said over two endpoints.
    ...(way === "HTTP+SSE"
      ? []
      : [second(way, "auto", "2026-07-28"), second(way, { pin: "2026-07-28" }, "2026-07-28")]),
  ]);

/** The clients that list and call tools. */
export const officialClients: readonly OfficialClient[] = inEveryWay(version1, version2);
