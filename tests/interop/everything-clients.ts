import { fileURLToPath } from "node:url";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { inEveryWay, type Mode } from "./official-clients.js";
import { tap, type Wire } from "./peer.js";

const info = { name: "interop", version: "1.0.0" };
const server = fileURLToPath(new URL("../../examples/everything/main.mjs", import.meta.url));
const command = { command: process.execPath, args: [server], stderr: "pipe" as const };
const capabilities = { sampling: {}, roots: {}, elicitation: { form: {}, url: {} } };

type Members = Readonly<Record<string, unknown>>;

/** How the other side of the client answers: a person, a model, and the client itself. */
export interface Answers {
  readonly person: (question: Members) => Members;
  readonly model: (question: Members) => Members;
  readonly roots: Members;
}

/** What both versions of the official client can do, in the words that they share. */
export interface Face {
  listTools(): Promise<{ tools: readonly Members[] }>;
  callTool(params: Members): Promise<{ content: readonly { text?: string }[]; isError?: boolean }>;
  listResources(): Promise<{ resources: readonly Members[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: readonly Members[] }>;
  readResource(params: { uri: string }): Promise<{ contents: readonly Members[] }>;
  listPrompts(): Promise<{ prompts: readonly Members[] }>;
  getPrompt(params: Members): Promise<{ messages: readonly Members[] }>;
  complete(params: Members): Promise<{ completion: Members }>;
  close(): Promise<void>;
}

/** An official client that is connected. */
export interface Guest {
  readonly client: Face;
  readonly wire: Wire<unknown>;
  /** Watches a resource in the way of the revision; changes of it go to `onChanged`. */
  readonly watch: (uri: string, onChanged: (uri: string) => void) => Promise<unknown>;
}

/** One official client in one mode, and the revision that it speaks. */
export interface OfficialGuest {
  readonly name: string;
  readonly revision: string;
  readonly open: (answers: Answers) => Promise<Guest>;
}

/** Version 1 of the SDK; for older revisions its `initialize` is rewritten on the way out. */
const version1 = (revision: string): OfficialGuest => ({
  name: `sdk 1.32 at ${revision}`,
  revision,
  open: async ({ person, model, roots }) => {
    const wire = tap(new TransportV1(command), (message) => {
      const { method, params } = message as { method?: string; params?: object };
      return method === "initialize"
        ? { ...(message as object), params: { ...params, protocolVersion: revision } }
        : message;
    });
    const client = new ClientV1(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params) as never);
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => model(params) as never);
    client.setRequestHandler(ListRootsRequestSchema, () => roots as never);
    await client.connect(wire.transport);
    const watch: Guest["watch"] = (uri, onChanged) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onChanged(params.uri));
      return client.subscribeResource({ uri });
    };
    return { client: client as unknown as Face, wire, watch };
  },
});

/** Version 2 of the SDK in one of its modes. */
const version2 = (mode: Mode, revision: string): OfficialGuest => ({
  name: `client 2.4 ${typeof mode === "string" ? mode : "pinned"} at ${revision}`,
  revision,
  open: async ({ person, model, roots }) => {
    const wire = tap(new TransportV2(command));
    const client = new ClientV2(info, { capabilities, versionNegotiation: { mode } });
    client.setRequestHandler("elicitation/create", ({ params }) => person(params) as never);
    client.setRequestHandler("sampling/createMessage", ({ params }) => model(params) as never);
    client.setRequestHandler("roots/list", () => roots as never);
    await client.connect(wire.transport);
    const watch: Guest["watch"] = (uri, onChanged) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => onChanged(params.uri));
      return mode === "legacy" ? client.subscribeResource({ uri }) : client.listen({ resourceSubscriptions: [uri] });
    };
    return { client: client as unknown as Face, wire, watch };
  },
});

/** The clients that use all that a server offers. */
export const officialGuests: readonly OfficialGuest[] = inEveryWay(version1, version2);
