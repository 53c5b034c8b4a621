import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { inEveryWay, type Mode, requestRevision } from "./official-clients.js";
import type { RecordedTransport } from "./recorded-transport.js";
import type { ServerTarget, TransportName } from "./server-transport.js";

const info = { name: "interop", version: "1.0.0" };
const capabilities = { sampling: {}, roots: {}, elicitation: { form: {}, url: {} } };

type Members = Readonly<Record<string, unknown>>;

/** The answers of the client's side: the user, the model, and the client itself. */
export interface Answers {
  readonly person: (question: Members) => Members;
  readonly model: (question: Members) => Members;
  readonly roots: Members;
}

/** What both versions of the official client can do, in one interface. */
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

/** A connected official client. */
export interface TestClient {
  readonly client: Face;
  readonly recorded: RecordedTransport<unknown>;
  /** Subscribes to a resource as the revision prescribes; changes go to `onChanged`. */
  readonly watch: (uri: string, onChanged: (uri: string) => void) => Promise<unknown>;
  /** Enables log messages as the revision prescribes; returns the `_meta` that calls need for it. */
  readonly enableLogs: (onLine: (line: unknown) => void) => Promise<Members>;
}

/** One official client in one mode, with its transport and revision. */
export interface OfficialTestClient {
  readonly name: string;
  readonly transport: TransportName;
  readonly revision: string;
  readonly open: (target: ServerTarget, answers: Answers) => Promise<TestClient>;
}

/** Version 1 of the SDK; for older revisions its `initialize` is rewritten before it is sent. */
const version1 = (transport: TransportName, revision: string): OfficialTestClient => ({
  name: `sdk 1.32 ${revision} ${transport}`,
  transport,
  revision,
  open: async (target, { person, model, roots }) => {
    const recorded = target.reach(1, requestRevision(revision));
    const client = new ClientV1(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params) as never);
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => model(params) as never);
    client.setRequestHandler(ListRootsRequestSchema, () => roots as never);
    await client.connect(recorded.transport);
    const watch: TestClient["watch"] = (uri, onChanged) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onChanged(params.uri));
      return client.subscribeResource({ uri });
    };
    const enableLogs: TestClient["enableLogs"] = async (onLine) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => onLine(params.data));
      await client.setLoggingLevel("info");
      return {};
    };
    return { client: client as unknown as Face, recorded, watch, enableLogs };
  },
});

/** Version 2 of the SDK in one of its modes. */
const version2 = (transport: TransportName, mode: Mode, revision: string): OfficialTestClient => ({
  name: `client 2.4 ${typeof mode === "string" ? mode : "pinned"} ${revision} ${transport}`,
  transport,
  revision,
  open: async (target, { person, model, roots }) => {
    const recorded = target.reach(2);
    const client = new ClientV2(info, { capabilities, versionNegotiation: { mode } });
    client.setRequestHandler("elicitation/create", ({ params }) => person(params) as never);
    client.setRequestHandler("sampling/createMessage", ({ params }) => model(params) as never);
    client.setRequestHandler("roots/list", () => roots as never);
    await client.connect(recorded.transport);
    const watch: TestClient["watch"] = (uri, onChanged) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => onChanged(params.uri));
      return mode === "legacy" ? client.subscribeResource({ uri }) : client.listen({ resourceSubscriptions: [uri] });
    };
    const enableLogs: TestClient["enableLogs"] = async (onLine) => {
      client.setNotificationHandler("notifications/message", ({ params }) => onLine(params.data));
      if (mode !== "legacy") return { _meta: { "io.modelcontextprotocol/logLevel": "info" } };
      await client.setLoggingLevel("info");
      return {};
    };
    return { client: client as unknown as Face, recorded, watch, enableLogs };
  },
});

/** The clients that use everything the server offers. */
export const officialTestClients: readonly OfficialTestClient[] = inEveryWay(version1, version2);
