import http from "node:http";
import https from "node:https";
import type { JsonObject } from "@toolwright/engine";
import { asObject, type Conversation, comment, objectsIn, type Reply, receivedFrame, sentFrame } from "./connection.js";
import { addMeta, type ClientInfo, initializeParams, type ProtocolRevision } from "./protocol.js";

/** The messages in a body: JSON, or the events of a stream. Everything else is ignored. */
function readMessages(text: string, kind: string): readonly JsonObject[] {
  const texts = /event-stream/i.test(kind) ? eventsOf(text) : [text];
  return texts.flatMap((each) => {
    try {
      const value: unknown = JSON.parse(each);
      return objectsIn([value].flat());
    } catch {
      return [];
    }
  });
}

function eventsOf(text: string): readonly string[] {
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const lines = event.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []));
    return lines.length === 0 ? [] : [lines.join("\n")];
  });
}

/** The options of an HTTP request. */
interface HttpRequestOptions {
  readonly method?: "GET" | "POST" | "DELETE" | "OPTIONS";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Stops reading after the headers, the first event of HTTP+SSE, or the message with this id. */
  readonly until?: "head" | "endpoint" | { readonly id: number | string };
  /** Another URL than that of the server. */
  readonly url?: URL;
}

/** An HTTP response. */
export interface HttpResponse {
  /** 0 = there was no response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly messages: readonly JsonObject[];
  /** Why there was no response. */
  readonly reason: string;
  /** Whether the connection had been used before. */
  readonly isReused: boolean;
  readonly evidence: readonly string[];
}

/** No more of a response is read. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Sends HTTP requests to one URL, with any headers, also those that `fetch` forbids. */
export class HttpWire {
  readonly url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #responseTimeoutMs: number;
  readonly #agent: http.Agent;

  constructor(url: URL, headers: Readonly<Record<string, string>>, responseTimeoutMs: number) {
    this.url = url;
    this.#headers = headers;
    this.#responseTimeoutMs = responseTimeoutMs;
    const kinds = url.protocol === "https:" ? https : http;
    this.#agent = new kinds.Agent({ keepAlive: true, maxSockets: 8 });
  }

  /** Whether it is a server on this machine. */
  get isLocal(): boolean {
    return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(this.url.hostname);
  }

  /** Sends a request. Never throws. */
  send(ask: HttpRequestOptions, isRetry = false): Promise<HttpResponse> {
    const url = ask.url ?? this.url;
    const { method = "POST", body = "", until } = ask;
    const headers = {
      ...this.#headers,
      ...ask.headers,
      ...(body !== "" && { "content-length": String(Buffer.byteLength(body)) }),
    };
    const own = sentFrame(`${method} ${url.pathname}${headersOf(ask.headers)}${body === "" ? "" : ` ${body}`}`);
    return new Promise((resolve) => {
      const fail = (reason: string): void => resolve({ ...NOTHING, reason, evidence: [own, comment(reason)] });
      let request: http.ClientRequest;
      try {
        request = (url.protocol === "https:" ? https : http).request(url, { method, headers, agent: this.#agent });
      } catch (error) {
        return fail(describeInvalidRequest(error as NodeJS.ErrnoException, headers));
      }
      const timer = setTimeout(() => request.destroy(new Error("no response in time")), this.#responseTimeoutMs);
      request.on("error", (error) => {
        clearTimeout(timer);
        // A server may close a connection while it is reused, whatever the request is.
        if (request.reusedSocket && !isRetry && (error as NodeJS.ErrnoException).code === "ECONNRESET")
          return resolve(this.send(ask, true));
        fail(error.message || (error as NodeJS.ErrnoException).code || "the connection failed");
      });
      request.on("response", (response) => {
        const isReused = request.reusedSocket;
        let text = "";
        const finish = (): void => {
          clearTimeout(timer);
          const status = response.statusCode ?? 0;
          const kind = response.headers["content-type"] ?? "";
          const head = `HTTP ${status}${kind === "" ? "" : ` ${kind}`}`;
          resolve({
            status,
            headers: flat(response.headers),
            text,
            messages: readMessages(text, kind),
            reason: "",
            isReused,
            evidence: [own, receivedFrame(text === "" ? head : `${head} ${text}`)],
          });
        };
        if (until === "head") {
          finish();
          return void request.destroy();
        }
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
          const isThere = until !== undefined && isComplete(until, text, response.headers["content-type"] ?? "");
          if (!isThere && text.length < MAX_RESPONSE_BYTES) return;
          finish();
          request.destroy();
        });
        response.on("end", finish);
        response.on("error", finish);
      });
      // A server may reject a long body before it has all of it.
      request.end(body === "" ? undefined : body);
    });
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy();
  }
}

const NOTHING: Omit<HttpResponse, "reason" | "evidence"> = {
  status: 0,
  headers: {},
  text: "",
  messages: [],
  isReused: false,
};

/** Only an event stream continues after what was waited for. */
function isComplete(until: "endpoint" | { readonly id: number | string }, text: string, kind: string): boolean {
  if (!/event-stream/i.test(kind) || !text.endsWith("\n")) return false;
  if (until === "endpoint") return isEndpoint(text);
  return readMessages(text, kind).some((one) => one["id"] === until.id && !("method" in one));
}

/** Whether a stream begins like HTTP+SSE, with an endpoint event. */
export const isEndpoint = (text: string): boolean => /^event: ?endpoint\r?$/m.test(text);

/** Why a request is invalid. The value of a header may be a secret. */
function describeInvalidRequest(
  { code, message }: NodeJS.ErrnoException,
  headers: Readonly<Record<string, string>>,
): string {
  const [bad] = Object.entries(headers).find(([, value]) => UNSENDABLE.test(value)) ?? [];
  if (bad === undefined || code !== "ERR_INVALID_CHAR") return message;
  return `the value of the header ${bad} has an invalid character, such as a line break`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: headers may not contain them.
const UNSENDABLE = /[^\t\u{20}-\u{7e}\u{80}-\u{ff}]/u;

function headersOf(headers: Readonly<Record<string, string>> = {}): string {
  const shown = Object.entries(headers).filter(([name]) => !/^(?:accept|content-type)$/i.test(name));
  return shown.length === 0 ? "" : ` (${shown.map(([name, value]) => `${name}: ${value}`).join(", ")})`;
}

function flat(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));
}

