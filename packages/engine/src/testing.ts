import { ClientConnection, type InputRequest, type StartedRequest } from "./client/connection.js";
import { ResponseError } from "./client/errors.js";
import { addMeta, type ClientIdentity, findRevision, initializeParams } from "./client/negotiation.js";
import { listAll, requestWithInput } from "./client/round-trips.js";
import type { ClientTransport } from "./client/transport.js";
import type { Json, JsonObject } from "./jsonrpc/messages.js";
import type { Revision } from "./revisions/revision.js";
import type { Root } from "./server/call.js";
import { atCaller, rejectUnknownOptions, requireServer } from "./server/definitions/validation.js";
import type { Server } from "./server/server.js";
import { type MemoryConnection, openMemoryConnection } from "./transports/memory.js";

export { ResponseError } from "./client/errors.js";
export type { Difference, ReplayedRequest, ReplayReport } from "./client/replay/replay.js";
export { type CheckedTool, checkPortability, type PortabilityIssue } from "./testing/check-portability.js";
export { expectReplayMatches, type ReplayMatchOptions } from "./testing/expect-replay-matches.js";

/** A message of either side. */
export interface ConversationMessage {
  readonly from: "client" | "server";
  readonly message: Json;
}

/** The user's response to an elicitation: the completed form, or an action. */
export type TestResponse = JsonObject | "accept" | "decline" | "cancel";

/** The model's response to a sampling request: its text, or a whole result. */
export type TestSample = string | JsonObject;

/** A value for each name, or a function that returns it. */
export type ByName<Value> = Readonly<Record<string, Value>> | ((name: string, params: JsonObject) => Value);

/** Options of `connectTestClient`. */
export interface TestClientOptions {
  /** Responses to `call.elicit` and `call.elicitUrl`, by name. */
  readonly responses?: ByName<TestResponse>;
  /** Responses to `call.sample`, by name. */
  readonly samples?: ByName<TestSample>;
  /** The client's roots. */
  readonly roots?: readonly Root[];
  /** The protocol revision to use; the newest by default. */
  readonly revision?: string;
  /** The client's capabilities; by default form elicitation, and those that the responses need. */
  readonly capabilities?: JsonObject;
  /** The log level of stateless requests. */
  readonly logLevel?: string;
  /** The principal that the server sees. */
  readonly principal?: string;
}

const TEST_CLIENT_OPTIONS: Readonly<Record<keyof TestClientOptions, true>> = {
  responses: true,
  samples: true,
  roots: true,
  revision: true,
  capabilities: true,
  logLevel: true,
  principal: true,
};

/**
 * Connects a test client to a server in memory, and performs the handshake if the revision has one.
 *
 * @example
 * const client = await connectTestClient(server, { responses: { confirm: { sure: true } } });
 * const { content } = await client.callTool("delete", { id: 7 });
 * client.close();
 */
export async function connectTestClient(server: Server, options: TestClientOptions = {}): Promise<TestClient> {
  atCaller(connectTestClient, () => {
    requireServer("connect", server);
    rejectUnknownOptions("connect", options, TEST_CLIENT_OPTIONS);
  });
  const client = new TestClient(server, options);
  await client.open();
  return client;
}

/** Options of `expectAsksBeforeActing`. */
export interface AsksBeforeActingOptions
  extends Pick<TestClientOptions, "principal" | "capabilities" | "samples" | "roots"> {
  readonly tool: string;
  readonly input?: JsonObject;
  readonly responses: NonNullable<TestClientOptions["responses"]>;
  /** Returns everything that the tool may change, as a value that can be written as JSON. */
  readonly snapshot: () => unknown;
}

/**
 * Calls a tool in a stateless revision, where it starts over for each response, and returns its result. Rejects if
 * something has changed before the last input request was answered, or if the tool requested no input.
 *
 * @example
 * await expectAsksBeforeActing(server, { tool: "delete", responses: { confirm: { sure: true } }, snapshot: () => files });
 */
export async function expectAsksBeforeActing(server: Server, options: AsksBeforeActingOptions): Promise<JsonObject> {
  const { tool, input, responses, samples, snapshot, ...clientOptions } = options;
  const before = JSON.stringify(snapshot());
  let inputRequests = 0;
  const withCheck =
    <Value>(source: ByName<Value>) =>
    (name: string, params: JsonObject): Value => {
      inputRequests += 1;
      const current = JSON.stringify(snapshot());
      if (current === before) return responseFor(source, name, params);
      throw new Error(
        `The tool "${tool}" acted before its input request "${name}" was answered: ${before} became ${current}`,
      );
    };
  const client = await connectTestClient(server, {
    ...clientOptions,
    responses: withCheck(responses),
    ...(samples && { samples: withCheck(samples) }),
  });
  try {
    const result = await client.callTool(tool, input);
    if (inputRequests === 0) throw new Error(`The tool "${tool}" requested no input`);
    return result;
  } finally {
    client.close();
  }
}

/** A small client for tests that supports every revision and keeps every message. */
export class TestClient {
  /** All messages of both sides, in order. */
  readonly conversation: ConversationMessage[] = [];
  /** The protocol revision. */
  readonly revision: string;
  readonly #server: Server;
  readonly #principal: string | undefined;
  readonly #revision: Revision;
  readonly #identity: ClientIdentity;
  readonly #connection: ClientConnection;
  #memory: MemoryConnection | undefined;

