import { type Json, type JsonObject, type MemoryConnection, openMemory, revisions, type Server } from "./index.js";
import { answerFrom, type ByName, type TestAnswers, writeAnswer } from "./testing/answers.js";
import { RequestRefused, type Spoken } from "./testing/messages.js";

export type { TestAnswer, TestAnswers, TestSample } from "./testing/answers.js";
export { RequestRefused, type Spoken } from "./testing/messages.js";

/** How a test talks to a server. */
export interface ConnectOptions extends TestAnswers {
  /** The protocol revision to speak; the newest by default. */
  readonly revision?: string;
  /** What the client can do; by default forms, and what the test has answers for. */
  readonly capabilities?: JsonObject;
  /** The log level of stateless requests. */
  readonly logLevel?: string;
  readonly principal?: string;
}

const PREFIX = "io.modelcontextprotocol/";

/** Connects a client of one revision to a server, in memory, and does the handshake where there is one. */
export async function connect(server: Server, options: ConnectOptions = {}): Promise<TestClient> {
  const client = new TestClient(server, options);
  await client.open();
  return client;
}

/** How a test checks that a tool asks first and acts after. */
export interface AsksFirst extends Pick<ConnectOptions, "principal" | "capabilities" | "samples" | "roots"> {
  readonly tool: string;
  readonly input?: JsonObject;
  readonly answers: NonNullable<ConnectOptions["answers"]>;
  /** Everything that the tool may change, as a value that JSON can write. */
  readonly effects: () => unknown;
}

/**
 * Runs a tool in the stateless way, where it starts from the top for each answer, and gives its result. Throws when something
 * had changed before the last question was answered, or when nothing was asked at all.
 */
export async function expectAsksFirst(server: Server, check: AsksFirst): Promise<JsonObject> {
  const { tool, input, answers, samples, effects, ...options } = check;
  const before = JSON.stringify(effects());
  let asked = 0;
  const look = (name: string): void => {
    asked += 1;
    const now = JSON.stringify(effects());
    if (now === before) return;
    throw new Error(`The tool "${tool}" acted before its question "${name}" was answered: ${before} became ${now}`);
  };
  const watched =
    <Value>(given: ByName<Value>) =>
    (name: string, params: JsonObject): Value => {
      look(name);
      return answerFrom(given, name, params);
    };
  const client = await connect(server, {
    ...options,
    answers: watched(answers),
    ...(samples && { samples: watched(samples) }),
  });
  try {
    const result = await client.callTool(tool, input);
    if (asked === 0) throw new Error(`The tool "${tool}" asked nothing`);
    return result;
  } finally {
    client.close();
  }
}

/** A small MCP client that speaks each revision as real clients do, and keeps every message it saw. */
export class TestClient {
  /** Everything that was said, in order. */
  readonly conversation: Spoken[] = [];
  readonly revision: string;
  readonly #server: Server;
  readonly #options: ConnectOptions;
  readonly #isHandshake: boolean;
  readonly #waiting = new Map<number, (message: JsonObject) => void>();
  #connection: MemoryConnection | undefined;
  #lastId = 0;

  constructor(server: Server, options: ConnectOptions) {
    const chosen = revisions.find(({ version }) => version === (options.revision ?? revisions[0]?.version));
    if (chosen === undefined) throw new TypeError(`Cannot connect: revision ${options.revision} is unknown`);
    this.#server = server;
    this.#options = options;
    this.revision = chosen.version;
    this.#isHandshake = chosen.handshake;
  }

