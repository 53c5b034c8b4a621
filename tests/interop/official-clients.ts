import { Client as ClientV2, ProtocolError } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { command, type Given, type Peer, type PeerOptions, tap, type Wire } from "./peer.js";

const info = { name: "interop", version: "1.0.0" };

/** One official client in one mode, and the revision that it should end up with. */
export interface OfficialClient {
  readonly name: string;
  readonly revision: string;
  open(options: PeerOptions): Promise<{ peer: Peer; wire: Wire<unknown> }>;
}

/** The code of a refusal, as either version tells it. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof McpError || error instanceof ProtocolError ? error.code : undefined;
}

/** Version 1 of the SDK; for older revisions its `initialize` is rewritten on the way out. */
function version1(revision: string): OfficialClient {
  return {
    name: `sdk 1.32 at ${revision}`,
    revision,
    async open({ answer, onToolsChanged }) {
      const wire = tap(new TransportV1(command), (message) => withVersion(message, revision));
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
function version2(mode: Mode, revision: string): OfficialClient {
  return {
    name: `client 2.4 ${typeof mode === "string" ? mode : "pinned"} at ${revision}`,
    revision,
    async open({ answer, onToolsChanged }) {
      const wire = tap(new TransportV2(command));
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

function withVersion(message: unknown, protocolVersion: string): unknown {
  const { method, params } = message as { method?: string; params?: object };
  return method === "initialize" ? { ...(message as object), params: { ...params, protocolVersion } } : message;
}

function namesOf(tools: readonly { name: string }[] | null | undefined): string[] {
  return (tools ?? []).map(({ name }) => name);
}

/** Version 2 does the handshake, finds out by itself, or is told the revision. */
export type Mode = "legacy" | "auto" | { pin: string };

/** Every official TypeScript client, in every revision that it can be made to speak. */
export const inEveryWay = <Client>(
  first: (revision: string) => Client,
  second: (mode: Mode, revision: string) => Client,
): readonly Client[] => [
  first("2025-11-25"),
  first("2025-06-18"),
  first("2025-03-26"),
  first("2024-11-05"),
  second("legacy", "2025-11-25"),
  second("auto", "2026-07-28"),
  second({ pin: "2026-07-28" }, "2026-07-28"),
];

/** The clients that list and call tools. */
export const officialClients: readonly OfficialClient[] = inEveryWay(version1, version2);
