import { headerMismatch } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import type { ContentBlock, PromptMessage } from "../protocol/content.js";
import type {
  LogLevel,
  PromptDescription,
  ResourceDescription,
  ResourceTemplateDescription,
  ToolDescription,
} from "../protocol/types.js";
import { TASKS_EXTENSION } from "../revisions/meta-keys.js";
import type { Revision } from "../revisions/revision.js";
import type { MirroredArgument } from "../server/features/mirrored-headers.js";
import type { ClientConnection, RequestOptions, SendOptions } from "./connection.js";
import { ConnectionError, ResponseError } from "./errors.js";
import { argumentHeaders, readMirroredArguments } from "./http-request.js";
import { addMeta, type ClientIdentity, findRevision, type NegotiatedServer } from "./negotiation.js";
import type { CallOptions } from "./options.js";
import { listAll, type RoundTripContext, requestToCompletion } from "./round-trips.js";
import {
  type Change,
  type Subscription,
  type SubscriptionContext,
  type SubscriptionFilter,
  subscribeInSession,
  subscribeWithRequest,
} from "./subscriptions.js";

/** A tool as the server lists it. */
export type ListedTool = Omit<ToolDescription, "description"> & { readonly description?: string };

/** The result of a tool call. If the tool failed, `isError` is true and the content says why. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

/** One item of a resource: text, or bytes in base64. */
export interface ReadResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: JsonObject;
}

/** The contents of a resource. */
export interface ReadResourceResult {
  readonly contents: readonly ReadResourceContents[];
  readonly _meta?: JsonObject;
}

/** The messages of a prompt. */
export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject;
}

/** What to complete: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/** Suggested values for an argument. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** A client of one server. Its methods reject with `ResponseError`, `ConnectionError` or `TimeoutError`. */
export class Client {
  /** The server's name, capabilities and instructions, and the negotiated revision. */
  readonly server: NegotiatedServer;
  /** Resolves with the reason when the connection has ended, whichever side closed it. */
  readonly closed: Promise<Error>;
  readonly #connection: ClientConnection;
  readonly #revision: Revision;
  readonly #roundTrips: RoundTripContext;
  readonly #subscriptions: SubscriptionContext;
  #identity: ClientIdentity;
  /** What the list says about calling a tool, by name. */
  readonly #tools = new Map<string, { readonly mirrored: readonly MirroredArgument[]; readonly needsTask: boolean }>();

  constructor(connection: ClientConnection, server: NegotiatedServer, identity: ClientIdentity) {
    this.server = server;
    this.closed = connection.closed;
    this.#connection = connection;
    this.#revision = findRevision(server.revision);
    this.#identity = server.handshake ? identity : withTasksExtension(identity);
    const request = this.request.bind(this);
    this.#roundTrips = { request, onInputRequest: connection.options.onInputRequest };
    this.#subscriptions = { connection, request, subscribedUris: new Set() };
  }