  /** Opens the connection; `connect` does it for you. */
  async open(): Promise<void> {
    this.#connection = await openMemory(this.#server, (text) => this.#hear(text), this.#options.principal);
    if (!this.#isHandshake) return;
    await this.request("initialize", {
      protocolVersion: this.revision,
      capabilities: this.#capabilities,
      clientInfo: { name: "toolwright-test", version: "1.0.0" },
    });
    this.notify("notifications/initialized");
  }

  /** Closes the connection; requests that are still open are refused, so that a test never waits for them. */
  close(): void {
    this.#connection?.close();
    for (const refuse of this.#waiting.values()) refuse({ error: { code: 0, message: "the connection was closed" } });
    this.#waiting.clear();
  }

  /** Messages of the server that are no answers, by method. */
  heard(method: string): JsonObject[] {
    return this.conversation
      .filter(({ from, message }) => from === "server" && (message as JsonObject)["method"] === method)
      .map(({ message }) => message as JsonObject);
  }

  /** Sends a request and gives its result; throws `RequestRefused` for an error. */
  async request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.#result(this.start(method, params).answer);
  }

  /** Sends a request without waiting; gives its id and the whole answer to come. */
  start(method: string, params: JsonObject = {}): { id: number; answer: Promise<JsonObject> } {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve));
    this.say({ jsonrpc: "2.0", id, method, params: this.#withMeta(params) });
    return { id, answer };
  }

  notify(method: string, params?: JsonObject): void {
    this.say({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  /** Sends any message as it is. */
  say(message: Json): void {
    this.conversation.push({ from: "client", message });
    this.#connection?.send(JSON.stringify(message));
  }

  /** Sends any text as it is. */
  sayText(text: string): void {
    this.#connection?.send(text);
  }

  listTools(): Promise<JsonObject[]> {
    return this.#list("tools");
  }

  listResources(): Promise<JsonObject[]> {
    return this.#list("resources");
  }

  listPrompts(): Promise<JsonObject[]> {
    return this.#list("prompts");
  }

  /** Calls a tool and answers what it asks, in the way of the revision. */
  callTool(name: string, args: JsonObject = {}, extra: JsonObject = {}): Promise<JsonObject> {
    return this.#converse("tools/call", { name, arguments: args, ...extra });
  }

  /** Reads a resource and answers what it asks. */
  readResource(uri: string, extra: JsonObject = {}): Promise<JsonObject> {
    return this.#converse("resources/read", { uri, ...extra });
  }

  /** Gets a prompt and answers what it asks. */
  getPrompt(name: string, args: Readonly<Record<string, string>> = {}, extra: JsonObject = {}): Promise<JsonObject> {
    return this.#converse("prompts/get", { name, arguments: args, ...extra });
  }

  async #list(member: "tools" | "resources" | "prompts"): Promise<JsonObject[]> {
    const entries: JsonObject[] = [];
    let cursor: Json | undefined;
    do {
      const page = await this.request(`${member}/list`, cursor === undefined ? {} : { cursor });
      entries.push(...(page[member] as JsonObject[]));
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    return entries;
  }

  async #converse(method: string, params: JsonObject): Promise<JsonObject> {
    let result = await this.request(method, params);
    while (result["resultType"] === "input_required") {
      const asked = Object.entries(result["inputRequests"] as Record<string, JsonObject>);
      const inputResponses = Object.fromEntries(
        asked.map(([key, question]) => [key, this.#answerTo(key, question)] as const),
      );
      result = await this.request(method, { ...params, inputResponses, requestState: result["requestState"] as Json });
    }
    return result;
  }

  get #capabilities(): JsonObject {
    const { capabilities, samples, roots } = this.#options;
    const answered = { ...(samples && { sampling: { tools: {}, context: {} } }), ...(roots && { roots: {} }) };
    return capabilities ?? { elicitation: {}, ...answered };
  }

  async #result(answer: Promise<JsonObject>): Promise<JsonObject> {
    const { result, error } = await answer;
    if (error !== undefined) throw new RequestRefused(error as { code: number; message: string });
    return result as JsonObject;
  }

  #withMeta(params: JsonObject): JsonObject {
    if (this.#isHandshake) return params;
    const { logLevel } = this.#options;
    const own: JsonObject = {
      [`${PREFIX}protocolVersion`]: this.revision,
      [`${PREFIX}clientCapabilities`]: this.#capabilities,
      [`${PREFIX}clientInfo`]: { name: "toolwright-test", version: "1.0.0" },
      ...(logLevel !== undefined && { [`${PREFIX}logLevel`]: logLevel }),
    };
    return { ...params, _meta: { ...own, ...(params["_meta"] as JsonObject | undefined) } };
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as JsonObject;
    this.conversation.push({ from: "server", message });
    if (Array.isArray(message)) return;
    const { id, method } = message;
    if (method === undefined) {
      this.#waiting.get(id as number)?.(message);
      this.#waiting.delete(id as number);
    } else if (id !== undefined) {
      const { _meta } = message["params"] as { _meta?: { "toolwright/question"?: string } };
      this.say({ jsonrpc: "2.0", id, ...this.#reply(_meta?.["toolwright/question"] ?? "", message) });
    }
  }

  /** A question that the test cannot answer is told to the tool, not thrown into the server. */
  #reply(name: string, question: JsonObject): JsonObject {
    try {
      return { result: this.#answerTo(name, question) };
    } catch (error) {
      return { error: { code: 1, message: (error as Error).message } };
    }
  }

  #answerTo(name: string, { method, params }: JsonObject): JsonObject {
    return writeAnswer(this.#options, name, method as Json, (params ?? {}) as JsonObject);
  }
}
