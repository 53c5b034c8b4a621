import { Client as ClientV2, ProtocolError } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { CallResult, ClientOptions, ClientUnderTest } from "./client-under-test.js";
import type { RecordedTransport, Rewrite } from "./recorded-transport.js";
import type { ServerTarget, TransportName } from "./server-transport.js";

const info = { name: "interop", version: "1.0.0" };

/** One official client in one mode, with its transport and the revision that it should negotiate. */
export interface OfficialClient {
  readonly name: string;
  readonly transport: TransportName;
  readonly revision: string;
  open(
    target: ServerTarget,
    options: ClientOptions,
  ): Promise<{ client: ClientUnderTest; recorded: RecordedTransport<unknown> }>;
}

/** The error code, as either version reports it. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof McpError || error instanceof ProtocolError ? error.code : undefined;
}

/** Version 1 of the SDK; for older revisions its `initialize` is rewritten before it is sent. */
function version1(transport: TransportName, revision: string): OfficialClient {
  return {
    name: `sdk 1.32 ${revision} ${transport}`,
    transport,
    revision,
    async open(target, { answer, onToolsChanged }) {
      const recorded = target.reach(1, requestRevision(revision));
      const client = new ClientV1(info, {
        capabilities: { elicitation: {} },
        listChanged: { tools: { onChanged: (_error, tools) => onToolsChanged(namesOf(tools)) } },
      });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as never));
      await client.connect(recorded.transport);
      const wrapped: ClientUnderTest = {
        listTools: async () => (await client.listTools()).tools as never,
        callTool: async (name, args = {}, options = {}) =>
          (await client.callTool({ name, arguments: args }, undefined, options as never)) as CallResult,
        close: () => client.close(),
      };
      return { client: wrapped, recorded };
    },
  };
}

/** Version 2 of the SDK in one of its modes. */
function version2(transport: TransportName, mode: Mode, revision: string): OfficialClient {
  return {
    name: `client 2.4 ${typeof mode === "string" ? mode : "pinned"} ${revision} ${transport}`,
    transport,
    revision,
    async open(target, { answer, onToolsChanged }) {
      const recorded = target.reach(2);
      const client = new ClientV2(info, {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode },
        listChanged: { tools: { onChanged: (_error, tools) => onToolsChanged(namesOf(tools)) } },
      });
      client.setRequestHandler("elicitation/create", ({ params }) => answer(params as never));
      await client.connect(recorded.transport);
      const wrapped: ClientUnderTest = {
        listTools: async () => (await client.listTools()).tools as never,
        callTool: async (name, args = {}, options = {}) =>
          (await client.callTool({ name, arguments: args }, options as never)) as CallResult,
        close: () => client.close(),
      };
      return { client: wrapped, recorded };
    },
  };
}

/** Makes a client request this revision in its handshake. */
export const requestRevision =
  (protocolVersion: string): Rewrite =>
  (message) => {
    const { method, params } = message as { method?: string; params?: object };
    return method === "initialize" ? { ...(message as object), params: { ...params, protocolVersion } } : message;
  };

function namesOf(tools: readonly { name: string }[] | null | undefined): string[] {
  return (tools ?? []).map(({ name }) => name);
}

/** Version 2 does the handshake, discovers the revision, or is given it. */
export type Mode = "legacy" | "auto" | { pin: string };

const TRANSPORT_NAMES: readonly TransportName[] = ["stdio", "HTTP", "HTTP+SSE"];

/** Every official TypeScript client, in every revision that it supports, over every transport of the revision. */
export const inEveryWay = <Client>(
  first: (transport: TransportName, revision: string) => Client,
  second: (transport: TransportName, mode: Mode, revision: string) => Client,
): readonly Client[] =>
  TRANSPORT_NAMES.flatMap((transport) => [
    first(transport, "2025-11-25"),
    first(transport, "2025-06-18"),
    first(transport, "2025-03-26"),
    first(transport, "2024-11-05"),
    second(transport, "legacy", "2025-11-25"),
    // HTTP+SSE with two endpoints needs a handshake.
    ...(transport === "HTTP+SSE"
      ? []
      : [second(transport, "auto", "2026-07-28"), second(transport, { pin: "2026-07-28" }, "2026-07-28")]),
  ]);

/** The clients that list and call tools. */
export const officialClients: readonly OfficialClient[] = inEveryWay(version1, version2);