  /** Lists the tools of all pages. Over HTTP, tools with invalid header annotations are left out. */
  async listTools(options?: RequestOptions): Promise<ListedTool[]> {
    const listed = await this.#list<ListedTool>("tools/list", "tools", options);
    this.#tools.clear();
    for (const { name, inputSchema, execution } of listed) {
      const mirrored = this.#mirrorsHeaders ? readMirroredArguments(inputSchema) : [];
      if (mirrored) this.#tools.set(name, { mirrored, needsTask: execution?.taskSupport === "required" });
    }
    return listed.filter(({ name }) => this.#tools.has(name));
  }

  /** Lists the resources of all pages. */
  listResources(options?: RequestOptions): Promise<ResourceDescription[]> {
    return this.#list("resources/list", "resources", options);
  }

  /** Lists the resource templates of all pages. */
  listResourceTemplates(options?: RequestOptions): Promise<ResourceTemplateDescription[]> {
    return this.#list("resources/templates/list", "resourceTemplates", options);
  }

  /** Lists the prompts of all pages. */
  listPrompts(options?: RequestOptions): Promise<PromptDescription[]> {
    return this.#list("prompts/list", "prompts", options);
  }

  /**
   * Calls a tool. Input that the tool requests comes from the handlers; a call that becomes a task is followed to its end.
   *
   * @example
   * const { content, isError } = await client.callTool("greet", { name: "Ada" });
   */
  async callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallToolResult> {
    const { task = this.#tools.get(name)?.needsTask } = options;
    const taskParam = typeof task === "object" ? { ttl: task.ttlMs } : {};
    const params = { name, arguments: args, ...(task && this.server.handshake && { task: taskParam }) };
    const result = await requestToCompletion(this.#roundTrips, "tools/call", params, options);
    if (Array.isArray(result["content"])) return result as unknown as CallToolResult;
    throw new ConnectionError("Invalid response to tools/call: it has no content");
  }

  /** Reads a resource. */
  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    const result = await requestToCompletion(this.#roundTrips, "resources/read", { uri }, options);
    return result as unknown as ReadResourceResult;
  }

  /** Gets a prompt. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    const result = await requestToCompletion(this.#roundTrips, "prompts/get", { name, arguments: args }, options);
    return result as unknown as GetPromptResult;
  }

  /** Suggests values for an argument; `resolvedArguments` are the values of the others. */
  async complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    resolvedArguments?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<Completion> {
    const params = {
      ref,
      argument: { ...argument },
      ...(resolvedArguments && { context: { arguments: { ...resolvedArguments } } }),
    };
    const { completion } = await this.request("completion/complete", params, options);
    if (isObject(completion) && Array.isArray(completion["values"])) return completion as unknown as Completion;
    throw new ConnectionError("Invalid response to completion/complete: it has no values");
  }

  /**
   * Subscribes to changes of lists and resources.
   *
   * @example
   * const subscription = await client.listen({ tools: true, uris: ["note://today"] }, (change) => console.log(change));
   * await subscription.close();
   */
  listen(filter: SubscriptionFilter, onChange: (change: Change) => void): Promise<Subscription> {
    const subscribe = this.server.handshake ? subscribeInSession : subscribeWithRequest;
    return subscribe(this.#subscriptions, filter, onChange);
  }

  /** Sets the lowest level of log messages: for the session, or for every later stateless request. */
  async setLogLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    if (this.server.handshake) await this.request("logging/setLevel", { level }, options);
    else this.#identity = { ...this.#identity, logLevel: level };
  }

  /** Resolves when the server has responded. Stateless revisions have no ping; there it sends `server/discover`. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.request(this.server.handshake ? "ping" : "server/discover", {}, options);
  }

  /** Sends any request and returns its result unchanged. */
  request(method: string, params: JsonObject = {}, options?: RequestOptions): Promise<JsonObject> {
    const sentParams = addMeta(params, this.#revision, this.#identity);
    return method === "tools/call" && this.#mirrorsHeaders
      ? this.#callWithArgumentHeaders(sentParams, options)
      : this.#connection.request(method, sentParams, options);
  }

  /** Sends any notification. */
  notify(method: string, params?: JsonObject): Promise<void> {
    return this.#connection.notify(method, params);
  }

  /** Closes the connection. Pending requests are rejected, and a server that `connect` started is stopped. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  get #mirrorsHeaders(): boolean {
    return this.#connection.mirrorsHeaders && !this.server.handshake;
  }

  /** Only the list of tools says which arguments to mirror, so a mismatch is retried after listing them. */
  async #callWithArgumentHeaders(params: JsonObject, options: SendOptions = {}): Promise<JsonObject> {
    const { name, arguments: args } = params;
    const send = (): Promise<JsonObject> => {
      const mirrored = this.#tools.get(name as string)?.mirrored ?? [];
      const headers = argumentHeaders(mirrored, isObject(args) ? args : {});
      return this.#connection.request("tools/call", params, { ...options, headers });
    };
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ResponseError) || error.code !== headerMismatch("").code) throw error;
      const { signal, timeoutMs, totalTimeoutMs } = options;
      await this.listTools({ signal, timeoutMs, totalTimeoutMs });
      return send();
    }
  }

  #list<Entry>(method: string, member: string, options?: RequestOptions): Promise<Entry[]> {
    return listAll((name, params) => this.request(name, params, options), method, member) as Promise<Entry[]>;
  }
}

/** Declares that the client follows tasks which the server creates. */
function withTasksExtension(identity: ClientIdentity): ClientIdentity {
  const { extensions } = identity.capabilities;
  const withTasks = { ...(isObject(extensions) && extensions), [TASKS_EXTENSION]: {} };
  return { ...identity, capabilities: { ...identity.capabilities, extensions: withTasks } };
}
