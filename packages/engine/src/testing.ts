import type { SpokenRevision } from "./client/channel.js";
import { RequestRefused } from "./client/errors.js";
import { listAll } from "./client/lists.js";
import { checkOptions } from "./client/options.js";
import { type Answer, Peer } from "./client/peer.js";
import { converse } from "./client/rounds.js";
import { dress, introduce, revisionOf, type Speaker } from "./client/speech.js";
import { type Json, type JsonObject, type MemoryConnection, openMemory, type Server } from "./index.js";
import { answerFrom, type ByName, type TestAnswers, writeAnswer } from "./testing/answers.js";
import type { Spoken } from "./testing/messages.js";

export { RequestRefused } from "./client/errors.js";
export type { Difference } from "./client/replay/compare.js";
export type { ReplayedRequest } from "./client/replay/judge.js";
export type { Replay } from "./client/replay/replay-options.js";
export type { TestAnswer, TestAnswers, TestSample } from "./testing/answers.js";
export { expectSame, type SameOptions } from "./testing/expect-same.js";
export type { Spoken } from "./testing/messages.js";
export { type ListedTool, type PortabilityVerdict, portability } from "./testing/portability.js";

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

const CONNECT_OPTIONS: Readonly<Record<keyof ConnectOptions, true>> = {
  revision: true,
  capabilities: true,
  logLevel: true,
  principal: true,
  answers: true,
  samples: true,
  roots: true,
};

/** Connects a client of one revision to a server, in memory, and does the handshake where there is one. */
export async function connect(server: Server, options: ConnectOptions = {}): Promise<TestClient> {
  checkOptions(options, CONNECT_OPTIONS);
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
  readonly #spoken: SpokenRevision;
  readonly #peer: Peer;
  readonly #answer: Answer;
  #connection: MemoryConnection | undefined;

  constructor(server: Server, options: ConnectOptions) {
    this.#server = server;
    this.#options = options;
    this.#spoken = revisionOf(options.revision);
    this.revision = this.#spoken.version;
    this.#answer = ({ name, method, params }) => writeAnswer(options, name, method, params);
    this.#peer = new Peer({
      say: (message) => this.say(message),
      answer: this.#answer,
      notified: () => undefined,
    });
  }

  /** Opens the connection; `connect` does it for you. */
  async open(): Promise<void> {
    this.#connection = await openMemory(
      this.#server,
      (text) => this.#hear(text),
      this.#options.principal,
      () => this.#peer.end({ error: { code: 0, message: "the connection was closed" } }),
    );
    if (!this.#spoken.handshake) return;
    await this.request("initialize", introduce(this.revision, this.#speaker));
    this.notify("notifications/initialized");
  }

  /** Closes the connection; requests that are still open are refused, so that a test never waits for them. */
  close(): void {
    this.#connection?.close();
  }

  /** Messages of the server that are no answers, by method. */
  heard(method: string): JsonObject[] {
    return this.conversation
      .filter(({ from, message }) => from === "server" && (message as JsonObject)["method"] === method)
      .map(({ message }) => message as JsonObject);
  }

  /** Sends a request and gives its result; throws `RequestRefused` for an error. */
  async request(method: string, params?: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.start(method, params).answer;
    if (error !== undefined) throw new RequestRefused(error as { code: number; message: string });
    return result as JsonObject;
  }

  /** Sends a request without waiting; gives its id and the whole answer to come. */
  start(method: string, params: JsonObject = {}): { id: number; answer: Promise<JsonObject> } {
    return this.#peer.start(method, dress(params, this.#spoken, this.#speaker));
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

  #list(member: "tools" | "resources" | "prompts"): Promise<JsonObject[]> {
    return listAll((method, params) => this.request(method, params), `${member}/list`, member);
  }

  #converse(method: string, params: JsonObject): Promise<JsonObject> {
    return converse((round) => this.request(method, round), params, this.#answer);
  }

  get #speaker(): Speaker {
    const { capabilities, samples, roots, logLevel } = this.#options;
    const answered = { ...(samples && { sampling: { tools: {}, context: {} } }), ...(roots && { roots: {} }) };
    return {
      info: { name: "toolwright-test", version: "1.0.0" },
      capabilities: capabilities ?? { elicitation: {}, ...answered },
      logLevel,
    };
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as JsonObject;
    this.conversation.push({ from: "server", message });
    if (!Array.isArray(message)) this.#peer.hear(message);
  }
}
