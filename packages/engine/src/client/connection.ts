import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { PATIENCE_KEY } from "../protocol/patience.js";
import type { Channel, Ear, Headers, OpenChannel, SpokenRevision } from "./channel.js";
import { broken, ConnectionFailed, refusalOf } from "./errors.js";
import { type Patience, patienceFor } from "./patience.js";
import { type Answer, Peer } from "./peer.js";

/** How far the server has come with a request. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** How long to wait for one request, and what to hear meanwhile. */
export interface RequestOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
  /** How long the server may be silent; each report of progress starts it anew. */
  readonly timeoutMs?: number | undefined;
  /** How long the request may take, however much progress it reports. */
  readonly totalMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What else goes with a request, from one part of the client to another. */
export interface SendOptions extends RequestOptions {
  readonly headers?: Headers | undefined;
  /** Hears the id of the request before anything that the server says of it. */
  readonly onStart?: (id: number) => void;
  /** Settles when what the request began has ended, where that is after its answer; its progress is heard until then. */
  readonly over?: Promise<void>;
}

/** What a connection is told when it is opened. */
export interface ConnectionOptions {
  readonly timeoutMs: number;
  readonly totalMs: number;
  readonly answer: Answer;
  notified(method: string, params: JsonObject): void;
}

/** The conversation with one server: requests with time limits, cancelling, and progress, over any channel. */
export class Connection {
  /** Resolves with the reason when nothing more will be heard. */
  readonly closed: Promise<Error>;
  readonly #options: ConnectionOptions;
  readonly #peer: Peer;
  readonly #progress = new Map<Json, (params: JsonObject) => void>();
  readonly #waits = new Set<Patience>();
  #channel: Channel | undefined;
  #failure: Error | undefined;
  #tellEnd: (reason: Error) => void = () => undefined;
  #closing: Promise<void> | undefined;
  #lastToken = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#tellEnd = resolve;
    });
    this.#peer = new Peer({
      say: (message, headers) => this.#say(message, headers),
      answer: options.answer,
      notified: (method, params) => this.#notified(method, params),
    });
  }

  /** Opens the channel and does what comes first on it, both within the time given. Closes what fails. */
  async open<T>(open: OpenChannel, timeoutMs: number, first: () => Promise<T>): Promise<T> {
    const patience = patienceFor("the call to connect", { timeoutMs });
    const giveUp = new AbortController();
    const opened = async (): Promise<T> => {
      this.#channel = await open(this.#ear(), giveUp.signal);
      // Nobody waits for a channel any more that comes late.
      if (giveUp.signal.aborted) await this.close();
      return first();
    };
    try {
      return await Promise.race([opened(), patience.lost]);
    } catch (error) {
      if (this.#channel) await this.close();
      else giveUp.abort();
      throw error;
    } finally {
      patience.end();
    }
  }

  get hasHeaders(): boolean {
    return this.#channel?.hasHeaders ?? false;
  }

  /** Both ends have agreed on a revision; one with a handshake is told that it is done. */
  async agree(revision: SpokenRevision): Promise<void> {
    this.#channel?.agree?.(revision);
    if (!revision.handshake) return;
    await this.notify("notifications/initialized");
    this.#channel?.listen?.();
  }

  /** Sends a request and gives its result. Throws `RequestRefused`, `ConnectionFailed` or `TimedOut`. */
  async request(method: string, params: JsonObject, options: SendOptions = {}): Promise<JsonObject> {
    options.signal?.throwIfAborted();
    if (this.#failure) throw this.#failure;
    const limits = limitsOf(this.#options, options);
    const patience = patienceFor(method, limits, () => this.#peer.isAsked);
    this.#waits.add(patience);
    const token = options.onProgress && this.#awaitProgress(options.onProgress, patience);
    const sent = withMeta(params, patienceOf(method, limits, token), token);
    const { id, answer } = this.#peer.start(method, sent, options.headers);
    options.onStart?.(id);
    try {
      return readAnswer(method, await Promise.race([answer, patience.lost]));
    } catch (error) {
      if (this.#peer.isWaiting(id)) this.#cancel(id, method, error);
      throw error;
    } finally {
      patience.end();
      this.#waits.delete(patience);
      if (token !== undefined) void Promise.resolve(options.over).then(() => this.#progress.delete(token));
    }
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    if (this.#failure) throw this.#failure;
    await this.#channel?.send({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  async close(): Promise<void> {
    this.#end(broken("The connection was closed from here; connect again to go on"));
    this.#closing ??= this.#channel?.close();
    await this.#closing;
  }

  #ear(): Ear {
    return {
      hear: (message) => {
        for (const one of Array.isArray(message) ? message : [message]) if (isObject(one)) this.#peer.hear(one);
      },
      isWaiting: (id) => this.#peer.isWaiting(id),
      fail: (id, error) => this.#peer.fail(id, error),
      broke: (error) => this.#end(error),
    };
  }

  #end(error: Error): void {
    this.#failure ??= error;
    this.#peer.end(this.#failure);
    this.#tellEnd(this.#failure);
  }

  #say(message: JsonObject, headers?: Headers): void {
    const sent = this.#channel?.send(message, headers);
    // The server had to wait for this answer, and starts anew.
    if (message["method"] === undefined) for (const wait of this.#waits) wait.renew();
    // An answer that the server does not take is no concern of any request here.
    sent?.catch(() => undefined);
  }

  #cancel(id: number, method: string, why: unknown): void {
    this.#peer.fail(id, new Error("cancelled"));
    if (this.#channel?.hangUp?.(id) || method === "initialize" || this.#failure) return;
    const reason = why instanceof Error ? why.message : String(why);
    this.notify("notifications/cancelled", { requestId: id, reason }).catch(() => undefined);
  }

  #awaitProgress(tell: (progress: Progress) => void, patience: Patience): number {
    this.#lastToken += 1;
    this.#progress.set(this.#lastToken, (params) => {
      // A timer that is renewed after its end would run again.
      if (this.#waits.has(patience)) patience.renew();
      const { progress, total, message } = params;
      const known = { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      tell(known as unknown as Progress);
    });
    return this.#lastToken;
  }

  #notified(method: string, params: JsonObject): void {
    const { progressToken = null } = params;
    const hear = method === "notifications/progress" ? this.#progress.get(progressToken) : undefined;
    try {
      if (hear) hear(params);
      else this.#options.notified(method, params);
    } catch (error) {
      // A fault of whoever listens; it must not be taken for one of the channel.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

/** What servers run for a caller: ours then refuse at once what would come too late. */
const AWAITED: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

/** How long a request is waited for at most; reports of progress prolong it. */
function patienceOf(
  method: string,
  { timeoutMs, totalMs }: { readonly timeoutMs: number; readonly totalMs: number },
  token: number | undefined,
): JsonObject | undefined {
  const most = token === undefined ? Math.min(timeoutMs, totalMs) : totalMs;
  return AWAITED.has(method) && Number.isFinite(most) ? { [PATIENCE_KEY]: most } : undefined;
}

function withMeta(params: JsonObject, patience: JsonObject | undefined, token: number | undefined): JsonObject {
  if (patience === undefined && token === undefined) return params;
  const given = params["_meta"] as JsonObject | undefined;
  return { ...params, _meta: { ...patience, ...given, ...(token !== undefined && { progressToken: token }) } };
}

const limitsOf = (usual: ConnectionOptions, given: RequestOptions) => ({
  timeoutMs: given.timeoutMs ?? usual.timeoutMs,
  totalMs: given.totalMs ?? usual.totalMs,
  signal: given.signal,
});

function readAnswer(method: string, { result, error }: JsonObject): JsonObject {
  if (isObject(error)) throw refusalOf(error);
  if (isObject(result)) return result;
  throw new ConnectionFailed(`The server's answer to ${method} has neither a result nor an error; it is no MCP server`);
}
