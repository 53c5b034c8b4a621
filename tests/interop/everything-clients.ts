import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { askFor, inEveryWay, type Mode } from "./official-clients.js";
import type { Station, Way } from "./station.js";
import type { Wire } from "./wire.js";

const info = { name: "interop", version: "1.0.0" };
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
  /** Asks for log lines in the way of the revision; gives what calls have to carry for that. */
  readonly hearLog: (onLine: (line: unknown) => void) => Promise<Members>;
}

/** One official client in one mode, the way that it goes, and the revision that it speaks. */
export interface OfficialGuest {
  readonly name: string;
  readonly way: Way;
  readonly revision: string;
  readonly open: (station: Station, answers: Answers) => Promise<Guest>;
}

/** Version 1 of the SDK; for older revisions its `initialize` is rewritten on the way out. */
const version1 = (way: Way, revision: string): OfficialGuest => ({
  name: `sdk 1.32 ${revision} ${way}`,
  way,
  revision,
  open: async (station, { person, model, roots }) => {
    const wire = station.reach(1, askFor(revision));
    const client = new ClientV1(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params) as never);
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => model(params) as never);
    client.setRequestHandler(ListRootsRequestSchema, () => roots as never);
    await client.connect(wire.transport);
    const watch: Guest["watch"] = (uri, onChanged) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onChanged(params.uri));
      return client.subscribeResource({ uri });
    };
    const hearLog: Guest["hearLog"] = async (onLine) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => onLine(params.data));
      await client.setLoggingLevel("info");
      return {};
    };
    return { client: client as unknown as Face, wire, watch, hearLog };
  },
});

/** Version 2 of the SDK in one of its modes. */
const version2 = (way: Way, mode: Mode, revision: string): OfficialGuest => ({
  name: `client 2.4 ${typeof mode === "string" ? mode : "pinned"} ${revision} ${way}`,
  way,
  revision,
  open: async (station, { person, model, roots }) => {
    const wire = station.reach(2);
    const client = new ClientV2(info, { capabilities, versionNegotiation: { mode } });
    client.setRequestHandler("elicitation/create", ({ params }) => person(params) as never);
    client.setRequestHandler("sampling/createMessage", ({ params }) => model(params) as never);
    client.setRequestHandler("roots/list", () => roots as never);
    await client.connect(wire.transport);
    const watch: Guest["watch"] = (uri, onChanged) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => onChanged(params.uri));
      return mode === "legacy" ? client.subscribeResource({ uri }) : client.listen({ resourceSubscriptions: [uri] });
    };
    const hearLog: Guest["hearLog"] = async (onLine) => {
      client.setNotificationHandler("notifications/message", ({ params }) => onLine(params.data));
      if (mode !== "legacy") return { _meta: { "io.modelcontextprotocol/logLevel": "info" } };
      await client.setLoggingLevel("info");
      return {};
    };
    return { client: client as unknown as Face, wire, watch, hearLog };
  },
});

/** The clients that use all that a server offers. */
export const officialGuests: readonly OfficialGuest[] = inEveryWay(version1, version2);
