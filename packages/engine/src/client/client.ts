import { headerMismatch } from "../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { LogLevel } from "../protocol/caller.js";
import type { PromptDescription, ResourceDescription, TemplateDescription } from "../protocol/description.js";
import type { Change, Wanted } from "./changes.js";
import type { Connection, RequestOptions, SendOptions } from "./connection.js";
import type { ServerFacts } from "./era.js";
import { ConnectionFailed, RequestRefused } from "./errors.js";
import { type MirroredArguments, mirrorArguments, mirroredArguments } from "./http-headers.js";
import { type Listener, type Listening, type ListeningDesk, listenInSession, listenWithRequest } from "./listening.js";
import { listAll } from "./lists.js";
import type { CallOptions } from "./options.js";
import type { Answer } from "./peer.js";
import type { Completion, CompletionOf, ListedTool, PromptResult, ReadResult, ToolResult } from "./results.js";
import { converse } from "./rounds.js";
import { dress, type Speaker } from "./speech.js";
import { followCoreTask, followTask, type TaskDesk } from "./tasks.js";

/** What a client is made of, once both ends have agreed on a revision. */
export interface ClientParts {
  readonly connection: Connection;
  readonly server: ServerFacts;
  readonly speaker: Speaker;
  readonly answer: Answer;
  readonly listeners: Set<Listener>;
}

interface KnownTool {
  readonly mirrored: MirroredArguments;
  readonly mustBeTask: boolean;
}

/** A conversation with one server. Every method throws `RequestRefused`, `ConnectionFailed` or `TimedOut` where it fails. */
export class Client {
  /** Who the server is, what it offers, and the revision that both ends speak. */
  readonly server: ServerFacts;
  /** Resolves with the reason when the conversation is over, whoever ended it. */
  readonly closed: Promise<Error>;
  readonly #parts: ClientParts;
  readonly #watched = new Map<string, number>();
  #speaker: Speaker;
  #tools: ReadonlyMap<string, KnownTool> = new Map();

  constructor(parts: ClientParts) {
    this.server = parts.server;
    this.closed = parts.connection.closed;
    this.#parts = parts;
    this.#speaker = parts.speaker;
  }

