import http from "node:http";
import https from "node:https";
import type { JsonObject } from "@toolwright/engine";
import { asObject, came, objectsIn, type Reply, remark, sent, type Talk } from "./connection.js";
import { dress, type Era, introduce, type Speaker } from "./protocol.js";

/** The messages in the body of an answer: a JSON text, or the events of a stream. What is none is left out. */
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

/** What is sent to a URL. */
interface HttpAsk {
  readonly method?: "GET" | "POST" | "DELETE" | "OPTIONS";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the answer early: with its head, with the event that opens HTTP+SSE, or with the message of this id. */
  readonly until?: "head" | "endpoint" | { readonly id: number | string };
  /** Another place than that of the server, such as a document of it. */
  readonly url?: URL;
}

/** What a server gave over HTTP. */
export interface HttpAnswer {
  /** 0 = there was no answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly messages: readonly JsonObject[];
  /** Why there was no answer. */
  readonly reason: string;
  /** Whether it came over a connection that had been used before. */
  readonly isReused: boolean;
  readonly evidence: readonly string[];
}

/** No answer of which more has to be read. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Plain requests to one URL, with whatever headers a check wants, also those that `fetch` does not let through. */
export class HttpWire {
  readonly url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #patienceMs: number;
  readonly #agent: http.Agent;

  constructor(url: URL, headers: Readonly<Record<string, string>>, patienceMs: number) {
    this.url = url;
    this.#headers = headers;
    this.#patienceMs = patienceMs;
    const kinds = url.protocol === "https:" ? https : http;
    this.#agent = new kinds.Agent({ keepAlive: true, maxSockets: 8 });
  }

  /** Whether it is a server on this machine. */
  get isLocal(): boolean {
    return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(this.url.hostname);
  }

  /** Sends one request; it never throws. */
  send(ask: HttpAsk, isAgain = false): Promise<HttpAnswer> {
    const url = ask.url ?? this.url;
    const { method = "POST", body = "", until } = ask;
    const headers = {
      ...this.#headers,
      ...ask.headers,
      ...(body !== "" && { "content-length": String(Buffer.byteLength(body)) }),
    };
    const own = sent(`${method} ${url.pathname}${headersOf(ask.headers)}${body === "" ? "" : ` ${body}`}`);
    return new Promise((resolve) => {
      const fail = (reason: string): void => resolve({ ...NOTHING, reason, evidence: [own, remark(reason)] });
      let request: http.ClientRequest;
      try {
        request = (url.protocol === "https:" ? https : http).request(url, { method, headers, agent: this.#agent });
      } catch (error) {
        return fail(sayUnsendable(error as NodeJS.ErrnoException, headers));
      }
      const timer = setTimeout(() => request.destroy(new Error("no response in time")), this.#patienceMs);
      request.on("error", (error) => {
        clearTimeout(timer);
        // A server may close a connection just as it is used again; that says nothing about the request.
        if (request.reusedSocket && !isAgain && (error as NodeJS.ErrnoException).code === "ECONNRESET")
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
            evidence: [own, came(text === "" ? head : `${head} ${text}`)],
          });
        };
        if (until === "head") {
          finish();
          return void request.destroy();
        }
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
          const isThere = until !== undefined && hasCome(until, text, response.headers["content-type"] ?? "");
          if (!isThere && text.length < MOST_BYTES) return;
          finish();
          request.destroy();
        });
        response.on("end", finish);
        response.on("error", finish);
      });
      // A server may refuse a long body before it has all of it.
      request.end(body === "" ? undefined : body);
    });
  }

  /** Gives all connections back. */
  close(): void {
    this.#agent.destroy();
  }
}

const NOTHING: Omit<HttpAnswer, "reason" | "evidence"> = {
  status: 0,
  headers: {},
  text: "",
  messages: [],
  isReused: false,
};

/** Only an event stream goes on after what was waited for. */
function hasCome(until: "endpoint" | { readonly id: number | string }, text: string, kind: string): boolean {
  if (!/event-stream/i.test(kind) || !text.endsWith("\n")) return false;
  if (until === "endpoint") return isEndpoint(text);
  return readMessages(text, kind).some((one) => one["id"] === until.id && !("method" in one));
}