  constructor(server: Server, options: TestClientOptions) {
    const { capabilities, samples, roots, logLevel } = options;
    this.#server = server;
    this.#principal = options.principal;
    this.#revision = findRevision(options.revision);
    this.revision = this.#revision.version;
    const handled = { ...(samples && { sampling: { tools: {}, context: {} } }), ...(roots && { roots: {} }) };
    this.#identity = {
      info: { name: "toolwright-test", version: "1.0.0" },
      capabilities: capabilities ?? { elicitation: {}, ...handled },
      logLevel,
    };
    this.#connection = new ClientConnection({
      timeoutMs: Infinity,
      totalTimeoutMs: Infinity,
      onInputRequest: (request) => inputResponse(options, request),
    });
  }

  /** Opens the connection; `connectTestClient` does so. */
  async open(): Promise<void> {
    const connection = this.#connection;
    const onMessage = (text: string): void => {
      const message = JSON.parse(text) as Json;
      this.conversation.push({ from: "server", message });
      connection.onMessage(message);
    };
    const onClose = (): void => connection.onClose(new ResponseError({ message: "the connection was closed" }));
    const openTransport = async (): Promise<ClientTransport> => {
      this.#memory = await openMemoryConnection(this.#server, onMessage, this.#principal, onClose);
      return { send: (message) => this.send(message), close: async () => this.close() };
    };
    await connection.open(openTransport, Infinity, async () => {
      if (!this.#revision.handshake) return;
      await this.request("initialize", initializeParams(this.revision, this.#identity));
      this.notify("notifications/initialized");
    });
  }

  /** Closes the connection. Pending requests are rejected, so that a test never waits for them. */
  close(): void {
    this.#memory?.close();
  }

  /** Returns the requests and notifications of the server with this method. */
  received(method: string): JsonObject[] {
    return this.conversation
      .filter(({ from, message }) => from === "server" && (message as JsonObject)["method"] === method)
      .map(({ message }) => message as JsonObject);
  }

  /** Sends a request and returns its result. Rejects with `ResponseError`. */
  async request(method: string, params?: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.startRequest(method, params).response;
    if (error !== undefined) throw new ResponseError(error as JsonObject);
    return result as JsonObject;
  }

  /** Sends a request without waiting; returns its id and a promise of the whole response. */
  startRequest(method: string, params: JsonObject = {}): StartedRequest {
    return this.#connection.startRequest(method, addMeta(params, this.#revision, this.#identity));
  }

  /** Sends a notification. */
  notify(method: string, params?: JsonObject): void {
    this.send({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  /** Sends any message unchanged. */
  send(message: Json): void {
    this.conversation.push({ from: "client", message });
    this.#memory?.send(JSON.stringify(message));
  }

  /** Sends any text unchanged. */
  sendText(text: string): void {
    this.#memory?.send(text);
  }

  /** Lists the tools of all pages. */
  listTools(): Promise<JsonObject[]> {
    return this.#list("tools");
  }

  /** Lists the resources of all pages. */
  listResources(): Promise<JsonObject[]> {
    return this.#list("resources");
  }

  /** Lists the prompts of all pages. */
  listPrompts(): Promise<JsonObject[]> {
    return this.#list("prompts");
  }

  /** Calls a tool, and responds to its input requests. */
  callTool(name: string, args: JsonObject = {}, extra: JsonObject = {}): Promise<JsonObject> {
    return this.#requestWithInput("tools/call", { name, arguments: args, ...extra });
  }

  /** Reads a resource, and responds to its input requests. */
  readResource(uri: string, extra: JsonObject = {}): Promise<JsonObject> {
    return this.#requestWithInput("resources/read", { uri, ...extra });
  }

  /** Gets a prompt, and responds to its input requests. */
  getPrompt(name: string, args: Readonly<Record<string, string>> = {}, extra: JsonObject = {}): Promise<JsonObject> {
    return this.#requestWithInput("prompts/get", { name, arguments: args, ...extra });
  }

  #list(member: "tools" | "resources" | "prompts"): Promise<JsonObject[]> {
    return listAll((method, params) => this.request(method, params), `${member}/list`, member);
  }

  #requestWithInput(method: string, params: JsonObject): Promise<JsonObject> {
    const send = (round: JsonObject): Promise<JsonObject> => this.request(method, round);
    return requestWithInput(send, params, this.#connection.options.onInputRequest);
  }
}

function responseFor<Value>(source: ByName<Value> | undefined, name: string, params: JsonObject): Value {
  const response = typeof source === "function" ? source(name, params) : source?.[name];
  if (response === undefined) throw new Error(`The test has no response for the input request "${name}"`);
  return response;
}

function inputResponse(options: TestClientOptions, { name, method, params }: InputRequest): JsonObject {
  if (method === "roots/list") return { roots: (options.roots ?? []).map((root) => ({ ...root })) };
  if (method === "sampling/createMessage") {
    const sample = responseFor(options.samples, name, params);
    if (typeof sample !== "string") return sample;
    return { role: "assistant", content: { type: "text", text: sample }, model: "test-model", stopReason: "endTurn" };
  }
  const response = responseFor(options.responses, name, params);
  return typeof response === "string" ? { action: response } : { action: "accept", content: response };
}