  /** All tools, over all pages. Over HTTP, those that cannot be called by its rules are left out. */
  async listTools(options?: RequestOptions): Promise<ListedTool[]> {
    const listed = (await this.#list("tools/list", "tools", options)) as unknown as ListedTool[];
    const known = new Map<string, KnownTool>();
    for (const { name, inputSchema, execution } of listed) {
      const mirrored = this.#hasHeaders ? mirroredArguments(inputSchema) : [];
      if (mirrored) known.set(name, { mirrored, mustBeTask: execution?.taskSupport === "required" });
    }
    this.#tools = known;
    return listed.filter(({ name }) => known.has(name));
  }

  async listResources(options?: RequestOptions): Promise<ResourceDescription[]> {
    return (await this.#list("resources/list", "resources", options)) as unknown as ResourceDescription[];
  }

  async listResourceTemplates(options?: RequestOptions): Promise<TemplateDescription[]> {
    const found = await this.#list("resources/templates/list", "resourceTemplates", options);
    return found as unknown as TemplateDescription[];
  }

  async listPrompts(options?: RequestOptions): Promise<PromptDescription[]> {
    return (await this.#list("prompts/list", "prompts", options)) as unknown as PromptDescription[];
  }

  /** Calls a tool, answers what it asks, and follows it where it becomes a task. */
  async callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<ToolResult> {
    try {
      return await this.#callTool(name, args, options);
    } catch (error) {
      // What is to be repeated in headers, only the list of tools says.
      const isMismatch = error instanceof RequestRefused && error.code === headerMismatch("").code;
      if (!isMismatch || !this.#hasHeaders) throw error;
      await this.listTools(options);
      return this.#callTool(name, args, options);
    }
  }

  async readResource(uri: string, options?: RequestOptions): Promise<ReadResult> {
    return (await this.#converse("resources/read", { uri }, options)) as unknown as ReadResult;
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
  ): Promise<PromptResult> {
    return (await this.#converse("prompts/get", { name, arguments: args }, options)) as unknown as PromptResult;
  }

  /** Values that would do for an argument, given what is already known of the others. */
  async complete(
    ref: CompletionOf,
    argument: { readonly name: string; readonly value: string },
    known?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<Completion> {
    const params = { ref, argument: { ...argument }, ...(known && { context: { arguments: { ...known } } }) };
    const { completion } = await this.request("completion/complete", params, options);
    if (isObject(completion) && Array.isArray(completion["values"])) return completion as unknown as Completion;
    throw new ConnectionFailed("The server's answer to completion/complete has no values");
  }

  /** Listens to changes. Changes of lists are told in a session anyway; here they are sorted out of all that is heard. */
  listen(wanted: Wanted, tell: (change: Change) => void): Promise<Listening> {
    const desk: ListeningDesk = {
      closed: this.closed,
      listeners: this.#parts.listeners,
      watched: this.#watched,
      request: (method, params, options) => this.#send(method, params, options),
    };
    return this.server.handshake ? listenInSession(desk, wanted, tell) : listenWithRequest(desk, wanted, tell);
  }

  /** Says which log lines are wanted: in a session from now on, otherwise those of each request that follows. */
  async setLogLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    if (this.server.handshake) await this.request("logging/setLevel", { level }, options);
    else this.#speaker = { ...this.#speaker, logLevel: level };
  }

  /** Resolves when the server has answered; the stateless era has no ping, so it is asked who it is. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.request(this.server.handshake ? "ping" : "server/discover", {}, options);
  }

  /** Sends any request and gives its result as it is. */
  request(method: string, params: JsonObject = {}, options?: RequestOptions): Promise<JsonObject> {
    return this.#send(method, params, options);
  }

  /** Sends any notification. */
  notify(method: string, params?: JsonObject): Promise<void> {
    return this.#parts.connection.notify(method, params);
  }

  /** Ends the conversation: requests that are open fail, and a server that was started for it ends. */
  close(): Promise<void> {
    return this.#parts.connection.close();
  }

  get #hasHeaders(): boolean {
    return this.#parts.connection.hasHeaders && !this.server.handshake;
  }

  #send(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject> {
    const { revision: version, handshake } = this.server;
    return this.#parts.connection.request(method, dress(params, { version, handshake }, this.#speaker), options);
  }

  #list(method: string, member: string, options?: RequestOptions): Promise<JsonObject[]> {
    return listAll((name, params) => this.#send(name, params, options), method, member);
  }

  #converse(method: string, params: JsonObject, options: SendOptions = {}): Promise<JsonObject> {
    const { answer } = this.#parts;
    return converse((round) => this.#send(method, round, options), params, answer, options.signal);
  }

  async #callTool(name: string, args: JsonObject, options: CallOptions): Promise<ToolResult> {
    const known = this.#tools.get(name);
    const { handshake } = this.server;
    const task = handshake ? taskOf(options.task ?? known?.mustBeTask ?? false) : undefined;
    const params = { name, arguments: args, ...(task && { task }) };
    const headers = known && mirrorArguments(known.mirrored, args);
    const desk: TaskDesk = {
      request: (method, more, limits) => this.#send(method, more, limits),
      answer: this.#parts.answer,
      signal: options.signal,
      totalMs: options.totalMs,
      onTask: options.onTask,
    };
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    try {
      const result = await this.#converse("tools/call", params, { ...options, headers, over });
      if (task && isObject(result["task"])) return toToolResult(await followCoreTask(desk, result["task"]));
      const isTask = !handshake && result["resultType"] === "task";
      return toToolResult(isTask ? await followTask(desk, result) : result);
    } finally {
      end();
    }
  }
}

function taskOf(wish: NonNullable<CallOptions["task"]>): JsonObject | undefined {
  if (wish === false) return undefined;
  return wish === true ? {} : { ttl: wish.ttlMs };
}

function toToolResult(result: JsonObject): ToolResult {
  if (Array.isArray(result["content"])) return result as unknown as ToolResult;
  throw new ConnectionFailed("The server's answer to tools/call has no content; it is no tool result");
}