/** Whether a stream begins as HTTP+SSE does: it says where messages go. */
export const isEndpoint = (text: string): boolean => /^event: ?endpoint\r?$/m.test(text);

/** Why a request cannot be sent at all; the value of a header may be a secret. */
function sayUnsendable({ code, message }: NodeJS.ErrnoException, headers: Readonly<Record<string, string>>): string {
  const [bad] = Object.entries(headers).find(([, value]) => UNSENDABLE.test(value)) ?? [];
  if (bad === undefined || code !== "ERR_INVALID_CHAR") return message;
  return `the value of the header ${bad} has an invalid character, such as a line break`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no header may have.
const UNSENDABLE = /[^\t\u{20}-\u{7e}\u{80}-\u{ff}]/u;

function headersOf(headers: Readonly<Record<string, string>> = {}): string {
  const shown = Object.entries(headers).filter(([name]) => !/^(?:accept|content-type)$/i.test(name));
  return shown.length === 0 ? "" : ` (${shown.map(([name, value]) => `${name}: ${value}`).join(", ")})`;
}

function flat(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));
}

/** A conversation over HTTP, with what its session is called. */
export interface HttpTalk extends Talk {
  /** The headers that every further request has. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What every POST has. */
export const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
} as const;

/** Opens a conversation with a server that listens. */
export async function openHttp(wire: HttpWire, era: Era, speaker: Speaker): Promise<HttpTalk> {
  let next = 1000;
  const heard: JsonObject[] = [];
  const asked = new Set<unknown>();
  let headers: Record<string, string> = {};
  const ask = async (
    method: string,
    params: Readonly<Record<string, unknown>>,
    id: number | string,
  ): Promise<{ readonly reply: Reply; readonly answer: HttpAnswer }> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const all = { ...JSON_HEADERS, ...headers, ...(!era.handshake && claimsOf(era, method, params)) };
    const answer = await wire.send({ headers: all, body, until: { id } });
    asked.add(id);
    heard.push(...answer.messages);
    return { reply: toReply(answer, id), answer };
  };
  const opened = era.handshake
    ? await ask("initialize", introduce(era.version, speaker), 1)
    : await ask("server/discover", dress(era, {}, speaker), 1);
  const agreed = asObject(opened.reply.message["result"])?.["protocolVersion"];
  const session = opened.answer.headers["mcp-session-id"];
  if (era.handshake)
    headers = {
      ...(session !== undefined && { "mcp-session-id": session }),
      ...(typeof agreed === "string" && { "mcp-protocol-version": agreed }),
    };
  const notify = async (method: string, params?: Readonly<Record<string, unknown>>): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) });
    await wire.send({ headers: { ...JSON_HEADERS, ...headers }, body });
  };
  if (era.handshake && agreed !== undefined) await notify("notifications/initialized");
  return {
    era,
    opening: opened.reply,
    headers,
    ask: async (method, params = {}, id = next++) => (await ask(method, dress(era, params, speaker), id)).reply,
    notify,
    heard: () => heard,
    unmatched: () =>
      heard
        .filter((message) => !("method" in message) && !("error" in message) && !asked.has(message["id"]))
        .map((message) => came(JSON.stringify(message))),
    async close() {
      if (session !== undefined && era.handshake) await wire.send({ method: "DELETE", headers });
    },
  };
}

/** The headers in which a request that stands alone says what its body says. */
function claimsOf(era: Era, method: string, { name, uri }: Readonly<Record<string, unknown>>): Record<string, string> {
  const about = method === "resources/read" ? uri : name;
  return {
    "mcp-protocol-version": era.version,
    "mcp-method": method,
    ...(typeof about === "string" && { "mcp-name": about }),
  };
}

/** An answer over HTTP as one of the server, whatever its status. */
export function toReply(answer: HttpAnswer, id: number | string): Reply {
  const { status, reason, evidence, messages } = answer;
  // An error about a request may have lost its id.
  const message =
    messages.find((one) => one["id"] === id && !("method" in one)) ?? messages.find((one) => "error" in one);
  if (message !== undefined) return { kind: "answer", message, reason: "", status, evidence };
  if (status === 0) return { kind: "end", message: {}, reason, evidence };
  return { kind: "silence", message: {}, reason: `HTTP ${status} without a response`, status, evidence };
}