/** A conversation over HTTP. */
export interface HttpConversation extends Conversation {
  /** The headers of every further request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers of every POST request. */
export const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
} as const;

/** Opens a conversation with an HTTP server. */
export async function openHttp(
  wire: HttpWire,
  revision: ProtocolRevision,
  clientInfo: ClientInfo,
): Promise<HttpConversation> {
  let next = 1000;
  const received: JsonObject[] = [];
  const asked = new Set<unknown>();
  let headers: Record<string, string> = {};
  const ask = async (
    method: string,
    params: Readonly<Record<string, unknown>>,
    id: number | string,
  ): Promise<{ readonly reply: Reply; readonly answer: HttpResponse }> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const all = { ...JSON_HEADERS, ...headers, ...(!revision.handshake && standardHeaders(revision, method, params)) };
    const answer = await wire.send({ headers: all, body, until: { id } });
    asked.add(id);
    received.push(...answer.messages);
    return { reply: toReply(answer, id), answer };
  };
  const opened = revision.handshake
    ? await ask("initialize", initializeParams(revision.version, clientInfo), 1)
    : await ask("server/discover", addMeta(revision, {}, clientInfo), 1);
  const agreed = asObject(opened.reply.message["result"])?.["protocolVersion"];
  const session = opened.answer.headers["mcp-session-id"];
  if (revision.handshake)
    headers = {
      ...(session !== undefined && { "mcp-session-id": session }),
      ...(typeof agreed === "string" && { "mcp-protocol-version": agreed }),
    };
  const notify = async (method: string, params?: Readonly<Record<string, unknown>>): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) });
    await wire.send({ headers: { ...JSON_HEADERS, ...headers }, body });
  };
  if (revision.handshake && agreed !== undefined) await notify("notifications/initialized");
  return {
    revision,
    opening: opened.reply,
    headers,
    ask: async (method, params = {}, id = next++) =>
      (await ask(method, addMeta(revision, params, clientInfo), id)).reply,
    notify,
    received: () => received,
    unmatchedResponses: () =>
      received
        .filter((message) => !("method" in message) && !("error" in message) && !asked.has(message["id"]))
        .map((message) => receivedFrame(JSON.stringify(message))),
    async close() {
      if (session !== undefined && revision.handshake) await wire.send({ method: "DELETE", headers });
    },
  };
}

/** The headers of a stateless request that repeat its body. */
function standardHeaders(
  revision: ProtocolRevision,
  method: string,
  { name, uri }: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const about = method === "resources/read" ? uri : name;
  return {
    "mcp-protocol-version": revision.version,
    "mcp-method": method,
    ...(typeof about === "string" && { "mcp-name": about }),
  };
}

/** The reply in an HTTP response, whatever its status. */
export function toReply(answer: HttpResponse, id: number | string): Reply {
  const { status, reason, evidence, messages } = answer;
  // An error may have no id.
  const message =
    messages.find((one) => one["id"] === id && !("method" in one)) ?? messages.find((one) => "error" in one);
  if (message !== undefined) return { kind: "answer", message, reason: "", status, evidence };
  if (status === 0) return { kind: "end", message: {}, reason, evidence };
  return { kind: "silence", message: {}, reason: `HTTP ${status} without a response`, status, evidence };
}
