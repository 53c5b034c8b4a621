import http from "node:http";
import https from "node:https";
import type { JsonObject } from "@toolwright/engine";
import { came, remark, sent } from "./evidence.js";
import { readMessages } from "./read-messages.js";

/** What is sent to a URL. */
export interface HttpAsk {
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
      const timer = setTimeout(() => request.destroy(new Error("no answer in time")), this.#patienceMs);
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
  return `the value of the header ${bad} has a sign that none may have, such as a line break`;
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
